#include "func/raster/interpolate.h"

#include <algorithm>
#include <emmintrin.h>

#include "func/raster/evaluate.h"

namespace cutaway::func {

using namespace raster;

namespace {

constexpr uint32_t kCanonicalNan = 0x7fc00000;

// Two lanes of double precision: a vector of the base instruction set.
using Pair = __m128d;

// raster::clamp_to and raster::to_float, lane by lane.
Pair clamp_pair(Pair value, double low, double high) {
  return _mm_min_pd(_mm_max_pd(value, _mm_set1_pd(low)), _mm_set1_pd(high));
}
void store_floats(Pair value, float out[2]) {
  constexpr double kLargest = 0x1.fffffep127;
  const Pair magnitude = _mm_andnot_pd(_mm_set1_pd(-0.0), value);
  value = _mm_and_pd(value, _mm_cmpge_pd(magnitude, _mm_set1_pd(0x1p-126)));
  const __m128 floats = _mm_cvtpd_ps(clamp_pair(value, -kLargest, kLargest));
  _mm_storel_pi(reinterpret_cast<__m64*>(out), floats);
}

// The positions of two lanes along an axis, in units.
Pair units(const int32_t pixel[2], double offset0, double offset1) {
  const Pair pixels = _mm_set_pd(static_cast<double>(pixel[1]), static_cast<double>(pixel[0]));
  return pixels * _mm_set1_pd(kUnits) + _mm_set_pd(offset1, offset0);
}

// The basis functions at every lane, in pairs of lanes.
template <uint32_t kLanes>
struct LaneBasis {
  static constexpr uint32_t kPairs = kLanes / 2;
  Pair g1[kPairs], g2[kPairs];

