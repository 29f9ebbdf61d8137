// The memory that the next draw of a command processor reads and writes: for the files of that box alone.
#pragma once

#include <algorithm>

#include "boxes/command_processor/command_processor.h"

namespace cutaway::boxes {

// Of color, depth and stencil targets.
template <class Meets>
bool CommandProcessor::any_target(const Meets& meets) const {
  const auto met = [&](const arch::Surface& surface) {
    return arch::format_info(surface.format).bytes && meets(range_of(surface));
  };
  const arch::Registers& registers = current_->registers;
  return met(registers.depth.surface) ||
         std::any_of(std::begin(registers.color.target), std::end(registers.color.target),
                     [&](const arch::ColorTarget& target) { return met(target.surface); });
}

// Of indices, attributes, textures and buffers.
template <class Meets>
bool CommandProcessor::any_source(bool indexed, const Meets& meets) const {
  const auto& assembly = current_->registers.assembly;
  const auto met = [&](arch::Address begin, uint64_t bytes) {
    return meets(MemoryRange{begin, begin + bytes});
  };
  if (indexed && met(assembly.index_address, assembly.index_bytes)) return true;
  for (const arch::VertexAttribute& attribute : assembly.attribute) {
    if (!arch::format_info(attribute.format).bytes) continue;
    const arch::VertexBinding& binding = assembly.binding[attribute.binding];
    if (met(binding.address, binding.bytes)) return true;
  }
  return any_resource(drawing_stages(), meets);
}

// Words of a buffer are read and stored whatever else its descriptor says.
inline bool may_be_accessed(const func::TextureView& view) {
  return view.valid || view.surface.surface_type() == arch::SurfaceType::kRawBuffer;
}

// Of the resources in slots that programs name.
template <class Meets>
bool CommandProcessor::any_slot(EnumSet<arch::Stage> stages, std::vector<uint32_t> draw::Program::*slots,
                                const Meets& meets) const {
  for (uint32_t i = 0; i < arch::kStages; i++) {
    const auto stage = static_cast<arch::Stage>(i);
    const parts::StageState& state = current_->stage[stage];
    if (!stages.has(stage) || !state.program) continue;
    for (const uint32_t slot : (*state.program).*slots) {
      const func::TextureView& view = state.resources[slot];
      if (may_be_accessed(view) && meets(range_of(view.surface))) return true;
    }
  }
  return false;
}

// Of textures and buffers.
template <class Meets>
bool CommandProcessor::any_resource(EnumSet<arch::Stage> stages, const Meets& meets) const {
  return any_slot(stages, &draw::Program::resources, meets);
}

// Of buffers and images that programs store to.
template <class Meets>
bool CommandProcessor::any_stored(EnumSet<arch::Stage> stages, const Meets& meets) const {
  return any_slot(stages, &draw::Program::stored, meets);
}

// Of buffers that transform feedback fills.
template <class Meets>
bool CommandProcessor::any_captured(const Meets& meets) const {
  const auto& feedback = current_->registers.feedback;
  return feedback.on && std::any_of(std::begin(feedback.buffer), std::end(feedback.buffer),
                                    [&](const arch::FeedbackBuffer& buffer) {
                                      const arch::Address begin = buffer.address;
                                      return buffer.bytes && meets(MemoryRange{begin, begin + buffer.bytes});
                                    });
}

// Of all that it writes.
template <class Meets>
bool CommandProcessor::any_written(const Meets& meets) const {
  return any_target(meets) || any_stored(drawing_stages(), meets) || any_captured(meets);
}

}  // namespace cutaway::boxes
