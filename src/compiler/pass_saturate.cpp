#include <algorithm>

#include "compiler/passes.h"
#include "compiler/patterns.h"
#include "isa/operands.h"

namespace cutaway::compiler {
namespace {

bool is_saturating_move(const Inst& inst) {
  return inst.op == Opcode::kMov && inst.saturate && inst.output == 0xff;
}

class Splitter {
 public:
  explicit Splitter(Ir& ir) : ir_(ir) {}

  void run() {
    for (Block& block : ir_.blocks) {
      std::vector<uint32_t> order;
      for (uint32_t id : block.insts) {
        if (is_saturating_move(ir_.insts[id])) split(id, order);
        else order.push_back(id);
      }
      block.insts = order;
    }
    move_readers();
  }

 private:
  // New places of the lanes of a split move.
  struct Moved {
    uint32_t id = 0;
    std::array<Ref, 4> to{};
  };

  // Appends the parts of a move. The first part keeps the move's number.
  void split(uint32_t id, std::vector<uint32_t>& order) {
    const Inst whole = ir_.insts[id];
    std::array<uint32_t, 4> part_of{};
    std::vector<uint32_t> parts;
    for (uint32_t i = 0; i < whole.width; ++i) {
      uint32_t part = kNone;
      for (uint32_t p : parts)
        if (ir_.insts[p].src[0].ref[0].same_register(whole.src[0].ref[i])) part = p;
      if (part == kNone) {
        part = parts.empty() ? id : static_cast<uint32_t>(ir_.insts.size());
        if (part != id) ir_.insts.push_back(whole);
        ir_.insts[part].width = ir_.insts[part].src[0].width = 0;
        parts.push_back(part);
      }
      part_of[i] = part;
      Inst& inst = ir_.insts[part];
      inst.src[0].ref[inst.width++] = whole.src[0].ref[i];
      inst.src[0].width = inst.width;
    }
    if (parts.size() > 1) note(id, whole.width, part_of, parts);
    order.insert(order.end(), parts.begin(), parts.end());
  }

  void note(uint32_t id, uint32_t width, const std::array<uint32_t, 4>& part_of,
            const std::vector<uint32_t>& parts) {
    std::array<uint8_t, 4> next{};
    Moved moved{.id = id};
    for (uint32_t i = 0; i < width; ++i) {
      const size_t p = std::find(parts.begin(), parts.end(), part_of[i]) - parts.begin();
      moved.to[i] = {.kind = RefKind::kValue, .lane = next[p]++, .index = part_of[i]};
    }
    moved_.push_back(moved);
  }

  // A split instruction's number becomes that of its first part, so all lanes are renamed in one step.
  void move_readers() {
    std::vector<const Moved*> at(ir_.insts.size());
    for (const Moved& moved : moved_) at[moved.id] = &moved;
    for (Inst& inst : ir_.insts) {
      if (inst.dead) continue;
      each_ref(inst, [&](Ref& ref) {
        if (ref.is_value() && at[ref.index]) ref = compose(at[ref.index]->to[ref.lane], ref);
      });
    }
  }

  Ir& ir_;
  std::vector<Moved> moved_;
};

}  // namespace

void split_saturations(Ir& ir) { Splitter(ir).run(); }

void fuse_saturations(Ir& ir) {
  const std::vector<std::vector<uint32_t>> uses = uses_of(ir);
  Remap remap(ir);
  for (uint32_t id = 0; id < ir.insts.size(); ++id) {
    Inst& move = ir.insts[id];
    if (move.dead || !is_saturating_move(move) || !plain(move.src[0])) continue;
    Inst* from = source_of(ir, move.src[0]);
    if (!from || !isa::may_saturate(from->op) || uses[move.src[0].ref[0].index].size() != 1) continue;
    // SEL and MOV may carry bits that are not a float; a saturated result is always one.
    from->saturate = true;
    from->half = move.half;
    for (uint32_t i = 0; i < move.width; ++i) remap.set(id, i, move.src[0].ref[i]);
    move.dead = true;
  }
  remap.apply(ir);
}

}  // namespace cutaway::compiler
