#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "arch/packet.h"

// Divides a CLEAR into runs of memory that take one pattern, for both the emulator and the clocked machine.
namespace cutaway::func {

constexpr uint32_t kClearBytes = 64;  // size of the pattern: whole elements of every renderable format

// The pattern written to every 64 cleared bytes of the surface.
struct ClearValue {
  std::array<std::byte, kClearBytes> bytes{};
  uint64_t mask = 0;  // bit i: byte i is written

  bool whole() const { return mask == ~0ull; }
  void apply(std::byte* to) const;
  bool operator==(const ClearValue&) const = default;
};

// Contiguous memory, both multiples of kClearBytes.
struct ClearRun {
  arch::Address address = 0;
  uint64_t bytes = 0;
};

// A clear in progress: small, resumable at any run. Runs come in rising order within a layer and are as long
// as possible: one run for a whole layer of a level.
class ClearCursor {
 public:
  ClearCursor() = default;  // at its end
  // The packet must be legal: command_stream::clear_error.
  explicit ClearCursor(const arch::ClearPacket& packet);

  bool next(ClearRun& run);  // false at the end
  const ClearValue& value() const { return value_; }
  // The layer of the level that the last run lies in.
  const ClearRun& layer() const { return layer_; }

 private:
  void start_layer();

  arch::Surface surface_{};  // base_layer: the layer being cleared
  ClearValue value_;
  ClearRun layer_;
  uint64_t row_pitch_ = 0, offset_ = 0, row_bytes_ = 0;  // of a row of tiles, and of the part of it that is
                                                         // cleared
  uint32_t first_row_ = 0, rows_ = 0;                    // in tiles
  uint32_t row_ = 0, layers_left_ = 0;
};

// The depth that elements hold after the packet, as a number. The format must have depth.
float stored_clear_depth(const arch::ClearPacket& packet);

}  // namespace cutaway::func
