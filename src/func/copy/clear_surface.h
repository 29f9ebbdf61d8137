#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "arch/packet.h"

// CLEAR as a sequence of runs of memory that take one pattern, for all that carry it out.
namespace cutaway::func {

constexpr uint32_t kClearBytes = 64;  // of the pattern: whole elements of every format that is drawn to

// What is written to every 64 bytes of the surface that are cleared.
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

// A clear under way: small, resumable at any run. Runs come in rising order within a layer, and are as long
// as can be: one for a whole layer of a level.
class ClearCursor {
 public:
  ClearCursor() = default;  // at its end
  // The packet must be legal: draw::clear_error.
  explicit ClearCursor(const arch::ClearPacket& packet);

  bool next(ClearRun& run);  // false at the end
  const ClearValue& value() const { return value_; }
  // The layer of the level that the last run lies in.
  const ClearRun& layer() const { return layer_; }

 private:
  void start_layer();

  arch::Surface surface_{};  // base_layer: the one that is being cleared
  ClearValue value_;
  ClearRun layer_;
  uint64_t row_pitch_ = 0, offset_ = 0, row_bytes_ = 0;  // of a row of tiles, and what is cleared of it
  uint32_t first_row_ = 0, rows_ = 0;                    // of tiles
  uint32_t row_ = 0, layers_left_ = 0;
};

// The depth that elements hold after the packet, as a number: of a format with depth.
float stored_clear_depth(const arch::ClearPacket& packet);

}  // namespace cutaway::func
