#include <algorithm>
#include <map>

#include "compiler/backend.h"

namespace cutaway::compiler {
namespace {

// Components of one class can be read through one source of an instruction. Values of several instructions
// count as one class if all or none are halves: allocation tries to place them in one register.
struct Class {
  RefKind kind = RefKind::kUndef;
  uint32_t index = 0;
  bool negate = false, absolute = false, half = false;
  bool operator==(const Class&) const = default;
};

class Legalizer {
 public:
  explicit Legalizer(Ir& ir) : ir_(ir) {}

  void run() {
    for (Inst& inst : ir_.insts)
      if (!inst.dead && !inst.phi)
        for (uint32_t s = 0; s < inst.sources; ++s) fill(inst.src[s], inst, s);
    count_mixed();
    for (uint32_t b = 0; b < ir_.blocks.size(); ++b) {
      order_.clear();
      gathered_.clear();
      const std::vector<uint32_t> before = ir_.blocks[b].insts;
      for (uint32_t id : before) {
        if (ir_.insts[id].dead) continue;
        sources(id, b);
        split(id, b);
      }
      ir_.blocks[b].insts = order_;
    }
    redirect();
  }

 private:
  // Applies the signs of literals; undefined components copy a defined neighbour.
  void fill(Operand& o, const Inst& inst, uint32_t) {
    Ref any = literal(0);
    for (uint32_t i = o.width; i-- > 0;) {
      Ref& ref = o.ref[i];
      if (ref.is_literal()) {
        if (ref.absolute) ref.index &= 0x7fffffff;
        if (ref.negate) ref.index ^= 0x80000000;
        ref.negate = ref.absolute = false;
      }
      if (!ref.is_undef()) any = ref;
    }
    (void)inst;
    for (uint32_t i = 0; i < o.width; ++i)
      if (o.ref[i].is_undef()) o.ref[i] = any;
  }

  Class class_of(const Ref& ref) const {
    const bool by_index = ref.kind == RefKind::kInput || ref.kind == RefKind::kUniform;
    const bool half = ref.is_value() && ir_.insts[ref.index].half;
    return {ref.kind, by_index ? ref.index : 0, ref.negate, ref.absolute, half};
  }

  uint32_t classes(const Operand& o) const {
    std::vector<Class> seen;
    for (uint32_t i = 0; i < o.width; ++i)
      if (std::find(seen.begin(), seen.end(), class_of(o.ref[i])) == seen.end())
        seen.push_back(class_of(o.ref[i]));
    return static_cast<uint32_t>(seen.size());
  }

  static bool modified(const Operand& o) {
    return std::any_of(o.ref.begin(), o.ref.begin() + o.width, [](const Ref& r) { return !plain(r); });
  }

  // Counts mixed operands that several instructions share: they are gathered once, not split in each.
  void count_mixed() {
    for (const Inst& inst : ir_.insts) {
      if (inst.dead || inst.phi) continue;
      for (uint32_t s = 0; s < inst.sources; ++s)
        if (classes(inst.src[s]) > 1) ++mixed_[inst.src[s]];
    }
  }

  void sources(uint32_t id, uint32_t block) {
    for (uint32_t s = 0; s < ir_.insts[id].sources; ++s) {
      const Inst& inst = ir_.insts[id];
      const Operand operand = inst.src[s];
      const bool bad_modifiers = modified(operand) && !float_source(inst.op, s);
      const bool whole = shape(inst.op) != Shape::kLanes;
      const bool mixed = classes(operand) > 1;
      if (!bad_modifiers && !(mixed && whole) && !(mixed && inst.op != Opcode::kMov && mixed_[operand] > 1))
        continue;
      ir_.insts[id].src[s] = gather(operand, block, inst.line);
    }
  }

  Operand gather(const Operand& operand, uint32_t block, uint32_t line) {
    Operand plain_operand = operand;
    plain_operand.invert = false;
    const auto found = gathered_.find(plain_operand);
    uint32_t id;
    if (found != gathered_.end()) {
      id = found->second;
    } else {
      id = static_cast<uint32_t>(ir_.insts.size());
      Inst move{.op = Opcode::kMov, .width = operand.width, .sources = 1};
      move.src[0] = plain_operand;
      move.block = block;
      move.line = line;
      move.half = gives_halves(ir_, plain_operand);
      ir_.insts.push_back(move);
      gathered_[plain_operand] = id;
      split(id, block);
    }
    Operand result{.width = operand.width, .invert = operand.invert};
    for (uint8_t i = 0; i < operand.width; ++i)
      result.ref[i] = {.kind = RefKind::kValue, .lane = i, .index = id};
    return result;
  }

