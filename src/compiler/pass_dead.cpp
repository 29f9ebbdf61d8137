#include <algorithm>
#include <bit>

#include "base/error.h"
#include "compiler/passes.h"

namespace cutaway::compiler {
namespace {

void compress(Operand& operand, uint8_t lanes) {
  Operand kept{.invert = operand.invert};
  for (uint32_t i = 0; i < operand.width; ++i)
    if (lanes >> i & 1) kept.ref[kept.width++] = operand.ref[i];
  operand = kept;
}

}  // namespace

void eliminate_dead(Ir& ir) {
  std::vector<uint8_t> live(ir.insts.size());
  std::vector<uint32_t> work;
  auto need = [&](const Ref& ref) {
    if (!ref.is_value() || (live[ref.index] >> ref.lane & 1)) return;
    live[ref.index] |= static_cast<uint8_t>(1u << ref.lane);
    work.push_back(ref.index);
  };
  for (const Inst& inst : ir.insts) {
    if (!inst.dead && !is_pure(inst)) each_ref(inst, need);
  }
  while (!work.empty()) {
    const uint32_t id = work.back();
    work.pop_back();
    const Inst& inst = ir.insts[id];
    const bool by_lane = inst.phi || shape(inst.op) == Shape::kLanes;
    each_operand(inst, [&](const Operand& o) {
      for (uint32_t i = 0; i < o.width; ++i)
        if (!by_lane || (live[id] >> i & 1)) need(o.ref[i]);
    });
  }
  for (uint32_t id = 0; id < ir.insts.size(); ++id) {
    Inst& inst = ir.insts[id];
    if (inst.dead) continue;
    if (!is_pure(inst)) {
      if (shape(inst.op) == Shape::kFixed) inst.live = live[id];  // the old value returned by an atomic
      continue;
    }
    if (live[id] == 0) {
      inst.dead = true;
      continue;
    }
    if (!inst.phi && shape(inst.op) != Shape::kLanes) {
      inst.live = live[id];
      continue;
    }
    inst.width = static_cast<uint8_t>(std::popcount(live[id]));
    each_operand(inst, [&](Operand& o) { compress(o, live[id]); });
  }
  // Moves the remaining lanes down.
  for (Inst& inst : ir.insts) {
    if (inst.dead) continue;
    each_ref(inst, [&](Ref& ref) {
      if (!ref.is_value()) return;
      const Inst& from = ir.insts[ref.index];
      if (!from.phi && shape(from.op) != Shape::kLanes) return;
      ref.lane = static_cast<uint8_t>(std::popcount(live[ref.index] & ((1u << ref.lane) - 1)));
    });
  }
  for (Block& block : ir.blocks) {
    auto dead = [&](uint32_t id) { return ir.insts[id].dead; };
    std::erase_if(block.insts, dead);
    std::erase_if(block.phis, dead);
  }
}

void compact(Ir& ir) {
  std::vector<uint32_t> number(ir.insts.size(), kNone);
  for (const Block& block : ir.blocks)
    for (const auto* list : {&block.phis, &block.insts})
      for (const uint32_t id : *list) number[id] = 0;
  uint32_t next = 0;
  for (uint32_t id = 0; id < number.size(); ++id) {
    if (number[id] == kNone) continue;
    number[id] = next;
    if (next != id) ir.insts[next] = std::move(ir.insts[id]);
    ++next;
  }
  ir.insts.resize(next);
  for (Block& block : ir.blocks)
    for (auto* list : {&block.phis, &block.insts})
      for (uint32_t& id : *list) id = number[id];
  for (Inst& inst : ir.insts)
    each_ref(inst, [&](Ref& ref) {
      if (!ref.is_value()) return;
      CUTAWAY_CHECK(number[ref.index] != kNone, "an instruction reads one that is gone");
      ref.index = number[ref.index];
    });
}

}  // namespace cutaway::compiler
