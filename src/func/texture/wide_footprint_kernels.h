// Texel addresses for whole groups: included after wide_plan_kernels.h, under the same rules.
#ifndef CUTAWAY_ALU
#error "wide_footprint_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/texture/wide_sample.h"

namespace cutaway::func::CUTAWAY_ALU {

// i modulo size for |i| < 2^23.
CUTAWAY_INLINE I8 modulo(I8 i, I8 size, F8 size_float) {
  I8 rest = i - to_int(to_float(i) / size_float) * size;  // off by one size at most
  rest += size & (I8)(rest < 0);
  rest += size & (I8)(rest < 0);
  return rest - (size & (I8)(rest >= size));
}

// wrap_texel of wrap.h; border texels clear `inside`.
CUTAWAY_INLINE I8 wrapped(WideTexture::Axis axis, I8 i, I8 size, F8 size_float, I8& inside) {
  const I8 last = size - 1, zero{};
  switch (static_cast<arch::Wrap>(axis.wrap)) {
    case arch::Wrap::kRepeat:
      return axis.powers_of_two ? i & last : modulo(i, size, size_float);
    case arch::Wrap::kMirroredRepeat: {
      const I8 n = modulo(i, size + size, size_float + size_float) - size;
      return last - choose(n >= 0, n, -(1 + n));
    }
    case arch::Wrap::kClampToBorder:
      inside &= (I8)(i >= 0) & (I8)(i < size);
      return most(zero, least(i, last));
    case arch::Wrap::kMirrorClampToEdge:
      return least(choose(i >= 0, i, -(1 + i)), last);
    default:
      return most(zero, least(i, last));
  }
}

struct AxisTexels {
  I8 texel[2];
  I8 fraction;
};

// A coordinate times the size. Lanes too far away, or NaN, become 0 and clear `inside`.
CUTAWAY_INLINE F8 near_position(F8 coordinate, F8 scale, I8& inside) {
  constexpr float kFar = 0x1p22f;
  const F8 position = coordinate * scale;
  const I8 near = (I8)(position > -kFar) & (I8)(position < kFar);
  inside &= near;
  return (F8)((I8)position & near);
}

// A position in 1/256 texel, from the center of the first texel, moved by `offset` texels.
CUTAWAY_INLINE I8 fixed_position(F8 position, int32_t offset) {
  const F8 scaled = position * 256.0f;
  I8 whole = to_int(scaled);
  const I8 above = (I8)(to_float(whole) > scaled);
  whole += above;
  const F8 rest = scaled - to_float(whole);
  return whole - (I8)(rest >= 0.5f) + (256 * offset - 128);
}

// One coordinate of eight lanes.
CUTAWAY_INLINE AxisTexels axis(F8 coordinate, F8 scale, F8 size_float, I8 size, bool linear, bool nearest,
                               I8 is_linear, WideTexture::Axis wrap, I8& inside) {
  const F8 position = near_position(coordinate, scale, inside);
  const I8 zero{};
  AxisTexels out{};
  if (nearest) {
    I8 whole = to_int(position);
    whole += (I8)(to_float(whole) > position);  // -1 if truncation rounded up
    whole += wrap.offset;
    out.texel[0] = out.texel[1] = wrapped(wrap, whole, size, size_float, inside);
    if (!linear) return out;
  }
  const I8 fixed = fixed_position(position, wrap.offset);
  const I8 first = fixed >> 8;
  AxisTexels smooth;
  smooth.texel[0] = wrapped(wrap, first, size, size_float, inside);
  smooth.texel[1] = wrapped(wrap, first + 1, size, size_float, inside);
  smooth.fraction = fixed & 255;
  if (!nearest) return smooth;
  for (int i = 0; i < 2; i++) out.texel[i] = choose(is_linear, smooth.texel[i], out.texel[i]);
  out.fraction = choose(is_linear, smooth.fraction, zero);
  return out;
}

// TXF: an integer coordinate.
CUTAWAY_INLINE AxisTexels fetched_axis(I8 coordinate, I8 size, int32_t offset, I8& inside) {
  const I8 texel = coordinate + offset, there = (I8)(texel >= 0) & (I8)(texel < size);
  inside &= there;
  return {{texel & there, texel & there}, I8{}};
}

CUTAWAY_INLINE U8 column_offset(I8 x, const WideTexture& t) {
  const U8 u = (U8)(t.block_format ? x >> 2 : x);
  if (!t.tiled) return u * t.element_bytes;
  return ((u >> 3) * 64 + (u & 3) + (u & 4) * 4) * t.element_bytes;
}
CUTAWAY_INLINE U8 row_offset(I8 y, U8 pitch, const WideTexture& t) {
  const U8 u = (U8)(t.block_format ? y >> 2 : y);
  if (!t.tiled) return u * pitch;
  return (u >> 3) * pitch + ((u & 3) * 4 + (u & 4) * 8) * t.element_bytes;
}

// Values of eight lanes, read from an array by quad or by lane.
template <bool kByLane>
CUTAWAY_INLINE I8 of_lanes(const int32_t* values, int lane) {
  if constexpr (kByLane) return (I8)load8(reinterpret_cast<const uint32_t*>(values) + lane);
  else return pair(values[lane / 4], values[lane / 4 + 1]);
}
template <bool kByLane>
CUTAWAY_INLINE F8 of_lanes(const float* values, int lane) {
  if constexpr (kByLane) return load_floats(values + lane);
  else return pair(values[lane / 4], values[lane / 4 + 1]);
}

// A property of the levels that eight lanes read: two, by quad, or eight.
template <bool kByLane, class Get>
CUTAWAY_INLINE I8 level_ints(const WideTexture::Level* const* at, Get get) {
  if constexpr (!kByLane) return pair(get(*at[0]), get(*at[1]));
  I8 out;
  for (int i = 0; i < (kByLane ? 8 : 2); i++) out[i] = get(*at[i]);
  return out;
}
template <bool kByLane, class Get>
CUTAWAY_INLINE F8 level_floats(const WideTexture::Level* const* at, Get get) {
  if constexpr (!kByLane) return pair(get(*at[0]), get(*at[1]));
  F8 out;
  for (int i = 0; i < (kByLane ? 8 : 2); i++) out[i] = get(*at[i]);
  return out;
}

// One coordinate of the places of a probe (probe_place of footprint.cpp).
template <bool kByLane>
CUTAWAY_INLINE F8 probe_place(const WidePlan& plan, F8 place, const float* along, uint32_t probe, int lane) {
  const I8 probes = of_lanes<kByLane>(plan.probes, lane);
  const F8 way = all(static_cast<float>(probe + 1)) / to_float(probes + 1) - 0.5f;
  return choose((I8)(probes == 1), place, place + way * of_lanes<kByLane>(along, lane));
}

// Texel i of a sample: a column and a row of a slice that begins at `base`.
CUTAWAY_INLINE void locate_texel(const WideTexture& t, U8 base, I8 x, I8 y, U8 pitch, int i, int lane,
                                 WideFootprint& out) {
  store8(&out.offset[i][lane], base + row_offset(y, pitch, t) + column_offset(x, t));
  if (t.block_format) store8(&out.in_block[i][lane], (U8)((y & 3) * 4 + (x & 3)));
}

// All texels of a sample; columns and rows are computed once.
CUTAWAY_INLINE void locate(const WideTexture& t, const AxisTexels& x, const AxisTexels& y, U8 base, U8 pitch,
                           bool linear, int lane, WideFootprint& out) {
  U8 row[2], column[2];
  for (int i = 0; i < (linear ? 2 : 1); i++) {
    row[i] = base + row_offset(y.texel[i], pitch, t);
    column[i] = column_offset(x.texel[i], t);
  }
  for (int i = 0; i < (linear ? 4 : 1); i++) {
    store8(&out.offset[i][lane], row[i >> 1] + column[i & 1]);
    if (t.block_format)
      store8(&out.in_block[i][lane], (U8)((y.texel[i >> 1] & 3) * 4 + (x.texel[i & 1] & 3)));
  }
  if (!linear) return;
  store8(&out.fraction_u[lane], (U8)x.fraction);
  store8(&out.fraction_v[lane], (U8)y.fraction);
}

// Parameters of a sample of eight lanes.
struct Sample {
  uint32_t probe;
  bool linear, nearest;  // some lane of the group
  I8 is_linear;
  int lane;  // the first
  I8 inside = I8{} - 1;
};

// cube_footprint of footprint.cpp: crosses the edges of faces. `cubes`: start of each lane's cube in its
// level.
CUTAWAY_INLINE void locate_on_cube(const WideTexture& t, F8 u, F8 v, F8 size_float, I8 size, U8 cubes,
                                   I8 face, U8 pitch, Sample& sample, WideFootprint& out) {
  struct Along {
    I8 fixed, whole;
  };
  const auto along = [&](F8 coordinate) -> Along {
    const F8 position = near_position(coordinate, size_float, sample.inside);
    F8 clamped = choose((I8)(position < 0.0f), F8{}, position);
    clamped = choose((I8)(clamped > size_float), size_float, clamped);
    return {fixed_position(clamped, 0), least(to_int(clamped), size - 1)};
  };
  const Along x = along(u), y = along(v);
  store8(&out.fraction_u[sample.lane], (U8)(x.fixed & sample.is_linear & 255));
  store8(&out.fraction_v[sample.lane], (U8)(y.fixed & sample.is_linear & 255));
  for (int i = 0; i < 4; i++) {
    I8 on = face;
    I8 column = choose(sample.is_linear, (x.fixed >> 8) + (i & 1), x.whole);
    I8 row = choose(sample.is_linear, (y.fixed >> 8) + (i >> 1), y.whole);
    fold_texel(on, column, row, size, sample.inside);
    locate_texel(t, cubes + (U8)on * t.face_pitch, column & sample.inside, row & sample.inside, pitch, i,
                 sample.lane, out);
  }
}

// Eight lanes that read the levels `at`. kPlain: filtered, 2D, one layer.
template <bool kByLane, bool kPlain>
CUTAWAY_INLINE void locate_lanes(const WideTexture& t, const WideTexture::Level* const* at,
                                 const WidePlan& plan, Sample& sample, WideFootprint& out) {
  using Level = WideTexture::Level;
  const int lane = sample.lane;
  const I8 width = level_ints<kByLane>(at, [](const Level& l) { return l.width; });
  const F8 width_float = level_floats<kByLane>(at, [](const Level& l) { return l.width_float; });
  const U8 pitch = (U8)level_ints<kByLane>(at, [](const Level& l) { return (int32_t)l.pitch; });
  U8 base = (U8)level_ints<kByLane>(at, [](const Level& l) { return (int32_t)l.offset; });
  if (!kPlain && t.array) base += load8(plan.layer + lane);
  F8 u = load_floats(plan.u + lane), v{};
  if (kPlain || t.dimensions > 1) v = load_floats(plan.v + lane);
  if ((kPlain || t.dimensions < 3) && plan.most_probes > 1) {
    u = probe_place<kByLane>(plan, u, plan.du, sample.probe, lane);
    v = probe_place<kByLane>(plan, v, plan.dv, sample.probe, lane);
  }
  if (!kPlain && t.cube) {
    const I8 face = (I8)load8(plan.face + lane);
    if (t.seamless && sample.linear)
      return locate_on_cube(t, u, v, width_float, width, base, face, pitch, sample, out);
    base += (U8)face * t.face_pitch;
  }
  const auto along = [&](F8 coordinate, F8 size_float, I8 size, const WideTexture::Axis& wrap)
      __attribute__((always_inline)) {
    if (!kPlain && t.fetch) return fetched_axis((I8)coordinate, size, wrap.offset, sample.inside);
    return axis(coordinate, t.texel_units ? all(1) : size_float, size_float, size, sample.linear,
                sample.nearest, sample.is_linear, wrap, sample.inside);
  };
  const AxisTexels x = along(u, width_float, width, t.axis[0]);
  AxisTexels y{};
  if (kPlain || t.dimensions > 1)
    y = along(v, level_floats<kByLane>(at, [](const Level& l) { return l.height_float; }),
              level_ints<kByLane>(at, [](const Level& l) { return l.height; }), t.axis[1]);
  if (!kPlain && t.dimensions == 3) {
    const AxisTexels z = along(load_floats(plan.w + lane),
                               level_floats<kByLane>(at, [](const Level& l) { return l.depth_float; }),
                               level_ints<kByLane>(at, [](const Level& l) { return l.depth; }), t.axis[2]);
    base += (U8)(sample.probe ? z.texel[1] : z.texel[0]) *
            (U8)level_ints<kByLane>(at, [](const Level& l) { return (int32_t)l.slice_pitch; });
    store8(&out.fraction_w[lane], (U8)z.fraction);
  }
  locate(t, x, y, base, pitch, sample.linear, lane, out);
}

template <bool kByLane, bool kPlain>
[[gnu::noinline]] void locate_group(const WideTexture& t, uint32_t level, uint32_t probe, WidePlan& plan,
                                    WideFootprint& out) {
  constexpr int kSlots = kByLane ? 8 : 2;  // of eight lanes
  bool nearest = false;
  for (uint32_t i = 0; i < (kByLane ? kWideLanes : kWideQuads); i++) nearest |= !plan.linear[i];
  out.quads = 0;
  for (int lane = 0; lane < (int)kWideLanes; lane += 8) {
    const int slot = kByLane ? lane : lane / 4;
    uint32_t taken = 0;
    const WideTexture::Level* at[kSlots];
    for (int i = 0; i < kSlots; i++) {
      const bool next = level && plan.fraction[slot + i];
      at[i] = &t.level[plan.level[slot + i] + next];
      if ((int32_t)probe < plan.probes[slot + i] && (!level || next))
        taken |= kByLane ? 1u << i : 15u << 4 * i;
    }
    if (!taken) continue;
    out.quads |= (uint32_t{(taken & 15) != 0} | uint32_t{taken >> 4 != 0} << 4) << lane;
    Sample sample{.probe = probe,
                  .linear = plan.texels == 4,
                  .nearest = nearest,
                  .is_linear = of_lanes<kByLane>(plan.linear, lane),
                  .lane = lane};
    locate_lanes<kByLane, kPlain>(t, at, plan, sample, out);
    plan.planned &= ~((~mask_of(sample.inside) & taken) << lane);
  }
}

inline void footprint_wide(const WideTexture& t, uint32_t level, uint32_t probe, WidePlan& plan,
                           WideFootprint& out) {
  if (plan.by_lane) locate_group<true, false>(t, level, probe, plan, out);
  else if (t.plain) locate_group<false, true>(t, level, probe, plan, out);
  else locate_group<false, false>(t, level, probe, plan, out);
}

}  // namespace cutaway::func::CUTAWAY_ALU