  LaneBasis(const Primitive& primitive, const Positions<kLanes>& at, SampleOffset sample) {
    for (uint32_t i = 0; i < kPairs; ++i)
      set(primitive, i, units(&at.x[2 * i], sample.x, sample.x), units(&at.y[2 * i], sample.y, sample.y));
  }
  LaneBasis(const Primitive& primitive, const Positions<kLanes>& at, const SampleOffset (&sample)[kLanes]) {
    for (uint32_t i = 0; i < kPairs; ++i) {
      const SampleOffset &a = sample[2 * i], &b = sample[2 * i + 1];
      set(primitive, i, units(&at.x[2 * i], a.x, b.x), units(&at.y[2 * i], a.y, b.y));
    }
  }
  // raster::basis_at
  void set(const Primitive& primitive, uint32_t i, Pair x, Pair y) {
    const auto function = [&](const Plane& p) {
      return (_mm_set1_pd(p.a) * x + _mm_set1_pd(p.b) * y + _mm_set1_pd(p.c)) *
             _mm_set1_pd(primitive.basis_scale);
    };
    g1[i] = function(primitive.basis[0]), g2[i] = function(primitive.basis[1]);
  }
  // raster::value_at
  Pair value(const Combination& f, uint32_t i) const {
    return (_mm_set1_pd(f.constant) + g1[i] * _mm_set1_pd(f.k1)) + g2[i] * _mm_set1_pd(f.k2);
  }
};

}  // namespace

template <uint32_t kLanes>
void depth(const Primitive& primitive, const Positions<kLanes>& at, SampleOffset sample, float z[kLanes]) {
  const LaneBasis<kLanes> basis(primitive, at, sample);
  for (uint32_t i = 0; i < basis.kPairs; ++i)
    store_floats(clamp_pair(basis.value(primitive.depth, i), primitive.depth_min, primitive.depth_max),
                 &z[2 * i]);
}

namespace {

template <uint32_t kLanes>
void weights_of(const Primitive& primitive, const LaneBasis<kLanes>& basis, Barycentrics<kLanes>& out) {
  for (uint32_t i = 0; i < basis.kPairs; ++i) {
    const Pair inv_w = basis.value(primitive.inv_w, i);
    // On the horizon, which only helper pixels can reach, vertex 0 has all weight.
    const Pair w = _mm_and_pd(_mm_set1_pd(1) / inv_w, _mm_cmpneq_pd(inv_w, _mm_setzero_pd()));
    store_floats(inv_w, &out.inv_w[2 * i]);
    store_floats(basis.value(primitive.q1, i) * w, &out.p1[2 * i]);
    store_floats(basis.value(primitive.q2, i) * w, &out.p2[2 * i]);
    store_floats(basis.value(primitive.linear1, i), &out.l1[2 * i]);
    store_floats(basis.value(primitive.linear2, i), &out.l2[2 * i]);
  }
}

}  // namespace

template <uint32_t kLanes>
void barycentrics(const Primitive& primitive, const Positions<kLanes>& at, SampleOffset sample,
                  Barycentrics<kLanes>& out) {
  weights_of(primitive, LaneBasis<kLanes>(primitive, at, sample), out);
}

void barycentrics(const Primitive& primitive, const Positions<4>& at, const SampleOffset (&sample)[4],
                  Barycentrics<4>& out) {
  weights_of(primitive, LaneBasis<4>(primitive, at, sample), out);
}

namespace {

uint8_t unit_in_pixel(float from_center) {
  if (!(from_center == from_center)) return kPixelCenter;
  const double units = kPixelCenter + load(from_center) * kUnits;
  return static_cast<uint8_t>(round_to_integer(clamp_to(units, 0, kUnits - 1)));
}

}  // namespace

SampleOffset place_at_offset(float x, float y) { return {unit_in_pixel(x), unit_in_pixel(y)}; }

template <uint32_t kLanes>
void point_coord(const Primitive& primitive, const Positions<kLanes>& at, SampleOffset sample,
                 float s[kLanes], float t[kLanes]) {
  const LaneBasis<kLanes> basis(primitive, at, sample);
  for (uint32_t i = 0; i < basis.kPairs; ++i) {
    store_floats(_mm_set1_pd(0.5) + basis.g1[i], &s[2 * i]);
    store_floats(_mm_set1_pd(0.5) + basis.g2[i], &t[2 * i]);
  }
}

namespace {

// Values of a component in four lanes. `along1` and `along2`: from vertex 0 to vertices 1 and 2.
inline void store_weighted(__m128 start, __m128 along1, __m128 along2, __m128 w1, __m128 w2,
                           uint32_t out[4]) {
  const __m128 value = (start + w1 * along1) + w2 * along2;
  const __m128 number = _mm_cmpord_ps(value, value);
  const __m128 nan = _mm_castsi128_ps(_mm_set1_epi32(static_cast<int>(kCanonicalNan)));
  _mm_storeu_ps(reinterpret_cast<float*>(out),
                _mm_or_ps(_mm_and_ps(number, value), _mm_andnot_ps(number, nan)));
}

bool same_in_all_lanes(arch::Interpolation mode, uint32_t vertices) {
  return mode == arch::Interpolation::kFlat || vertices < 2;
}

}  // namespace

template <uint32_t kLanes>
void interpolate(arch::Interpolation mode, uint32_t vertices, const Barycentrics<kLanes>& weights,
                 uint32_t a0, uint32_t a1, uint32_t a2, uint32_t out[kLanes]) {
  if (same_in_all_lanes(mode, vertices)) {
    std::fill_n(out, kLanes, a0);
    return;
  }
  const bool linear = mode == arch::Interpolation::kLinear;
  const float *w1 = linear ? weights.l1 : weights.p1, *w2 = linear ? weights.l2 : weights.p2;
  const __m128 start = _mm_set1_ps(std::bit_cast<float>(a0));
  const __m128 along1 = _mm_set1_ps(std::bit_cast<float>(a1)) - start;
  const __m128 along2 = vertices > 2 ? _mm_set1_ps(std::bit_cast<float>(a2)) - start : _mm_setzero_ps();
  for (uint32_t i = 0; i < kLanes; i += 4)
    store_weighted(start, along1, along2, _mm_loadu_ps(w1 + i), _mm_loadu_ps(w2 + i), out + i);
}

void interpolate(arch::Interpolation mode, uint32_t vertices, const Barycentrics<4>& weights,
                 const std::array<uint32_t, 4>& a0, const std::array<uint32_t, 4>& a1,
                 const std::array<uint32_t, 4>& a2, uint32_t out[4][4]) {
  if (same_in_all_lanes(mode, vertices)) {
    for (uint32_t c = 0; c < 4; ++c) std::fill_n(out[c], 4, a0[c]);
    return;
  }
  const bool linear = mode == arch::Interpolation::kLinear;
  const auto load = [](const auto* values) { return _mm_loadu_ps(reinterpret_cast<const float*>(values)); };
  const __m128 w1 = load(linear ? weights.l1 : weights.p1), w2 = load(linear ? weights.l2 : weights.p2);
  const __m128 start = load(a0.data());
  const __m128 along1 = load(a1.data()) - start;
  const __m128 along2 = vertices > 2 ? load(a2.data()) - start : _mm_setzero_ps();
  const auto component = [&]<int c>() {
    const auto at = [](__m128 vector) { return _mm_shuffle_ps(vector, vector, 0x55 * c); };
    store_weighted(at(start), at(along1), at(along2), w1, w2, out[c]);
  };
  component.operator()<0>(), component.operator()<1>(), component.operator()<2>(), component.operator()<3>();
}

template <uint32_t kLanes>
void frag_coord(const Positions<kLanes>& at, SampleOffset sample, const float z[kLanes],
                const float inv_w[kLanes], float out[4][kLanes]) {
  const auto place = [&](const auto& pixels, uint8_t offset, float* to) {
    for (uint32_t i = 0; i < kLanes; ++i)
      to[i] = static_cast<float>(pixels[i]) + static_cast<float>(offset) * (1.0f / kSubpixels);
  };
  place(at.x, sample.x, out[0]);
  place(at.y, sample.y, out[1]);
  std::copy_n(z, kLanes, out[2]);
  std::copy_n(inv_w, kLanes, out[3]);
}

#define CUTAWAY_INSTANTIATE(lanes)                                                                           \
  template void depth<lanes>(const Primitive&, const Positions<lanes>&, SampleOffset, float*);               \
  template void barycentrics<lanes>(const Primitive&, const Positions<lanes>&, SampleOffset,                 \
                                    Barycentrics<lanes>&);                                                   \
  template void point_coord<lanes>(const Primitive&, const Positions<lanes>&, SampleOffset, float*, float*); \
  template void interpolate<lanes>(arch::Interpolation, uint32_t, const Barycentrics<lanes>&, uint32_t,      \
                                   uint32_t, uint32_t, uint32_t*);                                           \
  template void frag_coord<lanes>(const Positions<lanes>&, SampleOffset, const float*, const float*,         \
                                  float(*)[lanes]);
CUTAWAY_INSTANTIATE(4)
CUTAWAY_INSTANTIATE(32)
#undef CUTAWAY_INSTANTIATE

}  // namespace cutaway::func
