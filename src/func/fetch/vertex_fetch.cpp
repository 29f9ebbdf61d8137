#include "func/fetch/vertex_fetch.h"

namespace cutaway::func {

AttributeFetch::AttributeFetch(const Assembly& assembly, uint32_t attribute) {
  const arch::VertexAttribute& what = assembly.attribute[attribute];
  const bool readable = can_vertex(arch::format_info(what.format));
  format_ = &(readable ? arch::format_info(what.format) : arch::format_info(arch::Format::UNDEFINED));
  layout_ = texel_layout(*format_);
  if (!readable) return;
  bytes_ = format_->bytes;
  const arch::VertexBinding& binding = assembly.binding[what.binding % arch::kVertexBindings];
  by_instance_ = binding.step_mode == static_cast<uint32_t>(arch::StepMode::kInstance);
  divisor_ = binding.divisor;
  // offset + element × stride + bytes may exceed 64 bits: compare by division.
  if (uint64_t{what.offset} + bytes_ > binding.bytes) return;
  fits_ = true;
  start_ = binding.address + what.offset;
  stride_ = binding.stride;
  if (binding.stride) last_ = (binding.bytes - bytes_ - what.offset) / binding.stride;
}

void AttributeFetch::finish(const VertexFetch& plan, const std::byte* bytes, uint32_t out[4]) const {
  static constexpr std::byte kZeros[kMaxTexelBytes]{};
  decode_texel(*format_, layout_, plan.reads_memory() ? bytes : kZeros, out);
}

VertexFetch plan_vertex_fetch(const Assembly& assembly, uint32_t attribute, uint32_t vertex,
                              uint32_t instance, uint32_t first_instance) {
  return AttributeFetch(assembly, attribute).plan(vertex, instance, first_instance);
}

void finish_vertex_fetch(const Assembly& assembly, uint32_t attribute, const VertexFetch& plan,
                         const std::byte* bytes, uint32_t out[4]) {
  AttributeFetch(assembly, attribute).finish(plan, bytes, out);
}

}  // namespace cutaway::func
