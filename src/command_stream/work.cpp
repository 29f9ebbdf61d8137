#include "command_stream/work.h"

#include <bit>

namespace cutaway::command_stream {
namespace {

// Multiplies with saturation.
uint64_t times(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? ~uint64_t{0} : product;
}

}  // namespace

const char* Work::draw(uint32_t count, uint32_t instances) {
  if (const char* error =
          add(done_.draws, 1, limits_.draws, "more than 2^24 draws in a submission: it does not end"))
    return error;
  return add(done_.vertices, (uint64_t{count} + 1) * instances, limits_.vertices,
             "more than 2^27 vertices and instances in a submission: it does not end");
}

const char* Work::dispatch(const uint32_t groups[3], uint32_t invocations) {
  const uint64_t workgroups = times(times(groups[0], groups[1]), groups[2]);
  if (const char* error = add(done_.workgroups, workgroups, limits_.workgroups,
                              "more than 2^26 workgroups in a submission: it does not end"))
    return error;
  return add(done_.invocations, times(workgroups, invocations), limits_.invocations,
             "more than 2^31 invocations in a submission: it does not end");
}

const char* Work::copy(const arch::CopySurfacePacket& packet) {
  return copied(times(times(times(packet.width, packet.height), packet.depth), 16));
}

const char* Work::copy(const arch::CopyQueriesPacket& packet) {
  const uint64_t results = static_cast<uint64_t>(std::popcount(packet.values)) + 1;
  return copied(times(times(packet.queries, results), 16));
}

const char* Work::clear(const arch::ClearPacket& packet) {
  return copied(times(times(times(packet.width, packet.height), packet.surface.layer_count), 16));
}

const char* Work::copied(uint64_t bytes) {
  return add(done_.copied_bytes, bytes, limits_.copied_bytes,
             "more than 2^37 bytes are copied in a submission: it does not end");
}

}  // namespace cutaway::command_stream
