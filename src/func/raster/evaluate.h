#pragma once

#include <bit>
#include <cstdint>

#include "func/raster/primitive.h"
#include "func/raster/window.h"

// Internal to raster/: evaluates a primitive at a window position.
namespace cutaway::func::raster {

// The basis functions at a position in units.
struct BasisValues {
  double g1, g2;
};

inline BasisValues basis_at(const Primitive& primitive, double x, double y) {
  const Plane &p = primitive.basis[0], &q = primitive.basis[1];
  return {(p.a * x + p.b * y + p.c) * primitive.basis_scale,
          (q.a * x + q.b * y + q.c) * primitive.basis_scale};
}

inline double value_at(const Combination& f, const BasisValues& g) {
  return (f.constant + g.g1 * f.k1) + g.g2 * f.k2;
}

// NaN becomes the lower bound.
inline double clamp_to(double value, double low, double high) {
  value = value > low ? value : low;
  return value < high ? value : high;
}

// Rounds to the nearest float; denormals become zero, overflow becomes the largest float, NaN becomes zero.
inline float to_float(double value) {
  constexpr double kLargest = 0x1.fffffep127;
  value = absolute(value) >= 0x1p-126 ? value : 0.0;
  return static_cast<float>(clamp_to(value, -kLargest, kLargest));
}

// The greatest float not above a value, except that denormal results become -2^-126 or 0.
inline float round_down(double value) {
  if (value < 0 && value > -0x1p-126) return -0x1p-126f;
  const float nearest = to_float(value);
  if (static_cast<double>(nearest) <= value) return nearest;
  const uint32_t bits = std::bit_cast<uint32_t>(nearest);
  return std::bit_cast<float>(nearest > 0 ? bits - 1 : bits + 1);
}
inline float round_up(double value) { return -round_down(-value); }

}  // namespace cutaway::func::raster
