#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch/gpu.h"
#include "arch/packet.h"
#include "capture/reader.h"

namespace cutaway::replay {

// A memory range that a packet may write.
struct Target {
  enum class Kind : uint8_t { kColor, kDepth, kCopySurface, kCopyBuffer, kValue };
  Kind kind{};
  uint32_t index = 0;       // of a color target
  arch::Surface surface{};  // unset for buffers and values
  arch::Address address = 0;
  uint64_t bytes = 0;
  bool holds(arch::Address at) const { return at >= address && at - address < bytes; }
};

// One packet that writes memory: a draw, a dispatch, a copy, a value. Stores of programs to buffers and
// images are not among its targets.
struct Step {
  uint64_t submission = 0;
  uint32_t draw = 0;   // its (last) draw, or the last draw before it
  uint32_t draws = 0;  // number of its draws: an indirect packet may have several
  arch::Opcode opcode{};
  std::vector<Target> targets;
  uint32_t dispatch = 0;     // its number in the submission, if it is a dispatch
  std::string text() const;  // "submission 7, draw 3 (DRAW_INDEXED)"
};

bool writes_memory(arch::Opcode opcode);

// Lists the steps of a frame in order; start: memory at its start.
std::vector<Step> steps_of_frame(const capture::Reader& reader, uint64_t frame, const arch::Memory& start);

// Finds the element of a surface at an address, in the level in view. Returns false if there is none.
struct Element {
  uint32_t x = 0, y = 0, z = 0, layer = 0, sample = 0;
};
bool element_at(const arch::Surface& surface, arch::Address address, Element& element);

// "color target 0, 640x480 R8G8B8A8_UNORM, tiled, at 0x100000"
std::string describe(const Target& target);

}  // namespace cutaway::replay
