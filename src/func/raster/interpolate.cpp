#include "func/raster/interpolate.h"

#include "func/raster/evaluate.h"

namespace cutaway::func {

using namespace raster;

namespace {

constexpr uint32_t kCanonicalNan = 0x7fc00000;

double unit(int32_t pixel, uint8_t offset) {
  return static_cast<double>(pixel) * kUnits + static_cast<double>(offset);
}

// The basis functions at every lane. Separate arrays per function let the compiler vectorise the loops over
// lanes.
template <uint32_t kLanes>
struct LaneBasis {
  double g1[kLanes], g2[kLanes];

  LaneBasis(const Primitive& primitive, const Positions<kLanes>& at, SampleOffset sample) {
    for (uint32_t i = 0; i < kLanes; ++i) {
      const BasisValues g = basis_at(primitive, unit(at.x[i], sample.x), unit(at.y[i], sample.y));
      g1[i] = g.g1, g2[i] = g.g2;
    }
  }
  LaneBasis(const Primitive& primitive, const Positions<kLanes>& at, const SampleOffset (&sample)[kLanes]) {
    for (uint32_t i = 0; i < kLanes; ++i) {
      const BasisValues g = basis_at(primitive, unit(at.x[i], sample[i].x), unit(at.y[i], sample[i].y));
      g1[i] = g.g1, g2[i] = g.g2;
    }
  }
  void values(const Combination& f, double out[kLanes]) const {
    for (uint32_t i = 0; i < kLanes; ++i) out[i] = value_at(f, {g1[i], g2[i]});
  }
  void values(const Combination& f, float out[kLanes]) const {
    for (uint32_t i = 0; i < kLanes; ++i) out[i] = to_float(value_at(f, {g1[i], g2[i]}));
  }
};

}  // namespace

template <uint32_t kLanes>
void depth(const Primitive& primitive, const Positions<kLanes>& at, SampleOffset sample, float z[kLanes]) {
  const LaneBasis<kLanes> basis(primitive, at, sample);
  double exact[kLanes];
  basis.values(primitive.depth, exact);
  const double low = primitive.depth_min, high = primitive.depth_max;
  for (uint32_t i = 0; i < kLanes; ++i) z[i] = to_float(clamp_to(exact[i], low, high));
}

namespace {

template <uint32_t kLanes>
void weights_of(const Primitive& primitive, const LaneBasis<kLanes>& basis, Barycentrics<kLanes>& out) {
  double inv_w[kLanes], w[kLanes], q1[kLanes], q2[kLanes];
  basis.values(primitive.inv_w, inv_w);
  basis.values(primitive.q1, q1);
  basis.values(primitive.q2, q2);
  // On the horizon, which only helper pixels can reach, vertex 0 has all weight.
  for (uint32_t i = 0; i < kLanes; ++i) w[i] = inv_w[i] != 0 ? 1.0 / inv_w[i] : 0.0;
  for (uint32_t i = 0; i < kLanes; ++i) out.inv_w[i] = to_float(inv_w[i]);
  for (uint32_t i = 0; i < kLanes; ++i) out.p1[i] = to_float(q1[i] * w[i]);
  for (uint32_t i = 0; i < kLanes; ++i) out.p2[i] = to_float(q2[i] * w[i]);
  basis.values(primitive.linear1, out.l1);
  basis.values(primitive.linear2, out.l2);
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
  for (uint32_t i = 0; i < kLanes; ++i) {
    s[i] = to_float(0.5 + basis.g1[i]);
    t[i] = to_float(0.5 + basis.g2[i]);
  }
}

template <uint32_t kLanes>
void interpolate(arch::Interpolation mode, uint32_t vertices, const Barycentrics<kLanes>& weights,
                 uint32_t a0, uint32_t a1, uint32_t a2, uint32_t out[kLanes]) {
  if (mode == arch::Interpolation::kFlat || vertices < 2) {
    for (uint32_t i = 0; i < kLanes; ++i) out[i] = a0;
    return;
  }
  const bool linear = mode == arch::Interpolation::kLinear;
  const float *w1 = linear ? weights.l1 : weights.p1, *w2 = linear ? weights.l2 : weights.p2;
  const float start = std::bit_cast<float>(a0);
  const float along1 = std::bit_cast<float>(a1) - start;
  const float along2 = vertices > 2 ? std::bit_cast<float>(a2) - start : 0.0f;
  for (uint32_t i = 0; i < kLanes; ++i) {
    const float value = (start + w1[i] * along1) + w2[i] * along2;
    out[i] = value == value ? std::bit_cast<uint32_t>(value) : kCanonicalNan;
  }
}

template <uint32_t kLanes>
void frag_coord(const Positions<kLanes>& at, SampleOffset sample, const float z[kLanes],
                const float inv_w[kLanes], float out[4][kLanes]) {
  for (uint32_t i = 0; i < kLanes; ++i) {
    out[0][i] = static_cast<float>(at.x[i]) + static_cast<float>(sample.x) * (1.0f / kSubpixels);
    out[1][i] = static_cast<float>(at.y[i]) + static_cast<float>(sample.y) * (1.0f / kSubpixels);
    out[2][i] = z[i];
    out[3][i] = inv_w[i];
  }
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
