// Blending of whole groups. wide_blend_portable.cpp and its like define CUTAWAY_ALU, then include this. Every
// operation equals that of blend.cpp on the same values.
#ifndef CUTAWAY_ALU
#error "wide_blend_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/rop/wide_blend.h"
#include "func/shader/lanes.h"
// It follows the one before.
#include "func/format/half_lanes.h"

namespace cutaway::func::CUTAWAY_ALU {

struct Colors {
  Floats source[4], destination[4];
  float constant[4];
};

// Component c of a factor; c = 3 is the alpha factor.
CUTAWAY_INLINE Floats blend_factor(uint8_t factor, const Colors& in, uint32_t c) {
  switch (static_cast<arch::BlendFactor>(factor)) {
    case arch::BlendFactor::kOne:
      return all(1);
    case arch::BlendFactor::kSrcColor:
      return in.source[c];
    case arch::BlendFactor::kOneMinusSrcColor:
      return 1.0f - in.source[c];
    case arch::BlendFactor::kDstColor:
      return in.destination[c];
    case arch::BlendFactor::kOneMinusDstColor:
      return 1.0f - in.destination[c];
    case arch::BlendFactor::kSrcAlpha:
      return in.source[3];
    case arch::BlendFactor::kOneMinusSrcAlpha:
      return 1.0f - in.source[3];
    case arch::BlendFactor::kDstAlpha:
      return in.destination[3];
    case arch::BlendFactor::kOneMinusDstAlpha:
      return 1.0f - in.destination[3];
    case arch::BlendFactor::kConstantColor:
      return all(in.constant[c]);
    case arch::BlendFactor::kOneMinusConstantColor:
      return all(1 - in.constant[c]);
    case arch::BlendFactor::kConstantAlpha:
      return all(in.constant[3]);
    case arch::BlendFactor::kOneMinusConstantAlpha:
      return all(1 - in.constant[3]);
    case arch::BlendFactor::kSrcAlphaSaturate: {
      const Floats room = 1.0f - in.destination[3];
      return c == 3 ? all(1) : choose((Ints)(in.source[3] < room), in.source[3], room);
    }
    default:
      return Floats{};
  }
}

CUTAWAY_INLINE Floats blended(uint8_t op, uint8_t source_factor, uint8_t destination_factor, const Colors& in,
                              uint32_t c) {
  const Floats s = in.source[c], d = in.destination[c];
  if (static_cast<arch::BlendOp>(op) == arch::BlendOp::kMin) return choose((Ints)(s < d), s, d);
  if (static_cast<arch::BlendOp>(op) == arch::BlendOp::kMax) return choose((Ints)(s > d), s, d);
  const Floats first = s * blend_factor(source_factor, in, c);
  const Floats second = d * blend_factor(destination_factor, in, c);
  if (static_cast<arch::BlendOp>(op) == arch::BlendOp::kSubtract) return first - second;
  if (static_cast<arch::BlendOp>(op) == arch::BlendOp::kReverseSubtract) return second - first;
  return first + second;
}

CUTAWAY_INLINE void blend(const TargetState& target, Colors& in, Floats value[4]) {
  CUTAWAY_UNROLL for (uint32_t c = 0; c < 4; c++) in.constant[c] = target.constant.data()[c];
  CUTAWAY_UNROLL for (uint32_t c = 0; c < 3; c++) value[c] =
      blended(target.color_op, target.color_source, target.color_destination, in, c);
  value[3] = blended(target.alpha_op, target.alpha_source, target.alpha_destination, in, 3);
}

// stored: the elements, where the target needs them.
CUTAWAY_INLINE Words unorm8(const TargetState& target, Floats value[4], Words stored) {
  const bool bgra = target.layout == TexelLayout::kBgra8Unorm;
  const uint32_t shift[4] = {bgra ? 16u : 0u, 8, bgra ? 0u : 16u, 24};
  if (target.blend) {
    Colors in;
    CUTAWAY_UNROLL for (uint32_t c = 0; c < 4; c++) {
      in.source[c] = unit(value[c]);
      in.destination[c] = quotient(to_float((Ints)(stored >> shift[c] & 255)), 255);
    }
    blend(target, in, value);
  }
  Words word{};
  CUTAWAY_UNROLL for (uint32_t c = 0; c < 4; c++) word |= to_unorm8(value[c]) << shift[c];
  return word;
}

// The lanes of a sector's quads from its rows, and the other way round; without AVX-512 those of its upper or
// lower half.
CUTAWAY_INLINE Words turned(Words v) {
#ifdef __AVX512F__
  return __builtin_shufflevector(v, v, 0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15);
#else
  return __builtin_shufflevector(v, v, 0, 1, 4, 5, 2, 3, 6, 7);
#endif
}

// Elements of two words in a vector's lanes: those of the first lanes, and of the last ones.
struct LongElements {
  Words first, last;
};
CUTAWAY_INLINE LongElements load_long(const uint32_t* element) {
  return {load(element), load(element + kVector)};
}
CUTAWAY_INLINE void store_long(uint32_t* element, LongElements v) {
  store(element, v.first), store(element + kVector, v.last);
}
// turned() for elements of two words.
CUTAWAY_INLINE LongElements turned(LongElements v) {
#ifdef __AVX512F__
  const auto turn = [](Words w) {
    return __builtin_shufflevector(w, w, 0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15);
  };
  return {turn(v.first), turn(v.last)};
#else
  return {__builtin_shufflevector(v.first, v.last, 0, 1, 2, 3, 8, 9, 10, 11),
          __builtin_shufflevector(v.first, v.last, 4, 5, 6, 7, 12, 13, 14, 15)};
#endif
}

// Elements of halves from the stored ones, where the target needs them. Returns the lanes in which no result
// of blending is NaN.
CUTAWAY_INLINE uint32_t halves(const TargetState& target, Floats value[4], LongElements& element) {
  Ints number = Ints{} - 1;
  if (target.blend) {
    Colors in{};
    for (uint32_t c = 0; c < 4; c++) in.source[c] = value[c];
    if (target.reads_destination) {
      const Words low = low_words((LongWords)element.first, (LongWords)element.last);
      const Words high = odd_words(element.first, element.last);
      in.destination[0] = halves_to_floats(low & 0xffff), in.destination[1] = halves_to_floats(low >> 16);
      in.destination[2] = halves_to_floats(high & 0xffff), in.destination[3] = halves_to_floats(high >> 16);
    }
    blend(target, in, value);
    for (uint32_t c = 0; c < 4; c++) number &= (Ints)(value[c] == value[c]);
  }
  const Words low = floats_to_halves(value[0]) | floats_to_halves(value[1]) << 16;
  const Words high = floats_to_halves(value[2]) | floats_to_halves(value[3]) << 16;
  element = {first_in_turn(low, high), last_in_turn(low, high)};
  return mask_of(number);
}

constexpr int kSectorLanes = 16;

CUTAWAY_INLINE void unorm8_sector(const TargetState& target, const uint32_t* const source[4],
                                  const SectorPlace& sector) {
  for (int part = 0; part < kSectorLanes; part += kVector) {
    const uint32_t alive = sector.alive >> part & kAllLanes;
    uint32_t* const element = sector.elements + part;
    Floats value[4];
    CUTAWAY_UNROLL for (uint32_t c = 0; c < 4; c++) value[c] = (Floats)load(source[c] + sector.lane + part);
    const bool reads = alive != kAllLanes || (target.blend && target.reads_destination);
    const Words stored = reads ? turned(load(element)) : Words{};
    Words word = unorm8(target, value, stored);
    if (alive != kAllLanes) word = (Words)choose(lanes_of(alive), (Ints)word, (Ints)stored);
    store(element, turned(word));
  }
}

// Returns false, with nothing written, if some result of blending is NaN where a lane is alive.
CUTAWAY_INLINE bool halves_sector(const TargetState& target, const uint32_t* const source[4],
                                  const SectorPlace& sector) {
  constexpr int kParts = kSectorLanes / kVector;
  LongElements made[kParts];
  for (int part = 0; part < kParts; part++) {
    const int lane = part * kVector;
    const uint32_t alive = sector.alive >> lane & kAllLanes;
    Floats value[4];
    CUTAWAY_UNROLL for (uint32_t c = 0; c < 4; c++) value[c] = (Floats)load(source[c] + sector.lane + lane);
    const bool reads = alive != kAllLanes || (target.blend && target.reads_destination);
    const LongElements stored = reads ? turned(load_long(sector.elements + 2 * lane)) : LongElements{};
    made[part] = stored;
    if (alive & ~halves(target, value, made[part])) return false;
    if (alive == kAllLanes) continue;
    const Words on = (Words)lanes_of(alive);
    made[part].first = (Words)choose((Ints)first_in_turn(on, on), (Ints)made[part].first, (Ints)stored.first);
    made[part].last = (Words)choose((Ints)last_in_turn(on, on), (Ints)made[part].last, (Ints)stored.last);
  }
  for (int part = 0; part < kParts; part++)
    store_long(sector.elements + 2 * part * kVector, turned(made[part]));
  return true;
}

inline uint32_t blend_sectors(const TargetState& target, const uint32_t* const source[4],
                              const SectorPlace* sectors, uint32_t count) {
  const bool of_halves = target.layout == TexelLayout::kRgba16Float;
  uint32_t written = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!of_halves) unorm8_sector(target, source, sectors[i]);
    else if (!halves_sector(target, source, sectors[i])) continue;
    written |= 1u << i;
  }
  return written;
}

inline uint32_t blend_wide(const TargetState& target, const uint32_t* const source[4], uint32_t lanes,
                           uint32_t* element) {
  const bool of_halves = target.layout == TexelLayout::kRgba16Float;
  const bool reads = target.blend && target.reads_destination;
  uint32_t made = 0;
  for (uint32_t lane = 0; lane < lanes; lane += kVector) {
    Floats value[4];
    CUTAWAY_UNROLL for (uint32_t c = 0; c < 4; c++) value[c] = (Floats)load(source[c] + lane);
    if (!of_halves) {
      store(element + lane, unorm8(target, value, reads ? load(element + lane) : Words{}));
      made |= kAllLanes << lane;
      continue;
    }
    LongElements elements = reads ? load_long(element + 2 * lane) : LongElements{};
    made |= halves(target, value, elements) << lane;
    store_long(element + 2 * lane, elements);
  }
  return made;
}

constexpr WideBlend kWideBlend = {blend_wide, blend_sectors};

}  // namespace cutaway::func::CUTAWAY_ALU
