// Compares the lines of a quad's texels with those that are found texel by texel.
#include "boxes/texture_unit/sample_lines.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace cutaway::boxes {
namespace {

struct Expected {
  arch::Address start;
  uint32_t units = 0, texels = 0;
};

std::vector<Expected> lines_of(const TextureUnitSpec& spec, const func::QuadFootprint& quad, uint32_t lanes) {
  std::vector<Expected> lines;
  for (uint32_t texel = 0; texel < 16; texel++) {
    if (!(lanes >> texel / 4 & 1)) continue;
    const arch::Address address = quad.address(texel / 4, texel % 4);
    const arch::Address start = address / spec.line_bytes * spec.line_bytes;
    auto line = std::find_if(lines.begin(), lines.end(), [&](const auto& of) { return of.start == start; });
    if (line == lines.end()) line = lines.insert(lines.end(), {start});
    line->units |= 1u << (address - start) / spec.fetch_bytes;
    line->texels |= 1u << texel;
  }
  return lines;
}

void expect_same(const TextureUnitSpec& spec, const func::QuadFootprint& quad, uint32_t lanes) {
  const LineUnits units(spec);
  SampleLines found;
  found.find(units, quad, lanes);
  const std::vector<Expected> expected = lines_of(spec, quad, lanes);
  ASSERT_EQ(found.count(), expected.size());
  for (uint32_t i = 0; i < found.count(); i++) {
    EXPECT_EQ(found[i].start, expected[i].start);
    EXPECT_EQ(found[i].texels, expected[i].texels);
    uint32_t grains = 0, of_lanes = 0;
    for (uint32_t unit = 0; unit < 16; unit++)
      if (expected[i].units >> unit & 1) grains |= units.grains_at(unit * spec.fetch_bytes);
    for (uint32_t lane = 0; lane < 4; lane++) of_lanes += (expected[i].texels >> 4 * lane & 15) != 0;
    EXPECT_EQ(found[i].grains, grains);
    EXPECT_EQ(found[i].lanes(), of_lanes);
    for (uint32_t texel = 0; texel < 16; texel++) {
      if (!(expected[i].texels >> texel & 1)) continue;
      EXPECT_EQ(found.line_of()[texel], i);
      EXPECT_EQ(found.offset()[texel], quad.address(texel / 4, texel % 4) - expected[i].start);
    }
  }
}

TEST(SampleLines, AreThoseOfTheTexels) {
  std::mt19937 random{5};
  for (const uint32_t line_bytes : {64u, 128u, 192u, 256u, 512u})
    for (const uint32_t fetch_bytes : {32u, 64u}) {
      TextureUnitSpec spec;
      spec.line_bytes = line_bytes, spec.fetch_bytes = spec.load_bytes = fetch_bytes;
      for (int i = 0; i < 2000; i++) {
        func::QuadFootprint quad;
        quad.base = 0x123456000 + random() % 8 * 64;
        const uint32_t reach = 16u << random() % 12;  // all in one line, or each in another
        for (auto& lane : quad.offset)
          for (uint32_t& offset : lane) offset = 0x100000 + random() % reach / 4 * 4;
        expect_same(spec, quad, 1 + random() % 15);
        if (HasFailure()) return;
      }
    }
}

// The offsets of a level go up to 2^31.
TEST(SampleLines, MayBeFarApart) {
  func::QuadFootprint quad;
  quad.base = 0x7fff0000;
  for (uint32_t texel = 0; texel < 16; texel++)
    quad.offset[texel / 4][texel % 4] = texel % 2 ? 0x7fffff00 : 0x40;
  expect_same({}, quad, 15);
}

TEST(SampleLines, TakeOtherNumbers) {
  func::QuadFootprint quad;
  for (uint32_t texel = 0; texel < 16; texel++) quad.offset[texel / 4][texel % 4] = texel % 2 * 4096;
  SampleLines lines;
  lines.find(LineUnits({}), quad, 15);
  ASSERT_EQ(lines.count(), 2u);
  EXPECT_EQ(lines[0].first_lane(), 0u);
  const uint8_t number[] = {9, 4};
  lines.renumber(number);
  for (uint32_t texel = 0; texel < 16; texel++) EXPECT_EQ(lines.line_of()[texel], texel % 2 ? 4 : 9);
}

}  // namespace
}  // namespace cutaway::boxes
