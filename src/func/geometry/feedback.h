#pragma once

#include "arch/registers.h"
#include "arch/state.h"

// Transform feedback: which bytes of which buffer a primitive's vertices go to. A primitive is captured whole
// or not at all: docs/hardware.md "Transform feedback".
namespace cutaway::func {

using Feedback = decltype(arch::Registers::feedback);

// Bytes of each buffer that hold vertices.
struct FeedbackCounters {
  uint32_t filled[arch::kFeedbackBuffers] = {};
};

// The buffers, a bit each, that vertices of a stream are captured to.
inline uint32_t feedback_buffers(const Feedback& feedback, uint32_t stream) {
  uint32_t used = 0;
  for (uint32_t i = 0; i < feedback.outputs; i++)
    if (feedback.output[i].stream() == stream) used |= 1u << feedback.output[i].buffer();
  return used;
}

// Whether all buffers that vertices of the stream are captured to have room for so many more.
inline bool feedback_fits(const Feedback& feedback, const FeedbackCounters& counters, uint32_t vertices,
                          uint32_t stream) {
  const uint32_t used = feedback_buffers(feedback, stream);
  for (uint32_t i = 0; i < arch::kFeedbackBuffers; i++) {
    const arch::FeedbackBuffer& buffer = feedback.buffer[i];
    if (used >> i & 1 && uint64_t{counters.filled[i]} + uint64_t{vertices} * buffer.stride > buffer.bytes)
      return false;
  }
  return true;
}

// Which vertex of an assembled primitive is captured as number i. The assembler puts the provoking vertex
// first; by the convention of the last vertex it is captured last.
inline uint32_t feedback_vertex(const decltype(arch::Registers::assembly)& assembly, uint32_t vertices,
                                uint32_t i) {
  const bool last = assembly.provoking_vertex == static_cast<uint32_t>(arch::ProvokingVertex::kLast);
  return last ? (i + 1) % vertices : i;
}

// Where a component of the next vertex goes.
inline arch::Address feedback_address(const Feedback& feedback, const FeedbackCounters& counters,
                                      arch::FeedbackOutput output) {
  return feedback.buffer[output.buffer()].address + counters.filled[output.buffer()] + output.offset();
}

// A vertex of the stream has been captured. A buffer without captured components is one of stream 0.
inline void feedback_advance(const Feedback& feedback, FeedbackCounters& counters, uint32_t stream) {
  uint32_t others = 0;
  for (uint32_t i = 0; i < arch::kStreams; i++)
    if (i != stream) others |= feedback_buffers(feedback, i);
  const uint32_t moved = stream == 0 ? ~others : feedback_buffers(feedback, stream);
  for (uint32_t i = 0; i < arch::kFeedbackBuffers; i++)
    if (moved >> i & 1) counters.filled[i] += feedback.buffer[i].stride;
}

}  // namespace cutaway::func
