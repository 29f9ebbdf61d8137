#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arch/packet.h"
#include "arch/registers.h"
#include "func/rop/depth_stencil.h"
#include "messages/messages.h"

namespace cutaway::boxes {

// The on-chip hierarchical stencil buffer (DX-6): of each 8x8 tile of one surface the stencil value, if all
// of its samples have the same. A tile is rejected if that value fails the stencil test and the failing test
// changes nothing.
//
// A draw that may change stencils forgets the tiles that it touches. As in HzBuffer, a report counts only if
// it was made after a draw that came after the tile was forgotten.
class HsBuffer {
 public:
  explicit HsBuffer(uint32_t size);  // pixels per side

  // Call before the first tile of each draw.
  void begin_draw(const arch::Registers& registers, const func::DepthState& state, uint32_t epoch);
  // True if no fragment of the tile can pass. Forgets the tile if the draw may change its stencils.
  bool rejects(bool front_facing, int32_t x, int32_t y);
  void forget() { surface_ = 0; }  // everything
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
  Tile* tile(int32_t x, int32_t y);
  void take_surface(const arch::Surface& surface, uint32_t samples);

  uint32_t size_;  // tiles per side
  std::vector<Tile> tiles_;
  arch::Address surface_ = 0;
  uint32_t format_ = 0, samples_ = 1, epoch_ = 0;
  bool writes_ = false;          // this draw may change stencils
  std::array<bool, 2> tests_{};  // front, back: a failing test changes nothing
  std::array<arch::StencilFace, 2> face_{};
};

}  // namespace cutaway::boxes
