#include "boxes/hierarchical_z/hz_memory.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace cutaway::boxes {

DepthImage depth_image(const arch::Surface& surface, uint32_t samples) {
  const arch::LevelLayout level = arch::level_layout(surface, surface.base_level);
  const arch::Address begin = arch::element_address(surface, level, 0, 0, 0, surface.base_layer);
  return {.begin = begin,
          .end = begin + level.slice_pitch,
          .format = surface.format,
          .samples = samples,
          .width = level.width,
          .height = level.height,
          .row_pitch = level.row_pitch};
}

HzMemory::HzMemory(uint32_t entries, uint32_t surfaces, structures::OwnedTiles tiles)
    : share_(entries / tiles.units()), tiles_(std::move(tiles)), regions_(surfaces) {
  CUTAWAY_CHECK(surfaces);
  for (uint32_t i = 0; i < surfaces; i++) regions_[i].index = i;
}

HzMemory::Region HzMemory::take(const DepthImage& image) {
  written_as(image);
  const auto own = std::find_if(regions_.begin(), regions_.end(),
                                [&](const Region& region) { return region.life && region.image == image; });
  if (own != regions_.end()) {
    own->used = ++uses_;
    return *own;
  }
  const auto entries =
      static_cast<uint32_t>(std::min<uint64_t>(share_, tiles_.count(image.width, image.height)));
  Region& region = make_room(entries);
  region.life = ++lives_;
  region.used = ++uses_;
  region.entries = entries;
  region.image = image;
  return region;
}

// Returns a region without a surface, when there is one and so many entries are free.
HzMemory::Region& HzMemory::make_room(uint32_t entries) {
  for (;;) {
    uint64_t held = 0;
    Region *free = nullptr, *oldest = nullptr;
    for (Region& region : regions_) {
      if (!region.life) {
        if (!free) free = &region;
        continue;
      }
      held += region.entries;
      if (!oldest || region.used < oldest->used) oldest = &region;
    }
    if (free && held + entries <= share_) return *free;
    oldest->life = 0;
  }
}

const HzMemory::Region* HzMemory::at(arch::Address address) const {
  const auto found = std::find_if(regions_.begin(), regions_.end(), [&](const Region& region) {
    return region.life && region.image.begin == address;
  });
  return found == regions_.end() ? nullptr : &*found;
}

void HzMemory::written_as(const DepthImage& image) {
  for (Region& region : regions_)
    if (image.begin < region.image.end && region.image.begin < image.end && region.image != image)
      region.life = 0;
}

void HzMemory::drop(const arch::Surface& surface) {
  drop(surface.address, surface.address + arch::surface_span(surface));
}

void HzMemory::forget() {
  for (Region& region : regions_) region.life = 0;
}

void HzMemory::drop(arch::Address begin, arch::Address end) {
  for (Region& region : regions_)
    if (begin < region.image.end && region.image.begin < end) region.life = 0;
}

uint32_t HzMemory::entry(const Region& region, int32_t x, int32_t y) const {
  if (static_cast<uint32_t>(x) >= region.image.width) return kNone;
  const uint64_t number = tiles_.number(region.image.width, x, y);
  return number < region.entries ? static_cast<uint32_t>(number) : kNone;
}

}  // namespace cutaway::boxes