  // Splits an instruction with mixed operands into one per combination of sources.
  void split(uint32_t id, uint32_t block) {
    const Inst whole = ir_.insts[id];
    if (whole.phi || whole.width == 0 || shape(whole.op) != Shape::kLanes) {
      order_.push_back(id);
      return;
    }
    std::vector<std::array<Class, 3>> kinds;
    std::array<size_t, 4> kind_of{};
    for (uint32_t i = 0; i < whole.width; ++i) {
      std::array<Class, 3> key{};
      for (uint32_t s = 0; s < whole.sources; ++s) key[s] = class_of(whole.src[s].ref[i]);
      kind_of[i] = std::find(kinds.begin(), kinds.end(), key) - kinds.begin();
      if (kind_of[i] == kinds.size()) kinds.push_back(key);
    }
    if (kinds.size() == 1) {
      order_.push_back(id);
      return;
    }
    for (size_t k = 0; k < kinds.size(); ++k) {
      const uint32_t part = k == 0 ? id : static_cast<uint32_t>(ir_.insts.size());
      if (k) ir_.insts.push_back(whole);
      Inst& inst = ir_.insts[part];
      inst.block = block;
      inst.width = 0;
      for (uint32_t s = 0; s < inst.sources; ++s) inst.src[s].width = 0;
      for (uint32_t i = 0; i < whole.width; ++i) {
        if (kind_of[i] != k) continue;
        for (uint32_t s = 0; s < inst.sources; ++s)
          inst.src[s].ref[inst.src[s].width++] = whole.src[s].ref[i];
        inst.channel[inst.width] = whole.channel[i];
        moved_[{id, i}] = {.kind = RefKind::kValue, .lane = inst.width, .index = part};
        ++inst.width;
      }
      order_.push_back(part);
    }
  }

  void redirect() {
    for (Inst& inst : ir_.insts) {
      if (inst.dead) continue;
      each_ref(inst, [&](Ref& ref) {
        if (!ref.is_value()) return;
        const auto found = moved_.find({ref.index, ref.lane});
        if (found == moved_.end()) return;
        ref.index = found->second.index;
        ref.lane = found->second.lane;
      });
    }
  }

  Ir& ir_;
  std::vector<uint32_t> order_;
  std::map<Operand, uint32_t> mixed_, gathered_;
  std::map<std::pair<uint32_t, uint32_t>, Ref> moved_;
};

}  // namespace

void legalize(Ir& ir) { Legalizer(ir).run(); }

void lower_phis(Ir& ir) {
  std::vector<uint32_t> out_of(ir.insts.size(), kNone);  // phi → the move that reads it
  for (uint32_t b = 0; b < ir.blocks.size(); ++b) {
    std::vector<uint32_t> moves;
    const std::vector<uint32_t> phis = ir.blocks[b].phis;
    for (uint32_t id : phis) {
      const auto move = static_cast<uint32_t>(ir.insts.size());
      Inst inst{.op = Opcode::kMov, .width = ir.insts[id].width, .sources = 1};
      inst.block = b;
      inst.line = ir.insts[id].line;
      inst.src[0].width = inst.width;
      for (uint8_t i = 0; i < inst.width; ++i)
        inst.src[0].ref[i] = {.kind = RefKind::kValue, .lane = i, .index = id};
      ir.insts.push_back(inst);
      out_of[id] = move;
      moves.push_back(move);
    }
    ir.blocks[b].insts.insert(ir.blocks[b].insts.begin(), moves.begin(), moves.end());
  }
  const auto first_copy = static_cast<uint32_t>(ir.insts.size());
  for (uint32_t b = 0; b < ir.blocks.size(); ++b) {
    const std::vector<uint32_t> phis = ir.blocks[b].phis;
    for (uint32_t id : phis)
      for (size_t a = 0; a < ir.blocks[b].preds.size(); ++a) {
        const uint32_t pred = ir.blocks[b].preds[a];
        Inst copy{.op = Opcode::kMov, .sources = 1};
        copy.block = pred;
        copy.line = ir.insts[id].line;
        copy.family = id;
        const Operand arg = ir.insts[id].args[a];
        for (uint32_t i = 0; i < arg.width; ++i) {
          if (arg.ref[i].is_undef()) continue;
          copy.channel[copy.width] = static_cast<uint8_t>(i);  // lane of the phi
          copy.src[0].ref[copy.width++] = arg.ref[i];
        }
        copy.src[0].width = copy.width;
        if (copy.width == 0) continue;
        const auto at = static_cast<uint32_t>(ir.insts.size());
        ir.insts.push_back(copy);
        std::vector<uint32_t>& insts = ir.blocks[pred].insts;
        const bool ends = !insts.empty() && is_block_end(ir.insts[insts.back()].op);
        insts.insert(insts.end() - (ends ? 1 : 0), at);
        ir.insts[id].args[a] = {};  // its lanes are those of the copy, found through family and channel
      }
  }
  // All readers except the moves themselves now read the moves.
  for (uint32_t id = 0; id < ir.insts.size(); ++id) {
    Inst& inst = ir.insts[id];
    if (inst.dead) continue;
    for (uint32_t s = 0; s < inst.sources; ++s)
      for (uint32_t i = 0; i < inst.src[s].width; ++i) {
        Ref& ref = inst.src[s].ref[i];
        if (ref.is_value() && ref.index < out_of.size() && out_of[ref.index] != kNone &&
            out_of[ref.index] != id)
          ref.index = out_of[ref.index];
      }
  }
  (void)first_copy;
}

}  // namespace cutaway::compiler
