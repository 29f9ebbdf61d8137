#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/divisor.h"
#include "base/prefetch.h"
#include "messages/messages.h"

namespace cutaway::boxes {

// Puts the quads of several rasterisers back into the orders of rasterisation, which Z and stencil units have
// mixed. Of each rasteriser so many numbers wait inside, from that of the next quad on. A quad that is beyond
// them may stand before one that is missing, so the window moves on past missing numbers, and these quads are
// late: they leave as they come. Quads of a pixel come from one unit and keep their order either way.
class QuadSorter {
 public:
  // window: numbers of each rasteriser; not 0.
  QuadSorter(unsigned rasters, unsigned window) : window_(window), place_(window), rasters_(rasters) {
    for (Raster& raster : rasters_) raster.waiting.resize(window);
  }

  // True if the quad is in the window. One that is not may come again later.
  bool fits(unsigned raster, const messages::QuadMessage& quad) const {
    return offset(raster, quad) < window_;
  }
  // True if the window has passed the quad's number.
  bool late(unsigned raster, const messages::QuadMessage& quad) const {
    return static_cast<int32_t>(offset(raster, quad)) < 0;
  }
  void put(unsigned raster, messages::QuadMessage&& quad) {
    Slot& slot = rasters_[raster].waiting[place_.remainder(quad.number)];
    slot.there = true;
    slot.quad = std::move(quad);
    inside_++;
  }

  // The next quad of a rasteriser; null if it has not come.
  messages::QuadMessage* next(unsigned raster) {
    Slot& slot = first(raster);
    return slot.there ? &slot.quad : nullptr;
  }
  // The next quad has left.
  void drop(unsigned raster) {
    Slot& slot = first(raster);
    slot = {};
    rasters_[raster].number++;
    inside_--;
    prefetch_on_host(first(raster));
  }
  // Gives up the number of the next quad, which has not come. False if it has, or if nothing waits behind it.
  bool skip(unsigned raster, const messages::QuadMessage& beyond) {
    if (fits(raster, beyond) || late(raster, beyond) || first(raster).there) return false;
    rasters_[raster].number++;
    return true;
  }

  bool empty() const { return inside_ == 0; }
  uint32_t inside() const { return inside_; }

 private:
  struct Slot {
    bool there = false;
    messages::QuadMessage quad;
  };
  struct Raster {
    uint32_t number = 0;  // of the next quad
    std::vector<Slot> waiting;
  };
  uint32_t offset(unsigned raster, const messages::QuadMessage& quad) const {
    return quad.number - rasters_[raster].number;
  }
  Slot& first(unsigned raster) {
    Raster& of = rasters_[raster];
    return of.waiting[place_.remainder(of.number)];
  }

  uint32_t window_;
  Divisor place_;  // its remainders: where quads of the window are
  std::vector<Raster> rasters_;
  uint32_t inside_ = 0;
};

}  // namespace cutaway::boxes
