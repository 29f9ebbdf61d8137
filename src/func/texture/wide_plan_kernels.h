// Plans sampling for whole groups: included after wide_cube_kernels.h, under the same rules.
#ifndef CUTAWAY_ALU
#error "wide_plan_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/texture/wide_sample.h"

namespace cutaway::func::CUTAWAY_ALU {

CUTAWAY_INLINE U8 operand(const WideOperands& in, uint32_t source, uint32_t component, uint32_t lane) {
  return load8(in.source[source][component] + lane);
}

// choose_layer of sample.cpp.
CUTAWAY_INLINE U8 choose_layers(uint32_t layers, F8 layer) {
  const F8 last = all(static_cast<float>(layers - 1));
  const F8 clamped = choose((I8)(layer > 0.0f), choose((I8)(layer < last), layer, last), F8{});
  constexpr float kMagic = 0x1.8p23f;  // adding it leaves the nearest integer in the low bits
  return (U8)(clamped + kMagic) - __builtin_bit_cast(uint32_t, kMagic);
}

[[gnu::noinline]] inline void plan_coordinates(const WideTexture& t, const WideOperands& in, uint32_t lane,
                                               WidePlan& plan) {
  F8 u = (F8)operand(in, 0, 0, lane), v{}, w{};
  if (t.dimensions > 1 || t.cube) v = (F8)operand(in, 0, 1, lane);
  if (t.dimensions > 2 || t.cube) w = (F8)operand(in, 0, 2, lane);
  const uint32_t last = t.cube ? 3 : t.dimensions;
  if (t.projective) {
    const F8 q = (F8)operand(in, 0, 3, lane);
    u /= q;
    if (t.dimensions > 1) v /= q;
    if (t.dimensions > 2) w /= q;
  }
  if (t.array)
    store8(plan.layer + lane, choose_layers(t.layers, (F8)operand(in, 0, last, lane)) * t.layer_pitch);
  if (t.cube) {
    F8 at_s, at_t;
    store8(plan.face + lane, (U8)cube_point(u, v, w, at_s, at_t));
    u = at_s, v = at_t;
  }
  store_floats(plan.u + lane, u);
  if (t.dimensions > 1) store_floats(plan.v + lane, v);
  if (t.dimensions > 2) store_floats(plan.w + lane, w);
  if (!t.compare) return;
  F8 reference = (F8)operand(in, t.reference_source, t.reference_component, lane);
  if (t.projective) reference /= (F8)operand(in, 0, 3, lane);
  store_floats(plan.reference + lane, t.unit_reference ? unit(reference) : reference);
}

// TXF: integer texel coordinates; lanes outside the levels or layers are left to the quad path.
[[gnu::noinline]] inline void plan_texels(const WideTexture& t, const WideOperands& in, WidePlan& plan) {
  float* const coordinate[3] = {plan.u, plan.v, plan.w};
  for (uint32_t lane = 0; lane < kWideLanes; lane += 8) {
    for (uint32_t c = 0; c < t.dimensions; c++)
      store_floats(coordinate[c] + lane, (F8)operand(in, 0, c, lane));
    const U8 all_levels = U8{} + t.levels, all_layers = U8{} + t.layers;
    const U8 level = t.buffer ? U8{} : operand(in, 1, 0, lane);
    I8 there = (I8)(level < all_levels);
    if (t.array) {
      const U8 layer = operand(in, 0, t.dimensions, lane);
      there &= (I8)(layer < all_layers);
      store8(plan.layer + lane, (layer & (U8)there) * t.layer_pitch);
    }
    store8(reinterpret_cast<uint32_t*>(plan.level) + lane, level & (U8)there);
    plan.planned &= ~((~mask_of(there) & 255) << lane);
  }
  for (uint32_t lane = 0; lane < kWideLanes; lane++) {
    plan.probes[lane] = 1;
    plan.fraction[lane] = plan.linear[lane] = 0;
  }
  plan.by_lane = true;
}

inline void plan_wide(const WideTexture& t, const WideOperands& in, WidePlan& plan) {
  plan.planned = ~0u;
  if (t.fetch) {
    plan_texels(t, in, plan);
  } else {
    if (t.plain && !t.projective && !t.compare)
      for (uint32_t lane = 0; lane < kWideLanes; lane += 8) {
        store_floats(plan.u + lane, (F8)operand(in, 0, 0, lane));
        store_floats(plan.v + lane, (F8)operand(in, 0, 1, lane));
      }
    else
      for (uint32_t lane = 0; lane < kWideLanes; lane += 8) plan_coordinates(t, in, lane, plan);
    choose_levels(t, in, plan);
  }
  bool linear = false, second = false;
  int32_t probes = 1;
  for (uint32_t i = 0; i < (plan.by_lane ? kWideLanes : kWideQuads); i++) {
    linear |= plan.linear[i] != 0;
    second |= plan.fraction[i] != 0;
    probes = plan.probes[i] > probes ? plan.probes[i] : probes;
  }
  plan.levels = second ? 2 : 1;
  plan.most_probes = static_cast<uint32_t>(probes);
  plan.texels = linear ? 4 : 1;
  if (plan.by_lane) merge_lanes(t, plan);
}

}  // namespace cutaway::func::CUTAWAY_ALU
