#include <bit>
#include <utility>

#include "func/format/block.h"

// "BPTC Compressed Texture Image Formats", BC7.
namespace cutaway::func {
namespace {

// Number of bits of each part, in stored order after the mode.
struct Bc7Mode {
  uint8_t subsets, partition, rotation, index_choice, color, alpha;
  uint8_t end_point_parity, subset_parity;  // one bit per end point, or one per subset
  uint8_t index, second_index;              // 0: there is no second index
};

constexpr Bc7Mode kBc7Modes[8] = {{3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0},
                                  {3, 6, 0, 0, 5, 0, 0, 0, 2, 0}, {2, 6, 0, 0, 7, 0, 1, 0, 2, 0},
                                  {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
                                  {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0}};

// Expands `bits` bits of a channel to 8 by repeating the highest.
uint32_t expand(uint32_t value, uint32_t bits) {
  value <<= 8 - bits;
  return value | value >> bits;
}

uint32_t interpolate(uint32_t a, uint32_t b, uint32_t weight) {
  return ((64 - weight) * a + weight * b + 32) >> 6;
}

}  // namespace

void decode_bc7(const std::byte* block, uint32_t texel, uint8_t out[4]) {
  const BlockBits data(block);
  const auto number = static_cast<uint32_t>(std::countr_zero(data.bits(0, 8) | 0x100));
  out[0] = out[1] = out[2] = out[3] = 0;
  if (number > 7) return;
  const Bc7Mode& mode = kBc7Modes[number];
  uint32_t at = number + 1;
  const auto next = [&](uint32_t bits) {
    const uint32_t value = data.bits(at, bits);
    at += bits;
    return value;
  };
  const uint32_t partition = next(mode.partition), rotation = next(mode.rotation);
  const uint32_t index_choice = next(mode.index_choice);
  const uint32_t subset = block_subset(mode.subsets, partition, texel);

  // Both end points of the texel's subset; all end points of one channel are contiguous.
  const uint32_t end_points = 2 * mode.subsets, mine = 2 * subset;
  uint32_t color[4][2];
  for (uint32_t c = 0; c < 4; c++) {
    const uint32_t bits = c < 3 ? mode.color : mode.alpha;
    for (uint32_t e = 0; e < 2; e++) color[c][e] = bits ? data.bits(at + (mine + e) * bits, bits) : 255;
    at += end_points * bits;
  }
  const uint32_t parity = mode.end_point_parity | mode.subset_parity;
  for (uint32_t e = 0; e < 2 && parity; e++) {
    const uint32_t bit = data.bits(at + (mode.end_point_parity ? mine + e : subset), 1);
    for (uint32_t c = 0; c < (mode.alpha ? 4u : 3u); c++) color[c][e] = color[c][e] << 1 | bit;
  }
  at += mode.end_point_parity ? end_points : mode.subset_parity ? mode.subsets : 0;
  for (uint32_t c = 0; c < (mode.alpha ? 4u : 3u); c++)
    for (uint32_t& value : color[c]) value = expand(value, (c < 3 ? mode.color : mode.alpha) + parity);

  const auto weight = [&](uint32_t first, uint32_t bits) {
    const BlockIndex index = block_index(first, bits, mode.subsets, partition, texel);
    return block_weight(bits, data.bits(index.first, index.bits));
  };
  uint32_t color_weight = weight(at, mode.index), alpha_weight = color_weight;
  if (mode.second_index) {
    alpha_weight = weight(at + 16u * mode.index - mode.subsets, mode.second_index);
    if (index_choice) std::swap(color_weight, alpha_weight);
  }
  for (uint32_t c = 0; c < 4; c++)
    out[c] = static_cast<uint8_t>(interpolate(color[c][0], color[c][1], c < 3 ? color_weight : alpha_weight));
  if (rotation) std::swap(out[3], out[rotation - 1]);
}

}  // namespace cutaway::func
