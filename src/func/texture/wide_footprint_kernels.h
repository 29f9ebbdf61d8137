// Texel addresses for whole groups: included after wide_plan_kernels.h, under the same rules.
#ifndef CUTAWAY_ALU
#error "wide_footprint_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/texture/wide_sample.h"

namespace cutaway::func::CUTAWAY_ALU {

// i modulo size for |i| < 2^23.
CUTAWAY_INLINE Ints modulo(Ints i, Ints size, Floats size_float) {
  Ints rest = i - to_int(to_float(i) / size_float) * size;  // off by one size at most
  rest += size & (Ints)(rest < 0);
  rest += size & (Ints)(rest < 0);
  return rest - (size & (Ints)(rest >= size));
}

// wrap_texel of wrap.h; border texels clear `inside`.
CUTAWAY_INLINE Ints wrapped(WideTexture::Axis axis, Ints i, Ints size, Floats size_float, Ints& inside) {
  const Ints last = size - 1, zero{};
  switch (static_cast<arch::Wrap>(axis.wrap)) {
    case arch::Wrap::kRepeat:
      return axis.powers_of_two ? i & last : modulo(i, size, size_float);
    case arch::Wrap::kMirroredRepeat: {
      const Ints n = modulo(i, size + size, size_float + size_float) - size;
      return last - choose(n >= 0, n, -(1 + n));
    }
    case arch::Wrap::kClampToBorder:
      inside &= (Ints)(i >= 0) & (Ints)(i < size);
      return most(zero, least(i, last));
    case arch::Wrap::kMirrorClampToEdge:
      return least(choose(i >= 0, i, -(1 + i)), last);
    default:
      return most(zero, least(i, last));
  }
}

struct AxisTexels {
  Ints texel[2];
  Ints fraction;
};

// A coordinate times the size. Lanes too far away, or NaN, become 0 and clear `inside`.
CUTAWAY_INLINE Floats near_position(Floats coordinate, Floats scale, Ints& inside) {
  constexpr float kFar = 0x1p22f;
  const Floats position = coordinate * scale;
  const Ints near = (Ints)(((Ints)position & 0x7fffffff) < __builtin_bit_cast(int32_t, kFar));
  inside &= near;
  return (Floats)((Ints)position & near);
}

// A position in 1/256 texel, from the center of the first texel, moved by `offset` texels. Halves are rounded
// up: twice the position tells them, rounded down.
CUTAWAY_INLINE Ints fixed_position(Floats position, int32_t offset) {
  const Ints twice = floor_to_int(position * 512.0f);
  return ((twice + 1) >> 1) + (256 * offset - 128);
}

// One coordinate of a vector's lanes.
CUTAWAY_INLINE AxisTexels axis(Floats coordinate, Floats scale, Floats size_float, Ints size, bool linear,
                               bool nearest, Ints is_linear, WideTexture::Axis wrap, Ints& inside) {
  const Floats position = near_position(coordinate, scale, inside);
  const Ints zero{};
  AxisTexels out{};
  if (nearest) {
    const Ints whole = floor_to_int(position) + wrap.offset;
    out.texel[0] = out.texel[1] = wrapped(wrap, whole, size, size_float, inside);
    if (!linear) return out;
  }
  const Ints fixed = fixed_position(position, wrap.offset);
  const Ints first = fixed >> 8;
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
CUTAWAY_INLINE AxisTexels fetched_axis(Ints coordinate, Ints size, int32_t offset, Ints& inside) {
  const Ints texel = coordinate + offset, there = (Ints)(texel >= 0) & (Ints)(texel < size);
  inside &= there;
  return {{texel & there, texel & there}, Ints{}};
}

// Elements from the start of a tile to a column or a row of it.
CUTAWAY_INLINE Words column_in_tile(Words u) {
#ifdef __AVX2__
  return of_eight<0, 1, 2, 3, 16, 17, 18, 19>(u);
#else
  return (u & 3) + (u & 4) * 4;
#endif
}
CUTAWAY_INLINE Words row_in_tile(Words u) {
#ifdef __AVX2__
  return of_eight<0, 4, 8, 12, 32, 36, 40, 44>(u);
#else
  return (u & 3) * 4 + (u & 4) * 8;
#endif
}
// TextureView::column_offset and row_offset for elements of `bytes`.
CUTAWAY_INLINE Words column_offset(Ints x, bool tiled, uint32_t bytes) {
  const Words u = (Words)x;
  if (!tiled) return u * bytes;
  return ((u >> 3) * 64 + column_in_tile(u)) * bytes;
}
CUTAWAY_INLINE Words row_offset(Ints y, Words pitch, bool tiled, uint32_t bytes) {
  const Words u = (Words)y;
  if (!tiled) return u * pitch;
  return (u >> 3) * pitch + row_in_tile(u) * bytes;
}
CUTAWAY_INLINE Words column_offset(Ints x, const WideTexture& t) {
  return column_offset(t.block_format ? x >> 2 : x, t.tiled, t.element_bytes);
}
CUTAWAY_INLINE Words row_offset(Ints y, Words pitch, const WideTexture& t) {
  return row_offset(t.block_format ? y >> 2 : y, pitch, t.tiled, t.element_bytes);
}

// Values of a vector's lanes, read from an array by quad or by lane.
template <bool kByLane>
CUTAWAY_INLINE Ints of_lanes(const int32_t* values, int lane) {
  if constexpr (kByLane) return (Ints)load(reinterpret_cast<const uint32_t*>(values) + lane);
  else return spread<Ints>(values + lane / 4);
}
template <bool kByLane>
CUTAWAY_INLINE Floats of_lanes(const float* values, int lane) {
  if constexpr (kByLane) return load_floats(values + lane);
  else return spread<Floats>(values + lane / 4);
}

// A property of each lane's level; quads have one level unless kByLane.
template <bool kByLane, class Vector, class Value>
CUTAWAY_INLINE Vector of_levels(const Value (&table)[kLevelSlots], Ints level) {
#ifdef __AVX512F__
  return (Vector)_mm512_permutexvar_epi32((__m512i)level, _mm512_load_si512(table));
#else
  if constexpr (!kByLane) {
    const Value quads[2] = {table[level[0]], table[level[4]]};
    return spread<Vector>(quads);
  }
  Vector out;
  for (int i = 0; i < kVector; i++) out[i] = table[level[i]];
  return out;
#endif
}

// One coordinate of the places of a probe (probe_place of footprint.cpp).
template <bool kByLane>
CUTAWAY_INLINE Floats probe_place(const WidePlan& plan, Floats place, const float* along, uint32_t probe,
                                  int lane) {
  const Ints probes = of_lanes<kByLane>(plan.probes, lane);
  const Floats way = all(static_cast<float>(probe + 1)) / to_float(probes + 1) - 0.5f;
  return choose((Ints)(probes == 1), place, place + way * of_lanes<kByLane>(along, lane));
}

// Texel i of a sample: a column and a row of a slice that begins at `base`.
CUTAWAY_INLINE void locate_texel(const WideTexture& t, Words base, Ints x, Ints y, Words pitch, int i,
                                 int lane, WideFootprint& out) {
  store(&out.offset[i][lane], base + row_offset(y, pitch, t) + column_offset(x, t));
  if (t.block_format) store(&out.in_block[i][lane], (Words)((y & 3) * 4 + (x & 3)));
}

// All texels of a sample; columns and rows are computed once.
CUTAWAY_INLINE void locate(const WideTexture& t, const AxisTexels& x, const AxisTexels& y, Words base,
                           Words pitch, bool linear, int lane, WideFootprint& out) {
  Words row[2], column[2];
  for (int i = 0; i < (linear ? 2 : 1); i++) {
    row[i] = base + row_offset(y.texel[i], pitch, t);
    column[i] = column_offset(x.texel[i], t);
  }
  for (int i = 0; i < (linear ? 4 : 1); i++) {
    store(&out.offset[i][lane], row[i >> 1] + column[i & 1]);
    if (t.block_format)
      store(&out.in_block[i][lane], (Words)((y.texel[i >> 1] & 3) * 4 + (x.texel[i & 1] & 3)));
  }
  if (!linear) return;
  store(&out.fraction_u[lane], (Words)x.fraction);
  store(&out.fraction_v[lane], (Words)y.fraction);
}

// Parameters of a sample of a vector's lanes.
struct Sample {
  uint32_t probe;
  bool linear, nearest;  // some lane of the group
  int lane;              // the first
  Ints level, is_linear;
  Ints inside = Ints{} - 1;
};

// cube_footprint of footprint.cpp: crosses the edges of faces. `cubes`: start of each lane's cube in its
// level.
CUTAWAY_INLINE void locate_on_cube(const WideTexture& t, Floats u, Floats v, Floats size_float, Ints size,
                                   Words cubes, Ints face, Words pitch, Sample& sample, WideFootprint& out) {
  struct Along {
    Ints fixed, whole;
  };
  const auto along = [&](Floats coordinate) -> Along {
    const Floats position = near_position(coordinate, size_float, sample.inside);
    Floats clamped = choose((Ints)(position < 0.0f), Floats{}, position);
    clamped = choose((Ints)(clamped > size_float), size_float, clamped);
    return {fixed_position(clamped, 0), least(to_int(clamped), size - 1)};
  };
  const Along x = along(u), y = along(v);
  store(&out.fraction_u[sample.lane], (Words)(x.fixed & sample.is_linear & 255));
  store(&out.fraction_v[sample.lane], (Words)(y.fixed & sample.is_linear & 255));
  for (int i = 0; i < 4; i++) {
    Ints on = face;
    Ints column = choose(sample.is_linear, (x.fixed >> 8) + (i & 1), x.whole);
    Ints row = choose(sample.is_linear, (y.fixed >> 8) + (i >> 1), y.whole);
    fold_texel(on, column, row, size, sample.inside);
    locate_texel(t, cubes + (Words)on * t.face_pitch, column & sample.inside, row & sample.inside, pitch, i,
                 sample.lane, out);
  }
}

// A vector's lanes. kPlain: filtered, 2D, one layer.
template <bool kByLane, bool kPlain>
CUTAWAY_INLINE void locate_lanes(const WideTexture& t, const WidePlan& plan, Sample& sample,
                                 WideFootprint& out) {
  const int lane = sample.lane;
  const Ints width = of_levels<kByLane, Ints>(t.level.width, sample.level);
  const Floats width_float = of_levels<kByLane, Floats>(t.level.width_float, sample.level);
  const Words pitch = of_levels<kByLane, Words>(t.level.pitch, sample.level);
  Words base = of_levels<kByLane, Words>(t.level.offset, sample.level);
  if (!kPlain && t.array) base += load(plan.layer + lane);
  Floats u = load_floats(plan.u + lane), v{};
  if (kPlain || t.dimensions > 1) v = load_floats(plan.v + lane);
  if ((kPlain || t.dimensions < 3) && plan.most_probes > 1) {
    u = probe_place<kByLane>(plan, u, plan.du, sample.probe, lane);
    v = probe_place<kByLane>(plan, v, plan.dv, sample.probe, lane);
  }
  if (!kPlain && t.cube) {
    const Ints face = (Ints)load(plan.face + lane);
    if (t.seamless && sample.linear)
      return locate_on_cube(t, u, v, width_float, width, base, face, pitch, sample, out);
    base += (Words)face * t.face_pitch;
  }
  const auto along = [&](Floats coordinate, Floats size_float, Ints size, const WideTexture::Axis& wrap)
      __attribute__((always_inline)) {
    if (!kPlain && t.fetch) return fetched_axis((Ints)coordinate, size, wrap.offset, sample.inside);
    return axis(coordinate, t.texel_units ? all(1) : size_float, size_float, size, sample.linear,
                sample.nearest, sample.is_linear, wrap, sample.inside);
  };
  const AxisTexels x = along(u, width_float, width, t.axis[0]);
  AxisTexels y{};
  if (kPlain || t.dimensions > 1)
    y = along(v, of_levels<kByLane, Floats>(t.level.height_float, sample.level),
              of_levels<kByLane, Ints>(t.level.height, sample.level), t.axis[1]);
  if (!kPlain && t.dimensions == 3) {
    const AxisTexels z =
        along(load_floats(plan.w + lane), of_levels<kByLane, Floats>(t.level.depth_float, sample.level),
              of_levels<kByLane, Ints>(t.level.depth, sample.level), t.axis[2]);
    base += (Words)(sample.probe ? z.texel[1] : z.texel[0]) *
            of_levels<kByLane, Words>(t.level.slice_pitch, sample.level);
    store(&out.fraction_w[lane], (Words)z.fraction);
  }
  locate(t, x, y, base, pitch, sample.linear, lane, out);
}

// Lanes that take the sample.
template <bool kByLane>
CUTAWAY_INLINE uint32_t taking(const WidePlan& plan, uint32_t level, uint32_t probe, int lane) {
  Ints takes = Ints{} - 1;
  if (plan.most_probes > 1) takes = (Ints)(of_lanes<kByLane>(plan.probes, lane) > (int32_t)probe);
  if (level) takes &= (Ints)(of_lanes<kByLane>(plan.fraction, lane) != 0);
  return mask_of(takes);
}

template <bool kByLane, bool kPlain>
[[gnu::noinline]] void locate_group(const WideTexture& t, uint32_t level, uint32_t probe, WidePlan& plan,
                                    WideFootprint& out) {
  out.quads = 0;
  for (int lane = 0; lane < (int)kWideLanes; lane += kVector) {
    if (!(plan.planned >> lane & kAllLanes)) continue;
    const uint32_t taken = taking<kByLane>(plan, level, probe, lane);
    if (!taken) continue;
    const uint32_t pairs = taken | taken >> 1;
    out.quads |= ((pairs | pairs >> 2) & 0x1111) << lane;
    Ints levels = of_lanes<kByLane>(plan.level, lane);
    if (level) levels -= (Ints)(of_lanes<kByLane>(plan.fraction, lane) != 0);
    Sample sample{.probe = probe,
                  .linear = plan.texels == 4,
                  .nearest = plan.nearest,
                  .lane = lane,
                  .level = levels,
                  .is_linear = of_lanes<kByLane>(plan.linear, lane)};
    locate_lanes<kByLane, kPlain>(t, plan, sample, out);
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
