#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

// What became of the fragments of a frame, quad by quad, in the order in which it happened; and how a run's
// database keeps it (docs/run-database.md has the encoding, with a reader in Python).
namespace cutaway {

struct FragmentEvent {
  // Where fragments ended. Of a target with several samples per pixel kKilledZ to kKilledLateStencil (but for
  // the shader's), kWritten and kUnseen are of one sample; the others are of whole pixels.
  enum class Kind : uint8_t {
    kKilledHz,           // a tile of 8x8 pixels, by hierarchical Z: see coverage()
    kKilledZ,            // by the depth or depth bounds test before shading
    kKilledStencil,      // by the stencil test before shading
    kKilledShader,       // by their program
    kUncovered,          // by their program's sample mask, or by alpha to coverage
    kKilledLateZ,        // by the depth test after shading
    kKilledLateStencil,  // by the stencil test after shading
    kWritten,            // to a color target; `color` is what it holds then
    kUnseen,             // the same, but of a format without a color to show, or of another sample than 0
    kPassed,             // came to the end where no color target is written
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
  // Words that belong to it in a part: colors of its lanes, or the coverage.
  uint32_t words() const;
  uint32_t fragments() const;  // that it tells of
  bool touches(uint32_t px, uint32_t py) const;

  bool operator==(const FragmentEvent&) const = default;
};

const char* fragment_event_name(FragmentEvent::Kind kind);  // "killed by hierarchical Z"

// Events in a row as a database keeps them.
struct FragmentPart {
  uint64_t first_cycle = 0, last_cycle = 0;
  uint32_t events = 0;
  std::string data;  // zlib
};

constexpr uint32_t kFragmentPartEvents = 1 << 16;  // at most

// Events in the order of their cycles.
std::vector<FragmentPart> pack_fragments(std::span<const FragmentEvent> events);

// Appends the events of a part. Parts of a file are untrusted: UserError without a name of the file if one is
// damaged.
void unpack_fragments(const FragmentPart& part, std::vector<FragmentEvent>& events);

}  // namespace cutaway
