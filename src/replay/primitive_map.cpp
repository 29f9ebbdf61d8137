#include "replay/primitive_map.h"

#include "base/hash.h"
#include "func/draw/target_view.h"

namespace cutaway::replay {

void PrimitiveMap::note(const emulator::PixelWrite& write) {
  if (write.depth) return;
  const uint64_t who[3] = {write.submission, write.draw, write.primitive};
  const uint32_t color = static_cast<uint32_t>(hash_bytes(who, sizeof who)) | 1;
  color_[write.address] = write.texel_tie ? color & ~1u : color;
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
