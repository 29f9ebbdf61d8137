#include <algorithm>
#include <map>
#include <tuple>

#include "compiler/passes.h"
#include "compiler/patterns.h"

namespace cutaway::compiler {
namespace {

bool commutes(Opcode op) {
  using enum Opcode;
  switch (op) {
    case kAdd:
    case kMul:
    case kDp2:
    case kDp3:
    case kDp4:
    case kMin:
    case kMax:
    case kFeq:
    case kFne:
    case kIeq:
    case kIne:
    case kIadd:
    case kImul:
    case kImin:
    case kImax:
    case kUmin:
    case kUmax:
    case kAnd:
    case kOr:
    case kXor:
    case kDadd:
    case kDmul:
    case kDeq:
    case kDne:
      return true;
    default:
      return false;
  }
}

using AccessKey = std::array<int, 10>;
using Key = std::tuple<Opcode, bool, bool, std::array<Operand, 3>, AccessKey>;

AccessKey access_key(const isa::Access& a) {
  return {a.resource,  a.sampler,   static_cast<int>(a.dim),    a.shadow, a.gather, a.offset[0],
          a.offset[1], a.offset[2], static_cast<int>(a.atomic), a.slot};
}

Key key_of(const Inst& inst, std::array<Operand, 3> src) {
  if (commutes(inst.op) && src[1] < src[0]) std::swap(src[0], src[1]);
  return {inst.op, inst.saturate, inst.half, src, access_key(inst.access)};
}

}  // namespace

void eliminate_common(Ir& ir) {
  Remap remap(ir);
  std::map<Key, std::vector<Ref>> known;  // values of whole instructions, or of single lanes
  auto find = [&](const Key& key, uint32_t block) -> Ref {
    const auto found = known.find(key);
    if (found == known.end()) return {};
    for (const Ref& ref : found->second)
      if (dominates(ir, ir.insts[ref.index].block, block)) return ref;
    return {};
  };
  for (uint32_t b = 0; b < ir.blocks.size(); ++b) {
    for (uint32_t id : ir.blocks[b].insts) {
      Inst& inst = ir.insts[id];
      if (inst.dead) continue;
      for (uint32_t s = 0; s < inst.sources; ++s)
        for (uint32_t i = 0; i < inst.src[s].width; ++i) inst.src[s].ref[i] = remap(inst.src[s].ref[i]);
      if (!is_pure(inst) || inst.ordered || inst.width == 0) continue;
      if (shape(inst.op) != Shape::kLanes) {
        const Key key = key_of(inst, inst.src);
        const Ref same = find(key, b);
        if (same.is_value() && ir.insts[same.index].width >= inst.width) {
          for (uint32_t i = 0; i < inst.width; ++i)
            remap.set(id, i, {.kind = RefKind::kValue, .lane = static_cast<uint8_t>(i), .index = same.index});
          ir.insts[same.index].live |= inst.live;
          inst.dead = true;
        } else {
          known[key].push_back({.kind = RefKind::kValue, .index = id});
        }
        continue;
      }
      // Lane by lane; replaced at once if one instruction has all of them.
      std::array<Key, 4> keys;
      std::array<Ref, 4> same;
      bool all = true;
      for (uint32_t i = 0; i < inst.width; ++i) {
        std::array<Operand, 3> lane{};
        for (uint32_t s = 0; s < inst.sources; ++s) {
          lane[s].width = 1;
          lane[s].invert = inst.src[s].invert;
          lane[s].ref[0] = inst.src[s].ref[i];
        }
        keys[i] = key_of(inst, lane);
        same[i] = find(keys[i], b);
        all = all && same[i].is_value() && same[i].index == same[0].index;
      }
      for (uint32_t i = 0; i < inst.width; ++i)
        if (all) remap.set(id, i, same[i]);
        else
          known[keys[i]].push_back({.kind = RefKind::kValue, .lane = static_cast<uint8_t>(i), .index = id});
      inst.dead = all;
    }
  }
  remap.apply(ir);
  for (Block& block : ir.blocks) std::erase_if(block.insts, [&](uint32_t id) { return ir.insts[id].dead; });
}

void remove_instruction(Ir& ir, uint32_t id) {
  ir.insts[id].dead = true;
  std::erase(ir.blocks[ir.insts[id].block].insts, id);
}

void remove_unread(Ir& ir, const std::vector<uint32_t>& ids) {
  for (const uint32_t id : ids)
    if (!ir.insts[id].dead && uses_of(ir)[id].empty()) remove_instruction(ir, id);
}

}  // namespace cutaway::compiler
