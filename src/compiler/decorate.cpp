#include <spirv/unified1/spirv.hpp>

#include "base/error.h"
#include "compiler/module.h"
#include "compiler/tools.h"

namespace cutaway::compiler {

void decorate(Decorations& d, uint32_t what, std::span<const uint32_t> words) {
  const uint32_t value = words.empty() ? 0 : words[0];
  switch (what) {
    case spv::DecorationLocation:
      d.location = value;
      break;
    case spv::DecorationComponent:
      d.component = value;
      break;
    case spv::DecorationIndex:
      d.index = value;
      break;
    case spv::DecorationBuiltIn:
      d.builtin = value;
      break;
    case spv::DecorationDescriptorSet:
      d.set = value;
      break;
    case spv::DecorationBinding:
      d.binding = value;
      break;
    case spv::DecorationOffset:
      d.offset = value;
      break;
    case spv::DecorationMatrixStride:
      d.matrix_stride = value;
      break;
    case spv::DecorationArrayStride:
      d.array_stride = value;
      break;
    case spv::DecorationInputAttachmentIndex:
      d.input_attachment = value;
      break;
    case spv::DecorationFlat:
      d.flat = true;
      break;
    case spv::DecorationNoPerspective:
      d.linear = true;
      break;
    case spv::DecorationCentroid:
      d.centroid = true;
      break;
    case spv::DecorationSample:
      d.sample = true;
      break;
    case spv::DecorationRowMajor:
      d.row_major = true;
      break;
    case spv::DecorationBlock:
      d.block = true;
      break;
    case spv::DecorationBufferBlock:
      d.buffer_block = true;
      break;
    case spv::DecorationXfbBuffer:
      d.xfb_buffer = value;
      break;
    case spv::DecorationXfbStride:
      d.xfb_stride = value;
      break;
    case spv::DecorationPatch:
      user_error("shader: decoration {} is not supported", decoration_name(what));
    default:
      break;  // hints: RelaxedPrecision, NoContraction, Restrict, Invariant …
  }
}

}  // namespace cutaway::compiler
