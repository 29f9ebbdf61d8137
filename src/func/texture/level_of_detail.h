#pragma once

#include <bit>
#include <cstdint>

#include "arch/surface.h"

// Level of detail (Vulkan "Image Level(s) Selection").
namespace cutaway::func {

constexpr double kLeastLod = -1024;  // for a zero gradient
constexpr double kMostLod = 1024;

// Base-two logarithm of a number >= 0, accurate to 1e-9; 0 gives kLeastLod, infinity and NaN give kMostLod.
double lod_log2(double value);

// log2 of the larger of the two lengths, in texels; the derivatives must be of coordinates in texels.
inline double lod_of_gradients(double dudx, double dvdx, double dudy, double dvdy) {
  const double x = dudx * dudx + dvdx * dvdx, y = dudy * dudy + dvdy * dvdy;
  return 0.5 * lod_log2(x > y ? x : y);
}

// The same for derivatives of u, v, w.
inline double lod_of_gradients(const double dx[3], const double dy[3]) {
  const double x = dx[0] * dx[0] + dx[1] * dx[1] + dx[2] * dx[2];
  const double y = dy[0] * dy[0] + dy[1] * dy[1] + dy[2] * dy[2];
  return 0.5 * lod_log2(x > y ? x : y);
}

// λ: λ' within the sampler's limits. NaN gives min_lod.
double clamp_lod(const arch::Sampler& sampler, double lod);

struct LevelChoice {
  uint8_t level = 0;
  uint8_t fraction = 0;  // weight of the next level, in 1/256; 0: only one level is read
};
LevelChoice choose_level(const arch::Sampler& sampler, double lod, uint32_t levels);

}  // namespace cutaway::func
