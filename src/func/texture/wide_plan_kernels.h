// Plans sampling for whole groups: included after wide_cube_kernels.h, under the same rules.
#ifndef CUTAWAY_ALU
#error "wide_plan_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/texture/wide_sample.h"

namespace cutaway::func::CUTAWAY_ALU {

CUTAWAY_INLINE Words operand(const WideOperands& in, uint32_t source, uint32_t component, uint32_t lane) {
  return load(in.source[source][component] + lane);
}

// choose_layer of sample.cpp.
CUTAWAY_INLINE Words choose_layers(uint32_t layers, Floats layer) {
  const Floats last = all(static_cast<float>(layers - 1));
  const Floats clamped = choose((Ints)(layer > 0.0f), choose((Ints)(layer < last), layer, last), Floats{});
  constexpr float kMagic = 0x1.8p23f;  // adding it leaves the nearest integer in the low bits
  return (Words)(clamped + kMagic) - __builtin_bit_cast(uint32_t, kMagic);
}

// u and v after TXP's division. Mostly there is nothing to divide by.
CUTAWAY_INLINE void plan_plain_coordinates(const WideTexture& t, const WideOperands& in, uint32_t lane,
                                           WidePlan& plan) {
  Floats u = (Floats)operand(in, 0, 0, lane), v = (Floats)operand(in, 0, 1, lane);
  const Floats q = t.projective ? (Floats)operand(in, 0, 3, lane) : all(1);
  if (t.projective && mask_of((Ints)(q != 1.0f))) u /= q, v /= q;
  store_floats(plan.u + lane, u);
  store_floats(plan.v + lane, v);
}

[[gnu::noinline]] inline void plan_coordinates(const WideTexture& t, const WideOperands& in, uint32_t lane,
                                               WidePlan& plan) {
  Floats u = (Floats)operand(in, 0, 0, lane), v{}, w{};
  if (t.dimensions > 1 || t.cube) v = (Floats)operand(in, 0, 1, lane);
  if (t.dimensions > 2 || t.cube) w = (Floats)operand(in, 0, 2, lane);
  const uint32_t last = t.cube ? 3 : t.dimensions;
  if (t.projective) {
    const Floats q = (Floats)operand(in, 0, 3, lane);
    u /= q;
    if (t.dimensions > 1) v /= q;
    if (t.dimensions > 2) w /= q;
  }
  if (t.array)
    store(plan.layer + lane, choose_layers(t.layers, (Floats)operand(in, 0, last, lane)) * t.layer_pitch);
  if (t.cube) {
    Floats at_s, at_t;
    store(plan.face + lane, (Words)cube_point(u, v, w, at_s, at_t));
    u = at_s, v = at_t;
  }
  store_floats(plan.u + lane, u);
  if (t.dimensions > 1) store_floats(plan.v + lane, v);
  if (t.dimensions > 2) store_floats(plan.w + lane, w);
  if (!t.compare) return;
  Floats reference = (Floats)operand(in, t.reference_source, t.reference_component, lane);
  if (t.projective) reference /= (Floats)operand(in, 0, 3, lane);
  store_floats(plan.reference + lane, t.unit_reference ? unit(reference) : reference);
}

// TXF: integer texel coordinates; lanes outside the levels or layers are left to the quad path.
[[gnu::noinline]] inline void plan_texels(const WideTexture& t, const WideOperands& in, WidePlan& plan) {
  float* const coordinate[3] = {plan.u, plan.v, plan.w};
  for (uint32_t lane = 0; lane < kWideLanes; lane += kVector) {
    for (uint32_t c = 0; c < t.dimensions; c++)
      store_floats(coordinate[c] + lane, (Floats)operand(in, 0, c, lane));
    const Words all_levels = Words{} + t.levels, all_layers = Words{} + t.layers;
    const Words level = t.buffer ? Words{} : operand(in, 1, 0, lane);
    Ints there = (Ints)(level < all_levels);
    if (t.array) {
      const Words layer = operand(in, 0, t.dimensions, lane);
      there &= (Ints)(layer < all_layers);
      store(plan.layer + lane, (layer & (Words)there) * t.layer_pitch);
    }
    store(reinterpret_cast<uint32_t*>(plan.level) + lane, level & (Words)there);
    plan.planned &= ~((~mask_of(there) & kAllLanes) << lane);
  }
  for (uint32_t lane = 0; lane < kWideLanes; lane++) {
    plan.probes[lane] = 1;
    plan.fraction[lane] = plan.linear[lane] = 0;
  }
  plan.by_lane = true;
}

// The lanes of quads that have a bit each.
CUTAWAY_INLINE uint32_t lanes_of_quads(uint32_t quads) {
  quads = (quads | quads << 12) & 0x000f000f;
  quads = (quads | quads << 6) & 0x03030303;
  return ((quads | quads << 3) & 0x11111111) * 15;
}

// Maxima over all quads or lanes.
CUTAWAY_INLINE void summarize(const WideTexture& t, WidePlan& plan) {
  const int places = plan.by_lane ? kWideLanes : kWideQuads;
  HalfInts some_linear{}, all_linear = HalfInts{} - 1;
  plan.second = 0;
  for (int i = 0; i < places; i += kDoubles) {
    const HalfInts linear = (HalfInts) * reinterpret_cast<const UnalignedHalfInts*>(plan.linear + i);
    some_linear |= linear, all_linear &= linear;
    const HalfInts fraction = (HalfInts) * reinterpret_cast<const UnalignedHalfInts*>(plan.fraction + i);
    plan.second |= mask_of((HalfInts)(fraction != 0)) << i;
  }
  int32_t probes = 1;
  if (t.max_anisotropy > 1 || t.dimensions == 3)
    for (int i = 0; i < places; i++) probes = plan.probes[i] > probes ? plan.probes[i] : probes;
  plan.levels = plan.second ? 2 : 1;
  if (!plan.by_lane) plan.second = lanes_of_quads(plan.second);
  plan.most_probes = static_cast<uint32_t>(probes);
  plan.texels = mask_of(some_linear) ? 4 : 1;
  plan.nearest = mask_of(~all_linear) != 0;
}

// The same for textures of which all lanes sample one level alike.
CUTAWAY_INLINE void summarize_only_level(const WideTexture& t, WidePlan& plan) {
  plan.second = 0;
  plan.levels = plan.most_probes = 1;
  plan.texels = t.linear[0] ? 4 : 1;
  plan.nearest = !t.linear[0];
}

inline void plan_wide(const WideTexture& t, const WideOperands& in, WidePlan& plan) {
  plan.planned = ~0u;
  if (t.fetch) {
    plan_texels(t, in, plan);
  } else {
    if (t.plain && !t.compare)
      for (uint32_t lane = 0; lane < kWideLanes; lane += kVector) plan_plain_coordinates(t, in, lane, plan);
    else
      for (uint32_t lane = 0; lane < kWideLanes; lane += kVector) plan_coordinates(t, in, lane, plan);
    choose_levels(t, in, plan);
  }
  if (t.plain && !t.needs_lod) summarize_only_level(t, plan);
  else summarize(t, plan);
  if (plan.by_lane) merge_lanes(t, plan);
}

}  // namespace cutaway::func::CUTAWAY_ALU
