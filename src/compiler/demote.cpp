#include <algorithm>
#include <map>

#include "compiler/backend.h"
#include "compiler/refusal.h"

namespace cutaway::compiler {
namespace {

using Demoted = std::map<uint32_t, uint8_t>;  // uniform → resource slot

// The slot of a uniform's buffer, which becomes a resource.
uint8_t resource_of(const UniformSlot& slot, std::vector<isa::SlotBinding>& resources) {
  const auto same = std::find_if(resources.begin(), resources.end(), [&](const isa::SlotBinding& r) {
    return r.set == slot.set && r.binding == slot.binding && r.element == slot.element;
  });
  const auto number = static_cast<size_t>(same - resources.begin());
  if (same == resources.end()) {
    if (resources.size() >= arch::kResources)
      unsupported("more than {} textures and buffers", arch::kResources);
    resources.push_back({slot.set, slot.binding, slot.element});
  }
  return static_cast<uint8_t>(number);
}

// All uniforms of buffers but the `left` that are read most often.
Demoted choose(const Ir& ir, const ConstantReads& reads, uint32_t left,
               std::vector<isa::SlotBinding>& resources) {
  std::vector<std::pair<uint32_t, uint32_t>> order;  // (reads, uniform): most first
  for (const auto& [index, times] : reads.uniforms) order.push_back({times, index});
  std::sort(order.begin(), order.end(),
            [](auto& x, auto& y) { return x.first != y.first ? x.first > y.first : x.second < y.second; });
  Demoted demoted;
  uint32_t kept = 0;
  for (const auto& [times, index] : order) {
    const UniformSlot& slot = ir.uniforms[index];
    if (slot.kind != isa::ConstantRange::Kind::kUniformBuffer || kept < left) ++kept;
    else demoted[index] = resource_of(slot, resources);
  }
  return demoted;
}

// Loads the demoted uniforms that an instruction of block `b` reads right before it, each once.
void load_before(Ir& ir, uint32_t b, uint32_t id, const Demoted& demoted, std::vector<uint32_t>& order) {
  std::map<uint32_t, uint32_t> loads;  // uniform → load
  for (uint32_t s = 0; s < ir.insts[id].sources; ++s)
    for (uint32_t i = 0; i < ir.insts[id].src[s].width; ++i) {
      const Ref ref = ir.insts[id].src[s].ref[i];
      if (ref.kind != RefKind::kUniform || !demoted.contains(ref.index)) continue;
      const auto [load, added] = loads.try_emplace(ref.index, static_cast<uint32_t>(ir.insts.size()));
      if (added) {
        Inst inst{.op = Opcode::kLdb, .width = 4, .live = 0, .sources = 1};
        inst.block = b;
        inst.line = ir.insts[id].line;
        inst.src[0] = {.ref = {literal(ir.uniforms[ref.index].slot * 16)}, .width = 1};
        inst.access.resource = demoted.at(ref.index);
        ir.insts.push_back(inst);
        order.push_back(load->second);
      }
      Ref& to = ir.insts[id].src[s].ref[i];
      to.kind = RefKind::kValue;
      to.index = load->second;
      ir.insts[load->second].live |= static_cast<uint8_t>(1u << ref.lane);
    }
}

}  // namespace

ConstantReads constant_reads(const Ir& ir) {
  constexpr uint32_t kIndexed = 1u << 31;  // these stay in registers
  ConstantReads reads;
  for (const Block& block : ir.blocks)
    for (const auto* list : {&block.phis, &block.insts})
      for (uint32_t id : *list) {
        const Inst& inst = ir.insts[id];
        each_ref(inst, [&](const Ref& ref) {
          if (ref.kind == RefKind::kUniform)
            reads.uniforms[ref.index] += 1 + 7 * std::min(block.loop_depth, 4u);
          if (ref.is_literal()) reads.literals.insert(ref.index);
        });
        if (inst.op == Opcode::kLdc)
          each_indexed_uniform(ir, inst, [&](uint32_t uniform) { reads.uniforms[uniform] = kIndexed; });
      }
  return reads;
}

void demote_uniforms(Ir& ir, uint32_t budget, std::vector<isa::SlotBinding>& resources) {
  const ConstantReads reads = constant_reads(ir);
  const uint32_t registers = std::min(budget, arch::kConstants);
  const auto count = static_cast<uint32_t>(reads.uniforms.size());
  const size_t literals = reads.literals.size();
  if (count + literals <= registers) return;
  // A uniform that goes needs a literal, its address: a quarter of a register. Literals need a half each.
  const auto left = static_cast<uint32_t>(registers - std::min<size_t>(registers, literals / 2 + count / 4));
  const Demoted demoted = choose(ir, reads, left, resources);
  for (uint32_t b = 0; b < ir.blocks.size(); ++b) {
    std::vector<uint32_t> order;
    for (uint32_t id : std::vector<uint32_t>(ir.blocks[b].insts)) {
      load_before(ir, b, id, demoted, order);
      order.push_back(id);
    }
    ir.blocks[b].insts = order;
  }
}

}  // namespace cutaway::compiler
