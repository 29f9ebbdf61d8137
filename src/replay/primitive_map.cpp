#include "replay/primitive_map.h"

#include "base/hash.h"
#include "func/rop/target_view.h"

namespace cutaway::replay {
namespace {

constexpr uint32_t kTexelTie = 1, kAnisotropic = 1 << 8;  // bits of a color, cleared in these cases
constexpr uint32_t kMarks = kTexelTie | kAnisotropic, kDrawn = 1 << 16;

}  // namespace

void PrimitiveMap::note(const emulator::PixelWrite& write) {
  if (write.depth) return;
  uint32_t& color = color_[write.address];
  const uint32_t below = write.blended ? color : 0;
  const uint64_t who[4] = {write.submission, write.draw, write.primitive, below | kMarks};
  uint32_t marks = (write.texel_tie ? kTexelTie : 0) | (write.anisotropic ? kAnisotropic : 0);
  if (below) marks |= ~below & kMarks;
  color = (static_cast<uint32_t>(hash_bytes(who, sizeof who)) | kMarks | kDrawn) & ~marks;
}

arch::Picture PrimitiveMap::picture(const arch::Surface& surface) const {
  const func::TargetView view = func::make_target_view(surface);
  arch::Picture picture{view.width, view.height, {}};
  picture.rgba.reserve(size_t{view.width} * view.height * 4);
  for (uint32_t y = 0; y < view.height; y++)
    for (uint32_t x = 0; x < view.width; x++) {
      const auto found = color_.find(view.address(x, y));
      const uint32_t color = found == color_.end() ? 0 : found->second;
      for (int byte = 0; byte < 3; byte++) picture.rgba.push_back(static_cast<uint8_t>(color >> 8 * byte));
      picture.rgba.push_back(255);
    }
  return picture;
}

}  // namespace cutaway::replay
