#include <algorithm>
#include <map>
#include <tuple>

#include "compiler/affine.h"
#include "compiler/passes.h"
#include "isa/operands.h"

namespace cutaway::compiler {
namespace {

// Operands that share a key, a register with modifiers, can be read through one source.
struct SourceKey {
  RefKind kind = RefKind::kUndef;
  uint32_t index = 0;
  bool negate = false, absolute = false, invert = false;
  auto operator<=>(const SourceKey&) const = default;
};

bool source_key(const Operand& operand, SourceKey& key) {
  bool first = true;
  for (uint32_t i = 0; i < operand.width; ++i) {
    const Ref& ref = operand.ref[i];
    if (ref.is_undef()) continue;
    const SourceKey here{ref.kind, ref.is_literal() ? 0 : ref.index, ref.negate, ref.absolute,
                         operand.invert};
    if (!first && here != key) return false;
    key = here;
    first = false;
  }
  return true;
}

using GroupKey = std::tuple<Opcode, bool, bool, SourceKey, SourceKey, SourceKey>;

// Merges a later instruction into an earlier one, if it reads nothing that the earlier does not.
bool merge_block(Ir& ir, uint32_t b, std::vector<Ref>& moved) {
  std::map<GroupKey, std::vector<uint32_t>> open;
  bool changed = false;
  for (uint32_t id : ir.blocks[b].insts) {
    Inst& inst = ir.insts[id];
    if (inst.dead || inst.output != 0xff || inst.width == 0 || inst.width == 4 || !is_pure(inst) ||
        isa::is_of_quad(inst.op) || shape(inst.op) != Shape::kLanes)
      continue;
    std::array<SourceKey, 3> keys{};
    bool fits = true;
    for (uint32_t s = 0; s < inst.sources; ++s) fits = fits && source_key(inst.src[s], keys[s]);
    if (!fits) continue;
    std::vector<uint32_t>& candidates = open[{inst.op, inst.saturate, inst.half, keys[0], keys[1], keys[2]}];
    uint32_t into = kNone;
    for (uint32_t candidate : candidates)
      if (ir.insts[candidate].width + inst.width <= 4 && into == kNone) into = candidate;
    if (into == kNone) {
      candidates.push_back(id);
      continue;
    }
    Inst& first = ir.insts[into];
    for (uint32_t i = 0; i < inst.width; ++i) {
      moved[id * 4 + i] = {.kind = RefKind::kValue, .lane = first.width, .index = into};
      for (uint32_t s = 0; s < inst.sources; ++s) {
        first.src[s].ref[first.width] = inst.src[s].ref[i];
        first.src[s].width = first.width + 1;
      }
      ++first.width;
    }
    inst.dead = true;
    changed = true;
  }
  return changed;
}

// Merges loads of neighbouring words into one instruction.
bool merge_loads(Ir& ir, uint32_t b, std::vector<Ref>& moved) {
  using Base = std::pair<uint8_t, std::vector<Affine::Term>>;  // resource, and the address but its offset
  std::map<Base, std::vector<std::pair<uint32_t, uint32_t>>> groups;  // (offset, inst)
  for (uint32_t id : ir.blocks[b].insts) {
    const Inst& inst = ir.insts[id];
    if (inst.dead || inst.op != Opcode::kLdb || inst.ordered) continue;
    const Affine address = affine_of(ir, inst.src[0].ref[0]);
    groups[{inst.access.resource, address.terms}].push_back({address.offset, id});
  }
  bool changed = false;
  for (auto& [key, loads] : groups) {
    std::sort(loads.begin(), loads.end());
    for (size_t i = 0; i < loads.size();) {
      // Runs whose last word is within 16 bytes of the first; the earliest instruction of the run performs
      // the load.
      const uint32_t base = loads[i].first;
      size_t end = i;
      uint32_t words = 0;
      while (end < loads.size() && loads[end].first - base < 16 && (loads[end].first - base) % 4 == 0 &&
             (loads[end].first - base) / 4 + ir.insts[loads[end].second].width <= 4) {
        words = std::max(words, (loads[end].first - base) / 4 + ir.insts[loads[end].second].width);
        ++end;
      }
      if (end - i < 2) {
        ++i;
        continue;
      }
      // The lowest address must be known at the first of these instructions: it is if that instruction has
      // it.
      const uint32_t into = loads[i].second;
      const auto& order = ir.blocks[b].insts;
      const auto where = std::find(order.begin(), order.end(), into);
      for (size_t k = i + 1; k < end; ++k) {
        const uint32_t id = loads[k].second;
        if (std::find(order.begin(), where, id) != where) continue;  // comes earlier
        for (uint32_t lane = 0; lane < ir.insts[id].width; ++lane)
          moved[id * 4 + lane] = {.kind = RefKind::kValue,
                                  .lane = static_cast<uint8_t>((loads[k].first - base) / 4 + lane),
                                  .index = into};
        ir.insts[id].dead = true;
        ir.insts[into].width = static_cast<uint8_t>(words);
        ir.insts[into].block_slots = std::max(ir.insts[into].block_slots, ir.insts[id].block_slots);
        changed = true;
      }
      i = end;
    }
  }
  return changed;
}

void move_lanes(Ir& ir, const std::vector<Ref>& moved) {
  for (Inst& inst : ir.insts) {
    if (inst.dead) continue;
    each_ref(inst, [&](Ref& ref) {
      while (ref.is_value() && !moved[ref.index * 4 + ref.lane].is_undef())
        ref = compose(moved[ref.index * 4 + ref.lane], ref);
    });
  }
  for (Block& block : ir.blocks) std::erase_if(block.insts, [&](uint32_t id) { return ir.insts[id].dead; });
}

}  // namespace

void vectorize(Ir& ir) {
  for (int round = 0; round < 16; ++round) {
    bool changed = false;
    std::vector<Ref> moved(ir.insts.size() * 4);
    for (uint32_t b = 0; b < ir.blocks.size(); ++b) {
      changed |= merge_block(ir, b, moved);
      changed |= merge_loads(ir, b, moved);
    }
    if (!changed) return;
    move_lanes(ir, moved);
  }
}

void bundle_phis(Ir& ir) {
  std::vector<Ref> moved(ir.insts.size() * 4);
  for (Block& block : ir.blocks) {
    std::sort(block.phis.begin(), block.phis.end(), [&](uint32_t x, uint32_t y) {
      return std::tuple(ir.insts[x].slot, x) < std::tuple(ir.insts[y].slot, y);
    });
    uint32_t into = kNone;
    for (uint32_t id : block.phis) {
      Inst& phi = ir.insts[id];
      if (phi.dead) continue;
      if (into == kNone || ir.insts[into].width + phi.width > 4 || ir.insts[into].family != phi.family) {
        into = id;
        continue;
      }
      Inst& first = ir.insts[into];
      for (uint32_t i = 0; i < phi.width; ++i) {
        moved[id * 4 + i] = {.kind = RefKind::kValue, .lane = first.width, .index = into};
        for (size_t a = 0; a < phi.args.size(); ++a) {
          first.args[a].ref[first.width] = phi.args[a].ref[i];
          ++first.args[a].width;
        }
        ++first.width;
      }
      phi.dead = true;
    }
    std::erase_if(block.phis, [&](uint32_t id) { return ir.insts[id].dead; });
  }
  move_lanes(ir, moved);
}

}  // namespace cutaway::compiler
