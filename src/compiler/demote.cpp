#include <algorithm>
#include <map>

#include "compiler/backend.h"
#include "compiler/refusal.h"

namespace cutaway::compiler {

void demote_uniforms(Ir& ir, uint32_t budget, std::vector<isa::SlotBinding>& resources) {
  // Registers in use: uniforms by how often they are read, and at least this many for literals.
  std::map<uint32_t, uint32_t> reads;
  std::map<uint32_t, bool> literals;
  for (const Block& block : ir.blocks)
    for (uint32_t id : block.insts)
      for (uint32_t s = 0; s < ir.insts[id].sources; ++s)
        for (uint32_t i = 0; i < ir.insts[id].src[s].width; ++i) {
          const Ref& ref = ir.insts[id].src[s].ref[i];
          if (ref.kind == RefKind::kUniform) reads[ref.index] += 1 + 7 * std::min(block.loop_depth, 4u);
          if (ref.is_literal()) literals[ref.index] = true;
        }
  const uint32_t registers = std::min(budget, arch::kConstants);
  const auto count = static_cast<uint32_t>(reads.size());
  if (count + literals.size() <= registers) return;
  // A uniform that goes needs a literal, its address: a quarter of a register.
  const auto left =
      static_cast<uint32_t>(registers - std::min<size_t>(registers, literals.size() / 2 + count / 4));
  std::vector<std::pair<uint32_t, uint32_t>> order;  // (reads, uniform): most first
  for (const auto& [index, times] : reads) order.push_back({times, index});
  std::sort(order.begin(), order.end(),
            [](auto& x, auto& y) { return x.first != y.first ? x.first > y.first : x.second < y.second; });
  std::map<uint32_t, uint8_t> demoted;  // uniform → resource slot
  uint32_t kept = 0;
  for (const auto& [times, index] : order) {
    const UniformSlot& slot = ir.uniforms[index];
    if (slot.kind != isa::ConstantRange::Kind::kUniformBuffer || kept < left) {
      ++kept;
      continue;
    }
    const auto same = std::find_if(resources.begin(), resources.end(), [&](const isa::SlotBinding& r) {
      return r.set == slot.set && r.binding == slot.binding && r.element == slot.element;
    });
    const auto number = static_cast<size_t>(same - resources.begin());
    if (same == resources.end()) {
      if (resources.size() >= arch::kResources)
        unsupported("more than {} textures and buffers", arch::kResources);
      resources.push_back({slot.set, slot.binding, slot.element});
    }
    demoted[index] = static_cast<uint8_t>(number);
  }
  for (uint32_t b = 0; b < ir.blocks.size(); ++b) {
    std::vector<uint32_t> order_of_block;
    for (uint32_t id : std::vector<uint32_t>(ir.blocks[b].insts)) {
      std::map<uint32_t, uint32_t> loads;  // of this instruction: uniform → load
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
            inst.access.resource = demoted[ref.index];
            ir.insts.push_back(inst);
            order_of_block.push_back(load->second);
          }
          Ref& to = ir.insts[id].src[s].ref[i];
          to.kind = RefKind::kValue;
          to.index = load->second;
          ir.insts[load->second].live |= static_cast<uint8_t>(1u << ref.lane);
        }
      order_of_block.push_back(id);
    }
    ir.blocks[b].insts = order_of_block;
  }
}

}  // namespace cutaway::compiler
