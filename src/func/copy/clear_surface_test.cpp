#include "func/copy/clear_surface.h"

#include <bit>
#include <cstring>
#include <gtest/gtest.h>
#include <map>

#include "func/format/texel.h"

namespace cutaway::func {
namespace {

using arch::Format;

arch::ClearPacket packet_of(Format format, uint32_t width, uint32_t height, uint32_t samples_log2 = 0) {
  arch::ClearPacket packet{};
  arch::Surface& s = packet.surface;
  s.format = static_cast<uint32_t>(format);
  s.type = arch::Surface::make_type(arch::SurfaceType::k2D, arch::Tiling::kTiled, samples_log2);
  s.width = width, s.height = height, s.depth = 1, s.levels = 3, s.layers = 4;
  s.level_count = s.layer_count = 1;
  s.address = 0x1000;
  packet.width = width, packet.height = height;
  return packet;
}

std::vector<ClearRun> runs_of(const arch::ClearPacket& packet) {
  ClearCursor cursor(packet);
  std::vector<ClearRun> runs;
  for (ClearRun run; cursor.next(run);) runs.push_back(run);
  return runs;
}

TEST(ClearSurface, AWholeLayerIsOneRun) {
  const auto runs = runs_of(packet_of(Format::R8G8B8A8_UNORM, 20, 12));
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].address, 0x1000u);
  EXPECT_EQ(runs[0].bytes, 3 * 2 * 256u);
}

// Runs cover exactly the elements of the rectangle, its level, layers and samples; elements beyond the
// level's edges together with its last tiles.
TEST(ClearSurface, RunsAreTheElementsOfTheRectangle) {
  for (const Format format : {Format::R8_UNORM, Format::R16G16B16A16_SFLOAT, Format::R32G32B32A32_SFLOAT,
                              Format::D32_SFLOAT_S8_UINT, Format::D16_UNORM})
    for (uint32_t samples : {0u, 2u})
      for (uint32_t level : {0u, 1u}) {
        arch::ClearPacket packet = packet_of(format, 72, 54, samples);
        arch::Surface& s = packet.surface;
        s.base_level = level, s.base_layer = 1, s.layer_count = 2;
        const arch::LevelLayout layout = arch::level_layout(s, level);
        packet.x = 8, packet.y = 16, packet.width = layout.width - 8, packet.height = 8;
        if (level == 0) packet.width = 40, packet.height = 38;
        std::map<arch::Address, int> covered;
        const uint32_t bytes = arch::format_info(format).bytes;
        ClearCursor cursor(packet);
        for (ClearRun run; cursor.next(run);) {
          EXPECT_EQ(run.address % kClearBytes + run.bytes % kClearBytes, 0u);
          EXPECT_GE(run.address, cursor.layer().address);
          EXPECT_LE(run.address + run.bytes, cursor.layer().address + cursor.layer().bytes);
          for (uint64_t i = 0; i < run.bytes; i += bytes) covered[run.address + i]++;
        }
        size_t expected = 0;
        for (uint32_t layer = 1; layer < 3; layer++)
          for (uint32_t y = packet.y; y < (packet.y + packet.height + 7) / 8 * 8; y++)
            for (uint32_t x = packet.x; x < (packet.x + packet.width + 7) / 8 * 8; x++)
              for (uint32_t sample = 0; sample < s.samples(); sample++, expected++)
                EXPECT_EQ(covered[arch::element_address(s, layout, x, y, 0, layer, sample)], 1);
        EXPECT_EQ(covered.size(), expected);
      }
}

uint64_t element_of(const ClearValue& value, uint32_t bytes) {
  uint64_t element = 0;
  std::memcpy(&element, value.bytes.data(), bytes);
  return element;
}

TEST(ClearSurface, ValuesAreThoseOfTheFormat) {
  arch::ClearPacket packet = packet_of(Format::D24_UNORM_S8_UINT, 8, 8);
  packet.value[0] = std::bit_cast<uint32_t>(0.5f), packet.value[1] = 0x5a;
  const auto value = [&] { return ClearCursor(packet).value(); };
  EXPECT_EQ(element_of(value(), 4), 0x5a800000u);
  EXPECT_TRUE(value().whole());
  EXPECT_EQ(stored_clear_depth(packet), static_cast<float>(0x800000 / 16777215.0));
  packet.aspect = 1;
  EXPECT_EQ(value().mask, 0x7777777777777777u);
  packet.aspect = 2;
  EXPECT_EQ(value().mask, 0x8888888888888888u);
  packet.aspect = 0;
  for (const auto& [depth, stored] : {std::pair{2.0f, 0x5affffffu},
                                      {-1.0f, 0x5a000000u},
                                      {std::bit_cast<float>(0x7fc00000u), 0x5a000000u}}) {
    packet.value[0] = std::bit_cast<uint32_t>(depth);
    EXPECT_EQ(element_of(value(), 4), stored);
  }
  packet = packet_of(Format::D32_SFLOAT, 8, 8);
  packet.value[0] = std::bit_cast<uint32_t>(7.0f);
  EXPECT_EQ(element_of(value(), 4), std::bit_cast<uint32_t>(1.0f));
  packet = packet_of(Format::S8_UINT, 8, 8);
  packet.value[1] = 0x42;
  EXPECT_EQ(element_of(value(), 1), 0x42u);
  packet = packet_of(Format::B8G8R8A8_UNORM, 8, 8);
  for (uint32_t i = 0; i < 4; i++) packet.value[i] = std::bit_cast<uint32_t>(static_cast<float>(i) / 3);
  EXPECT_EQ(element_of(value(), 4), 0xff0055aau);
}

TEST(ClearSurface, AppliesTheBytesOfItsMask) {
  arch::ClearPacket packet = packet_of(Format::D24_UNORM_S8_UINT, 8, 8);
  packet.aspect = 2, packet.value[1] = 0x12;
  std::array<std::byte, kClearBytes> bytes;
  bytes.fill(std::byte{0x77});
  ClearCursor(packet).value().apply(bytes.data());
  for (uint32_t i = 0; i < kClearBytes; i++) EXPECT_EQ(bytes[i], std::byte(i % 4 == 3 ? 0x12 : 0x77));
}

}  // namespace
}  // namespace cutaway::func
