#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

// The fate of a frame's fragments, quad by quad, in order of time, and its encoding in a run's database
// (docs/run-database.md describes the encoding, with a reader in Python).
namespace cutaway::run_record {

struct FragmentEvent {
  // The fate of fragments. If the target has several samples per pixel, kKilledZ to kKilledLateStencil
  // (except the shader's), kWritten and kUnseen concern one sample; the others concern whole pixels.
  enum class Kind : uint8_t {
    kKilledHz,           // a tile of 8x8 pixels killed by hierarchical Z: see coverage()
    kKilledZ,            // by the depth or depth bounds test before shading
    kKilledStencil,      // by the stencil test before shading
    kKilledShader,       // by their program
    kUncovered,          // by their program's sample mask, or by alpha to coverage
    kKilledLateZ,        // by the depth test after shading
    kKilledLateStencil,  // by the stencil test after shading
    kWritten,            // written to a color target; `color` is the stored value
    kUnseen,             // written, but with a format without a displayable color, or to a sample other than
                         // 0
    kPassed,             // reached the end, where no color target is written
  };
  static constexpr uint32_t kKinds = 10;

  uint64_t cycle = 0;
  uint32_t work = 0;
  uint16_t x = 0,
           y = 0;  // of lane 0: lanes are (x, y), (x+1, y), (x, y+1), (x+1, y+1); of a tile: upper left
  Kind kind{};
  uint8_t lanes = 0;   // bit each; 0 of a tile
  uint8_t target = 0;  // kWritten, kUnseen: the color target
  uint8_t sample = 0;
  uint32_t color[4] = {};  // kWritten: by lane, R in the lowest 8 bits, then G, B, A; others 0

  // kKilledHz: bit row * 8 + column of each fragment.
  uint64_t coverage() const { return uint64_t{color[1]} << 32 | color[0]; }
  void set_coverage(uint64_t bits) {
    color[0] = static_cast<uint32_t>(bits), color[1] = static_cast<uint32_t>(bits >> 32);
  }
  // Words that this event adds to a part: colors of its lanes, or the coverage.
  uint32_t words() const;
  uint32_t fragments() const;  // number of fragments that it covers
  bool touches(uint32_t px, uint32_t py) const;

  bool operator==(const FragmentEvent&) const = default;
};

const char* fragment_event_name(FragmentEvent::Kind kind);  // "killed by hierarchical Z"

// Consecutive events in the database's encoding.
struct FragmentPart {
  uint64_t first_cycle = 0, last_cycle = 0;
  uint32_t events = 0;
  std::string data;  // zlib
};

constexpr uint32_t kFragmentPartEvents = 1 << 16;  // at most

// `events` must be in the order of their cycles.
std::vector<FragmentPart> pack_fragments(std::span<const FragmentEvent> events);

// Appends the events of a part. Parts of a file are untrusted: UserError, without the name of the file, if
// one is damaged.
void unpack_fragments(const FragmentPart& part, std::vector<FragmentEvent>& events);

}  // namespace cutaway::run_record
