#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch/gpu.h"
#include "arch/packet.h"
#include "capture/reader.h"

namespace cutaway::replay {

// A place in memory that a packet may write.
struct Target {
  enum class Kind : uint8_t { kColor, kDepth, kCopySurface, kCopyBuffer, kValue };
  Kind kind{};
  uint32_t index = 0;       // of a color target
  arch::Surface surface{};  // not of buffers and values
  arch::Address address = 0;
  uint64_t bytes = 0;
  bool holds(arch::Address at) const { return at >= address && at - address < bytes; }
};

// One packet that writes memory: a draw, a dispatch, a copy, a value. What programs store to buffers and
// images is not among its targets.
struct Step {
  uint64_t submission = 0;
  uint32_t draw = 0;   // the (last) draw of it, or the last one before it
  uint32_t draws = 0;  // of it: several of an indirect packet
  arch::Opcode opcode{};
  std::vector<Target> targets;
  uint32_t dispatch = 0;     // the dispatch that it is, of the submission
  std::string text() const;  // "submission 7, draw 3 (DRAW_INDEXED)"
};

bool writes_memory(arch::Opcode opcode);

// The steps of a frame in order; start: memory at its start.
std::vector<Step> steps_of_frame(const capture::Reader& reader, uint64_t frame, const arch::Memory& start);

// The element of a surface that lies at an address, of the level in view. False: none does.
struct Element {
  uint32_t x = 0, y = 0, z = 0, layer = 0, sample = 0;
};
bool element_at(const arch::Surface& surface, arch::Address address, Element& element);

// "color target 0, 640x480 R8G8B8A8_UNORM, tiled, at 0x100000"
std::string describe(const Target& target);

}  // namespace cutaway::replay
