#pragma once

#include <cstdint>

#include "func/raster/interpolate.h"
#include "func/raster/samples.h"

namespace cutaway::func {

// Places in their pixels at which a quad's fragments are shaded and their inputs evaluated.
struct QuadPlaces {
  uint32_t samples = 1;         // of a pixel
  bool sample_shading = false;  // with several samples: the quad is shaded for one sample
  uint32_t sample = 0;          // that sample
  QuadSamples covered = 0;      // samples that the primitive covers, among those that the quad is shaded for

  // Place of FragCoord, PointCoord and SampleLocation::kSample.
  SampleOffset here() const { return sample_shading ? sample_offset(samples, sample) : SampleOffset{}; }
};

// Set of arch::SampleLocation bits that the interpolants of a draw use.
inline uint32_t locations_used(const arch::Registers& registers) {
  uint32_t locations = 0;
  for (uint32_t i = 0; i < registers.vertex_out.interpolants && i < arch::kInterpolants; i++)
    locations |= 1u << registers.vertex_out.interpolant[i].location;
  return locations;
}

// Weights at each of those places, as defined in func/raster/samples.h.
class QuadWeights {
 public:
  QuadWeights(const Primitive& primitive, const Positions<4>& at, const QuadPlaces& places,
              uint32_t locations) {
    using arch::SampleLocation;
    const auto uses = [&](SampleLocation l) { return locations >> static_cast<uint32_t>(l) & 1; };
    barycentrics<4>(primitive, at, places.here(), here_);
    if (places.sample_shading && uses(SampleLocation::kCenter)) {
      barycentrics<4>(primitive, at, {}, center_);
      center_is_here_ = false;
    }
    if (places.samples > 1 && !places.sample_shading && uses(SampleLocation::kCentroid)) {
      SampleOffset offset[4];
      centroids(places.samples, places.covered, offset);
      barycentrics(primitive, at, offset, centroid_);
      centroid_is_here_ = false;
    }
  }
  const Barycentrics<4>& here() const { return here_; }
  const Barycentrics<4>& at(uint32_t location) const {
    if (location == static_cast<uint32_t>(arch::SampleLocation::kCenter) && !center_is_here_) return center_;
    if (location == static_cast<uint32_t>(arch::SampleLocation::kCentroid) && !centroid_is_here_)
      return centroid_;
    return here_;
  }

 private:
  Barycentrics<4> here_, center_, centroid_;
  bool center_is_here_ = true, centroid_is_here_ = true;
};

}  // namespace cutaway::func
