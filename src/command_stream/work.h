#pragma once

#include <cstdint>

#include "arch/memory.h"
#include "arch/packet.h"
#include "func/raster/primitive.h"

namespace cutaway::command_stream {

// Limits of a submission's work, beyond which a GPU considers it endless (docs/hardware.md "Faults"). They
// are above what programs of real-time graphics ask for in a frame, so that one altered word of a packet does
// not keep the emulator busy for minutes, and counted before the work is done, so that every GPU of this
// contract counts alike.
struct WorkLimits {
  uint64_t words = uint64_t{1} << 28;         // of commands, including headers and repeated calls
  uint64_t loaded_words = uint64_t{1} << 32;  // by LOAD packets
  uint64_t draws = uint64_t{1} << 24;
  uint64_t vertices = uint64_t{1} << 27;  // or indices, times instances; each instance counts as one more
  uint64_t workgroups = uint64_t{1} << 26;
  uint64_t invocations = uint64_t{1} << 31;
  uint64_t copied_bytes = uint64_t{1} << 37;  // a texel, block or query result counts as 16; includes clears
  uint64_t pixels = uint64_t{1} << 33;  // within the bounds of all primitives; each primitive counts as 64
                                        // more
};

// Limit of a context's mapped memory.
constexpr uint64_t kMostMappedBytes = uint64_t{16} << 30;
constexpr const char* kTooMuchMapped = "more than 16 GB of memory are mapped";
// True if this much more may be mapped; otherwise it is a fault.
inline bool may_map(const arch::Memory& memory, uint64_t bytes) {
  return memory.pages() + bytes / arch::kPageBytes <= kMostMappedBytes / arch::kPageBytes;
}
// Says why a range cannot be bound (arch::Memory::bind), or nullptr.
inline const char* bind_error(const arch::Memory& memory, arch::Address address, uint64_t bytes,
                              std::optional<arch::Address> target) {
  if (target && !may_map(memory, bytes)) return kTooMuchMapped;
  return memory.bind_error(address, bytes, target);
}

// Counts work. Each call adds some, and returns the text of the exceeded limit, or nullptr.
class Work {
 public:
  explicit Work(const WorkLimits& limits = {}) : limits_(limits) {}

  const char* words(uint64_t words) { return add(done_.words, words, limits_.words, kWords); }
  const char* load(uint64_t words) { return add(done_.loaded_words, words, limits_.loaded_words, kLoads); }
  const char* draw(uint32_t count, uint32_t instances);
  const char* dispatch(const uint32_t groups[3], uint32_t invocations);  // per workgroup
  // Also accepts packets that copy_error() has not checked yet.
  const char* copy(const arch::CopyBufferPacket& packet) { return copied(packet.bytes); }
  const char* copy(const arch::FillBufferPacket& packet) { return copied(packet.bytes); }
  const char* copy(const arch::CopySurfacePacket& packet);
  const char* copy(const arch::CopyQueriesPacket& packet);
  const char* clear(const arch::ClearPacket& packet);  // counts as a copy
  // For parallel counters of primitives: checks their total.
  static const char* too_many_pixels(uint64_t pixels, const WorkLimits& limits) {
    return pixels > limits.pixels ? kPixels : nullptr;
  }
  uint64_t pixels() const { return done_.pixels; }
  // Adds a primitive that setup has accepted.
  const char* primitive(const func::Primitive& primitive) {
    const auto width = static_cast<uint64_t>(primitive.x1 - primitive.x0),
               height = static_cast<uint64_t>(primitive.y1 - primitive.y0);
    return add(done_.pixels, 64 + width * height, limits_.pixels, kPixels);
  }

 private:
  static constexpr const char* kWords = "more than 2^28 words of commands in a submission: it does not end";
  static constexpr const char* kLoads = "more than 2^32 words are loaded in a submission: it does not end";
  static constexpr const char* kPixels =
      "more than 2^33 pixels in the bounds of a submission's primitives: it does not end";

  static const char* add(uint64_t& done, uint64_t more, uint64_t limit, const char* text) {
    if (more > limit - done) [[unlikely]]
      return text;
    done += more;
    return nullptr;
  }
  const char* copied(uint64_t bytes);

  WorkLimits limits_, done_{0, 0, 0, 0, 0, 0, 0, 0};
};

}  // namespace cutaway::command_stream
