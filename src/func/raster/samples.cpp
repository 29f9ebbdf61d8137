#include "func/raster/samples.h"

namespace cutaway::func {

TileSamples tile_samples(const Primitive& primitive, int32_t x, int32_t y, uint32_t sample_mask) {
  TileSamples tile;
  for (uint32_t s = 0; s < primitive.samples; ++s) {
    if (!(sample_mask >> s & 1)) continue;
    tile.sample[s] = tile_coverage(primitive, x, y, sample_offset(primitive.samples, s));
    tile.any |= tile.sample[s];
  }
  return tile;
}

void centroids(uint32_t samples, QuadSamples covered, SampleOffset (&offset)[4]) {
  const uint32_t all = (1u << samples) - 1;
  for (uint32_t lane = 0; lane < 4; ++lane) {
    const uint32_t inside = lane_samples(covered, lane);
    offset[lane] = inside == 0 || inside == all
                       ? SampleOffset{}
                       : sample_offset(samples, static_cast<uint32_t>(std::countr_zero(inside)));
  }
}

}  // namespace cutaway::func
