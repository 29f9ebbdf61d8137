#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "arch/registers.h"
#include "func/raster/coverage.h"

// Several samples per pixel (Vulkan "Multisampling"): the samples that a primitive covers, and the place in
// its pixel at which a fragment is evaluated.
namespace cutaway::func {

constexpr uint32_t kMaxSamples = 8;

// The value of raster.samples; 0 reads as 1.
constexpr uint32_t sample_count(const arch::Registers& registers) {
  return registers.raster.samples > 1 ? registers.raster.samples : 1;
}

// Samples of a quad: bit 4 × sample + lane. With one sample it is the mask of lanes.
using QuadSamples = uint32_t;

constexpr uint32_t sample_lanes(QuadSamples quad, uint32_t sample) { return quad >> (4 * sample) & 15; }
// The same lanes in all samples.
constexpr QuadSamples at_all_samples(uint32_t lanes, uint32_t samples) {
  return lanes * (0x11111111u >> (32 - 4 * samples));
}
// Lanes with any covered sample.
constexpr uint32_t any_sample(QuadSamples quad) {
  quad |= quad >> 16;
  quad |= quad >> 8;
  return (quad | quad >> 4) & 15;
}
// Samples of a lane, one bit each.
constexpr uint32_t lane_samples(QuadSamples quad, uint32_t lane) {
  uint32_t bits = 0;
  for (uint32_t s = 0; s < kMaxSamples; ++s) bits |= (quad >> (4 * s + lane) & 1) << s;
  return bits;
}
// The inverse: combines the samples of each lane.
constexpr QuadSamples quad_samples(const std::array<uint32_t, 4>& lane) {
  QuadSamples quad = 0;
  for (uint32_t l = 0; l < 4; ++l)
    for (uint32_t s = 0; s < kMaxSamples; ++s) quad |= (lane[l] >> s & 1) << (4 * s + l);
  return quad;
}

// Coverage of a tile at each sample, as one tile_coverage() word per sample.
struct TileSamples {
  std::array<uint64_t, kMaxSamples> sample{};
  uint64_t any = 0;  // pixels with a covered sample

  QuadSamples quad(uint32_t index) const {
    QuadSamples out = 0;
    for (uint32_t s = 0; s < kMaxSamples; ++s) out |= uint32_t{quad_mask(sample[s], index)} << (4 * s);
    return out;
  }
};

// Samples of the tile at pixel (x, y) that the primitive covers; samples outside sample_mask count as
// uncovered.
TileSamples tile_samples(const Primitive& primitive, int32_t x, int32_t y, uint32_t sample_mask);

// Place at which the inputs of a fragment are evaluated. A pixel has n samples; the primitive covers the
// subset `covered` of them (after the pipeline's sample mask, before any test):
// - kCenter: at the pixel's centre.
// - kCentroid: at the centre if all n samples or none (a helper) are covered, otherwise at the covered sample
// with the lowest number.
// - kSample: at the sample that the fragment is shaded for; without sample shading as kCenter.
void centroids(uint32_t samples, QuadSamples covered, SampleOffset (&offset)[4]);

}  // namespace cutaway::func
