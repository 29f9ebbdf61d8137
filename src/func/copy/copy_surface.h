#pragma once

#include <cstddef>
#include <cstdint>

#include "arch/packet.h"

// Divides the copy packets into a sequence of chunks, for both the copy engine and the emulator. A chunk is a
// run of contiguous bytes at both ends; neither crosses a multiple of `line_bytes`. The packet and line_bytes
// determine the order: slices in rising order; within a slice, blocks of 4×4 elements by rows (the sectors of
// the destination if it is tiled, otherwise of the source; rows of elements if neither is tiled); within a
// block, rows of elements.
namespace cutaway::func {

struct CopyChunk {
  arch::Address source = 0, destination = 0;
  uint32_t source_bytes = 0;       // 0: a fill
  uint32_t destination_bytes = 0;  // differs from source_bytes when one aspect is copied
  bool reads_destination = false;  // finish_copy merges into the existing bytes
};

// A copy in progress: small, resumable at any chunk.
class CopyCursor {
 public:
  static constexpr uint32_t kMaxLineBytes = 4096;

  CopyCursor() = default;  // at its end
  // line_bytes: a power of two, 16 to kMaxLineBytes. The packet must be valid: see copy_error.
  CopyCursor(const arch::CopySurfacePacket& packet, uint32_t line_bytes);
  CopyCursor(const arch::CopyBufferPacket& packet, uint32_t line_bytes);
  CopyCursor(const arch::FillBufferPacket& packet, uint32_t line_bytes);
  CopyCursor(const arch::CopyQueriesPacket& packet, uint32_t line_bytes);  // one chunk per result

  // Returns the next chunk, or false at the end.
  bool next(CopyChunk& chunk);

  // Computes the bytes to write from the bytes read. source: chunk.source_bytes. destination: in, the
  // existing bytes if chunk.reads_destination; out, chunk.destination_bytes.
  void finish(const CopyChunk& chunk, const std::byte* source, std::byte* destination) const;

 private:
  enum class Kind : uint8_t { kEnd, kBytes, kFill, kSurface, kQueries };
  struct Side {
    arch::Surface surface{};
    arch::LevelLayout level;
    uint64_t layer_pitch = 0;
    uint32_t x = 0, y = 0, z = 0;
    uint8_t bytes = 0;         // of an element
    uint8_t field_offset = 0;  // of the aspect, bits
    bool tiled = false, volume = false;

    Side() = default;
    Side(const arch::Surface& from, uint32_t first_x, uint32_t first_y, uint32_t first_z, uint32_t aspect);
    arch::Address address(uint32_t dx, uint32_t dy, uint32_t dz, uint32_t sample) const;
  };

  bool next_surface(CopyChunk& chunk);
  bool next_query(CopyChunk& chunk);
  void finish_query(const CopyChunk& chunk, const std::byte* source, std::byte* destination) const;
  uint32_t contiguous(const Side& side, arch::Address address, uint32_t x, uint32_t part) const;
  bool whole_sector(arch::Address source, arch::Address destination) const;
  void start_block();
  void next_block();

  Kind kind_ = Kind::kEnd;
  bool one_aspect_ = false;            // elements are converted; otherwise bytes are moved
  bool sectors_ = false;               // blocks of 4×4 elements; otherwise of one row
  bool same_sectors_ = false;          // both tiled, and their sectors coincide
  uint8_t field_bits_ = 0;             // of the aspect
  uint8_t phase_x_ = 0, phase_y_ = 0;  // position of the copy's first element in its sector
  uint32_t line_bytes_ = 64, value_ = 0, samples_ = 1;
  uint64_t source_ = 0, destination_ = 0, left_ = 0;  // kBytes, kFill
  Side from_, to_;
  uint32_t width_ = 0, height_ = 0, depth_ = 0;
  // Position in the copy, in elements from its first. position_ counts units along x: bytes, or elements if
  // they are converted.
  uint32_t block_x_ = 0, block_y_ = 0, block_right_ = 0, block_low_ = 0;
  uint32_t unit_ = 1;  // units in an element
  uint32_t position_ = 0, y_ = 0, z_ = 0, sample_ = 0;
  // kQueries: the remaining counters of the query at source_, then its availability.
  arch::CopyQueriesPacket queries_{};
  uint32_t values_left_ = 0;
};

// Returns the error of a packet, or nullptr. Packets are untrusted: extents, levels, layers, formats and
// aspects are checked with 64-bit arithmetic.
const char* copy_error(const arch::CopySurfacePacket& packet);
const char* copy_error(const arch::CopyBufferPacket& packet);
const char* copy_error(const arch::FillBufferPacket& packet);
const char* copy_error(const arch::CopyQueriesPacket& packet);

}  // namespace cutaway::func
