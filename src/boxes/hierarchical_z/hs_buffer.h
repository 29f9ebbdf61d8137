#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arch/packet.h"
#include "arch/registers.h"
#include "boxes/hierarchical_z/hz_memory.h"
#include "func/rop/depth_stencil.h"
#include "messages/messages.h"

namespace cutaway::boxes {

// The on-chip hierarchical stencil buffer (DX-6): of each 8x8 tile of the surfaces that have a region of
// HzMemory the stencil value, if all of its samples have the same. A tile is rejected if that value fails the
// stencil test and the failing test changes nothing.
//
// A draw that may change stencils forgets the tiles that it touches. As in HzBuffer, a report counts only if
// it was made after a draw that came after the tile was forgotten.
class HsBuffer {
 public:
  explicit HsBuffer(HzMemory& memory);  // must outlive it

  // Call before the first tile of each draw.
  void begin_draw(const arch::Registers& registers, const func::DepthState& state, uint32_t epoch);
  // True if no fragment of the tile can pass. Forgets the tile if the draw may change its stencils.
  bool rejects(bool front_facing, int32_t x, int32_t y);
  // Call before memory is cleared.
  void clear(const arch::ClearPacket& packet, uint32_t epoch);
  void update(const messages::HzUpdate& update);

 private:
  struct Tile {
    uint32_t forgotten = 0;  // epoch
    uint32_t described = 0;  // samples reported since, one bit each
    uint8_t value = 0;       // of those samples
    bool known = false;      // of all
  };
  struct Stencils {                // of a surface
    uint64_t life = 0;             // of the region that this describes
    std::vector<Tile> tiles = {};  // by entry
  };
  void take_surface(const arch::Surface& surface, uint32_t samples);

  HzMemory& memory_;
  std::vector<Stencils> stencils_;  // by region
  HzMemory::Region region_;         // of the surface of this draw or clear
  Stencils* now_ = nullptr;         // its stencils; null: it has no region
  uint32_t epoch_ = 0;
  bool writes_ = false;          // this draw may change stencils
  std::array<bool, 2> tests_{};  // front, back: a failing test changes nothing
  std::array<arch::StencilFace, 2> face_{};
};

}  // namespace cutaway::boxes
