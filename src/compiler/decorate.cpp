#include <spirv/unified1/spirv.hpp>

#include "compiler/module.h"
#include "compiler/refusal.h"

namespace cutaway::compiler {
namespace {

// Decorations with a value, and decorations without. All others are hints: NoContraction, Restrict, Invariant
// ...
struct ValueField {
  spv::Decoration decoration;
  std::optional<uint32_t> Decorations::*member;
};
struct MarkField {
  spv::Decoration decoration;
  bool Decorations::*member;
};
constexpr ValueField kValues[] = {
    {spv::DecorationLocation, &Decorations::location},
    {spv::DecorationComponent, &Decorations::component},
    {spv::DecorationIndex, &Decorations::index},
    {spv::DecorationBuiltIn, &Decorations::builtin},
    {spv::DecorationDescriptorSet, &Decorations::set},
    {spv::DecorationBinding, &Decorations::binding},
    {spv::DecorationOffset, &Decorations::offset},
    {spv::DecorationMatrixStride, &Decorations::matrix_stride},
    {spv::DecorationArrayStride, &Decorations::array_stride},
    {spv::DecorationInputAttachmentIndex, &Decorations::input_attachment},
    {spv::DecorationXfbBuffer, &Decorations::xfb_buffer},
    {spv::DecorationXfbStride, &Decorations::xfb_stride},
    {spv::DecorationSpecId, &Decorations::spec_id},
    {spv::DecorationStream, &Decorations::stream},
    {spv::DecorationFPRoundingMode, &Decorations::rounding},
};
constexpr MarkField kMarks[] = {
    {spv::DecorationFlat, &Decorations::flat},
    {spv::DecorationNoPerspective, &Decorations::linear},
    {spv::DecorationCentroid, &Decorations::centroid},
    {spv::DecorationSample, &Decorations::sample},
    {spv::DecorationRowMajor, &Decorations::row_major},
    {spv::DecorationBlock, &Decorations::block},
    {spv::DecorationPatch, &Decorations::patch},
    {spv::DecorationBufferBlock, &Decorations::buffer_block},
    {spv::DecorationCoherent, &Decorations::coherent},
    {spv::DecorationVolatile, &Decorations::coherent},
    {spv::DecorationRelaxedPrecision, &Decorations::relaxed},
};

}  // namespace

void decorate(Decorations& d, uint32_t what, std::span<const uint32_t> words) {
  for (const ValueField& value : kValues)
    if (value.decoration == what) d.*value.member = words.empty() ? 0 : words[0];
  for (const MarkField& mark : kMarks)
    if (mark.decoration == what) d.*mark.member = true;
}

void decorate(Decorations& d, const Decorations& group) {
  for (const ValueField& value : kValues)
    if (group.*value.member) d.*value.member = group.*value.member;
  for (const MarkField& mark : kMarks) d.*mark.member = d.*mark.member || group.*mark.member;
}

}  // namespace cutaway::compiler
