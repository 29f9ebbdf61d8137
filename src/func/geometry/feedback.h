#pragma once

#include "arch/registers.h"
#include "arch/state.h"

// Transform feedback: the buffer addresses at which a primitive's vertices are captured. A primitive is
// captured completely or not at all: docs/hardware.md "Transform feedback".
namespace cutaway::func {

using Feedback = decltype(arch::Registers::feedback);

// Number of bytes of captured vertices in each buffer.
struct FeedbackCounters {
  uint32_t filled[arch::kFeedbackBuffers] = {};
};

// The set of buffers, one bit each, that capture vertices of a stream.
inline uint32_t feedback_buffers(const Feedback& feedback, uint32_t stream) {
  uint32_t used = 0;
  for (uint32_t i = 0; i < feedback.outputs; i++)
    if (feedback.output[i].stream() == stream) used |= 1u << feedback.output[i].buffer();
  return used;
}

// True if all buffers that capture the stream have room for `vertices` more.
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

// The vertex of an assembled primitive that is captured as number i. The assembler puts the provoking vertex
// first; by the last-vertex convention it is captured last.
inline uint32_t feedback_vertex(const decltype(arch::Registers::assembly)& assembly, uint32_t vertices,
                                uint32_t i) {
  const bool last = assembly.provoking_vertex == static_cast<uint32_t>(arch::ProvokingVertex::kLast);
  return last ? (i + 1) % vertices : i;
}

// Address of a component of the next vertex.
inline arch::Address feedback_address(const Feedback& feedback, const FeedbackCounters& counters,
                                      arch::FeedbackOutput output) {
  return feedback.buffer[output.buffer()].address + counters.filled[output.buffer()] + output.offset();
}

// Advances the buffers of a stream by one captured vertex. A buffer without captured components belongs to
// stream 0.
inline void feedback_advance(const Feedback& feedback, FeedbackCounters& counters, uint32_t stream) {
  uint32_t others = 0;
  for (uint32_t i = 0; i < arch::kStreams; i++)
    if (i != stream) others |= feedback_buffers(feedback, i);
  const uint32_t moved = stream == 0 ? ~others : feedback_buffers(feedback, stream);
  for (uint32_t i = 0; i < arch::kFeedbackBuffers; i++)
    if (moved >> i & 1) counters.filled[i] += feedback.buffer[i].stride;
}

}  // namespace cutaway::func
