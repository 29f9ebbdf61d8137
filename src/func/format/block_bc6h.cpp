#include <array>
#include <cstdlib>
#include <string_view>

#include "func/format/block.h"
#include "func/format/numeric.h"

// "BPTC Compressed Texture Image Formats", BC6H.
namespace cutaway::func {
namespace {

// Bits first … last of a channel (r, g, b) of end point 0 to 3, in stored order.
struct Part {
  uint8_t channel, end_point, first, last;
};

struct Mode {
  uint8_t number;  // the mode bits
  uint8_t regions;
  bool transformed;  // end points 1 to 3 are differences from the first
  uint8_t bits;      // of end point 0
  uint8_t delta[3];  // of the others, by channel
  std::string_view layout;
};

// In the specification's notation: rgb, the end point, then the bits from the field's highest down to the one
// stored first; x[10:11] is stored with bit 11 first.
constexpr Mode kModes[14] = {
    {0,
     2,
     true,
     10,
     {5, 5, 5},
     "g2[4]b2[4]b3[4]r0[9:0]g0[9:0]b0[9:0]r1[4:0]g3[4]g2[3:0]g1[4:0]b3[0]g3[3:0]b1[4:0]b3[1]b2[3:0]r2[4:0]"
     "b3[2]r3[4:0]b3[3]"},
    {1,
     2,
     true,
     7,
     {6, 6, 6},
     "g2[5]g3[4]g3[5]r0[6:0]b3[0]b3[1]b2[4]g0[6:0]b2[5]b3[2]g2[4]b0[6:0]b3[3]b3[5]b3[4]r1[5:0]g2[3:0]g1[5:0]"
     "g3[3:0]b1[5:0]b2[3:0]r2[5:0]r3[5:0]"},
    {2,
     2,
     true,
     11,
     {5, 4, 4},
     "r0[9:0]g0[9:0]b0[9:0]r1[4:0]r0[10]g2[3:0]g1[3:0]g0[10]b3[0]g3[3:0]b1[3:0]b0[10]b3[1]b2[3:0]r2[4:0]"
     "b3[2]r3[4:0]b3[3]"},
    {6,
     2,
     true,
     11,
     {4, 5, 4},
     "r0[9:0]g0[9:0]b0[9:0]r1[3:0]r0[10]g3[4]g2[3:0]g1[4:0]g0[10]g3[3:0]b1[3:0]b0[10]b3[1]b2[3:0]r2[3:0]"
     "b3[0]b3[2]r3[3:0]g2[4]b3[3]"},
    {10,
     2,
     true,
     11,
     {4, 4, 5},
     "r0[9:0]g0[9:0]b0[9:0]r1[3:0]r0[10]b2[4]g2[3:0]g1[3:0]g0[10]b3[0]g3[3:0]b1[4:0]b0[10]b2[3:0]r2[3:0]"
     "b3[1]b3[2]r3[3:0]b3[4]b3[3]"},
    {14,
     2,
     true,
     9,
     {5, 5, 5},
     "r0[8:0]b2[4]g0[8:0]g2[4]b0[8:0]b3[4]r1[4:0]g3[4]g2[3:0]g1[4:0]b3[0]g3[3:0]b1[4:0]b3[1]b2[3:0]r2[4:0]"
     "b3[2]r3[4:0]b3[3]"},
    {18,
     2,
     true,
     8,
     {6, 5, 5},
     "r0[7:0]g3[4]b2[4]g0[7:0]b3[2]g2[4]b0[7:0]b3[3]b3[4]r1[5:0]g2[3:0]g1[4:0]b3[0]g3[3:0]b1[4:0]b3[1]"
     "b2[3:0]r2[5:0]r3[5:0]"},
    {22,
     2,
     true,
     8,
     {5, 6, 5},
     "r0[7:0]b3[0]b2[4]g0[7:0]g2[5]g2[4]b0[7:0]g3[5]b3[4]r1[4:0]g3[4]g2[3:0]g1[5:0]g3[3:0]b1[4:0]b3[1]"
     "b2[3:0]r2[4:0]b3[2]r3[4:0]b3[3]"},
    {26,
     2,
     true,
     8,
     {5, 5, 6},
     "r0[7:0]b3[1]b2[4]g0[7:0]b2[5]g2[4]b0[7:0]b3[5]b3[4]r1[4:0]g3[4]g2[3:0]g1[4:0]b3[0]g3[3:0]b1[5:0]"
     "b2[3:0]r2[4:0]b3[2]r3[4:0]b3[3]"},
    {30,
     2,
     false,
     6,
     {6, 6, 6},
     "r0[5:0]g3[4]b3[0]b3[1]b2[4]g0[5:0]g2[5]b2[5]b3[2]g2[4]b0[5:0]g3[5]b3[3]b3[5]b3[4]r1[5:0]g2[3:0]g1[5:0]"
     "g3[3:0]b1[5:0]b2[3:0]r2[5:0]r3[5:0]"},
    {3, 1, false, 10, {10, 10, 10}, "r0[9:0]g0[9:0]b0[9:0]r1[9:0]g1[9:0]b1[9:0]"},
    {7, 1, true, 11, {9, 9, 9}, "r0[9:0]g0[9:0]b0[9:0]r1[8:0]r0[10]g1[8:0]g0[10]b1[8:0]b0[10]"},
    {11, 1, true, 12, {8, 8, 8}, "r0[9:0]g0[9:0]b0[9:0]r1[7:0]r0[10:11]g1[7:0]g0[10:11]b1[7:0]b0[10:11]"},
    {15, 1, true, 16, {4, 4, 4}, "r0[9:0]g0[9:0]b0[9:0]r1[3:0]r0[10:15]g1[3:0]g0[10:15]b1[3:0]b0[10:15]"}};

struct Layout {
  std::array<Part, 26> part{};
  uint32_t parts = 0;
};

constexpr Layout parse(std::string_view text) {
  Layout layout;
  for (size_t i = 0; i < text.size();) {
    Part& part = layout.part[layout.parts++];
    part.channel = text[i] == 'r' ? 0 : text[i] == 'g' ? 1 : 2;
    part.end_point = static_cast<uint8_t>(text[i + 1] - '0');
    i += 3;
    uint8_t bound[2] = {};
    uint32_t bounds = 0;
    for (; text[i] != ']'; i++) {
      if (text[i] == ':') bounds++;
      else bound[bounds] = static_cast<uint8_t>(bound[bounds] * 10 + (text[i] - '0'));
    }
    i++;
    part.last = bound[0];
    part.first = bounds ? bound[1] : bound[0];
  }
  return layout;
}

constexpr std::array<Layout, 14> make_layouts() {
  std::array<Layout, 14> layouts;
  for (size_t i = 0; i < layouts.size(); i++) layouts[i] = parse(kModes[i].layout);
  return layouts;
}
constexpr std::array<Layout, 14> kLayouts = make_layouts();

int32_t unquantize(int32_t value, uint32_t bits, bool is_signed) {
  if (!is_signed) {
    if (bits >= 15 || value == 0) return value;
    return value == static_cast<int32_t>(low_mask32(bits)) ? 0xffff : ((value << 16) + 0x8000) >> bits;
  }
  if (bits >= 16 || value == 0) return value;
  const int32_t size = std::abs(value), most = static_cast<int32_t>(low_mask32(bits - 1));
  const int32_t wide = size >= most ? 0x7fff : ((size << 15) + 0x4000) >> (bits - 1);
  return value < 0 ? -wide : wide;
}

uint16_t to_half(int32_t value, bool is_signed) {
  if (!is_signed) return static_cast<uint16_t>(value * 31 >> 6);
  const auto size = static_cast<uint16_t>(std::abs(value) * 31 >> 5);
  return static_cast<uint16_t>(value < 0 ? 0x8000 | size : size);
}

}  // namespace

void decode_bc6h(const std::byte* block, uint32_t texel, bool is_signed, uint16_t out[3]) {
  const BlockBits data(block);
  out[0] = out[1] = out[2] = 0;
  const uint32_t low = data.bits(0, 2), number = low < 2 ? low : data.bits(0, 5);
  size_t index = 0;
  while (index < 14 && kModes[index].number != number) index++;
  if (index == 14) return;
  const Mode& mode = kModes[index];

  uint32_t raw[3][4] = {};
  uint32_t at = low < 2 ? 2 : 5;
  for (uint32_t i = 0; i < kLayouts[index].parts; i++) {
    const Part& part = kLayouts[index].part[i];
    const int step = part.last >= part.first ? 1 : -1;
    for (int bit = part.first;; bit += step) {
      raw[part.channel][part.end_point] |= data.bits(at++, 1) << bit;
      if (bit == part.last) break;
    }
  }
  const uint32_t partition = mode.regions == 2 ? data.bits(at, 5) : 0;
  if (mode.regions == 2) at += 5;

  const uint32_t first = 2 * block_subset(mode.regions, partition, texel), bits = mode.regions == 2 ? 3 : 4;
  const BlockIndex where = block_index(at, bits, mode.regions, partition, texel);
  const auto weight = static_cast<int32_t>(block_weight(bits, data.bits(where.first, where.bits)));
  for (uint32_t c = 0; c < 3; c++) {
    int32_t end[2];
    for (uint32_t e = 0; e < 2; e++) {
      const uint32_t number_of = first + e;
      uint32_t value = raw[c][number_of];
      if (number_of > 0 && mode.transformed)
        value =
            (raw[c][0] + static_cast<uint32_t>(sign_extend(value, mode.delta[c]))) & low_mask32(mode.bits);
      end[e] = is_signed ? sign_extend(value, mode.bits) : static_cast<int32_t>(value);
      end[e] = unquantize(end[e], mode.bits, is_signed);
    }
    out[c] = to_half(((64 - weight) * end[0] + weight * end[1] + 32) >> 6, is_signed);
  }
}

}  // namespace cutaway::func
