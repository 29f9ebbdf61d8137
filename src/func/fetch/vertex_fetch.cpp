#include "func/fetch/vertex_fetch.h"

#include "func/format/texel.h"

namespace cutaway::func {

VertexFetch plan_vertex_fetch(const Assembly& assembly, uint32_t attribute, uint32_t vertex,
                              uint32_t instance, uint32_t first_instance) {
  const arch::VertexAttribute& what = assembly.attribute[attribute];
  const arch::FormatInfo& format = arch::format_info(what.format);
  VertexFetch plan;
  if (!can_vertex(format)) return plan;
  plan.bytes = format.bytes;
  const arch::VertexBinding& binding = assembly.binding[what.binding % arch::kVertexBindings];
  uint64_t element = vertex;
  if (binding.step_mode == static_cast<uint32_t>(arch::StepMode::kInstance))
    element = uint64_t{first_instance} + (binding.divisor ? instance / binding.divisor : 0);
  // offset + element × stride + bytes may exceed 64 bits: compare by division.
  if (uint64_t{what.offset} + format.bytes > binding.bytes) return plan;
  const uint64_t room = binding.bytes - format.bytes - what.offset;
  if (binding.stride && element > room / binding.stride) return plan;
  plan.address = binding.address + element * binding.stride + what.offset;
  plan.in_bounds = true;
  return plan;
}

void finish_vertex_fetch(const Assembly& assembly, uint32_t attribute, const VertexFetch& plan,
                         const std::byte* bytes, uint32_t out[4]) {
  static constexpr std::byte kZeros[kMaxTexelBytes]{};
  const auto& format = plan.bytes ? arch::format_info(assembly.attribute[attribute].format)
                                  : arch::format_info(arch::Format::UNDEFINED);
  decode_texel(format, plan.reads_memory() ? bytes : kZeros, out);
}

}  // namespace cutaway::func
