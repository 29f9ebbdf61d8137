#include "func/copy/copies_for_test.h"

namespace cutaway::func {
namespace {

using namespace testing;

TEST(CopySurface, AllTilingsOddSizesLevelsAndLayers) {
  std::mt19937 random(22);
  const Format formats[] = {Format::R8_UNORM,
                            Format::R5G6B5_UNORM_PACK16,
                            Format::R8G8B8_UNORM,
                            Format::R8G8B8A8_UNORM,
                            Format::R16G16B16A16_SFLOAT,
                            Format::R32G32B32_SFLOAT,
                            Format::R32G32B32A32_SFLOAT,
                            Format::BC1_RGB_UNORM_BLOCK,
                            Format::BC3_UNORM_BLOCK};
  const arch::Memory before = fresh_memory();
  for (int i = 0; i < 200; i++) {
    const auto pick = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    const Format format = formats[pick(9)];
    const auto tiling = [&] { return pick(2) ? Tiling::kTiled : Tiling::kLinear; };
    arch::CopySurfacePacket p{};
    p.source = surface(format, tiling(), kSource, 37, 29, 4, 3);
    p.destination = surface(format, tiling(), kDestination, 41, 53, 5, 4);
    p.source.base_level = pick(3);
    p.source.level_count = 1;
    p.destination.base_level = pick(3);
    p.destination.level_count = 1;
    p.source.base_layer = pick(2);
    p.source.layer_count = 1;
    const auto fit = [&](uint32_t source, uint32_t destination, uint32_t& sx, uint32_t& dx) {
      const uint32_t size = 1 + pick(std::min(source, destination));
      sx = pick(source - size + 1);
      dx = pick(destination - size + 1);
      return size;
    };
    const arch::FormatInfo& info = arch::format_info(format);
    const arch::LevelLayout from = arch::level_layout(p.source, p.source.base_level);
    const arch::LevelLayout to = arch::level_layout(p.destination, p.destination.base_level);
    const auto blocks = [](uint32_t size, uint32_t block) { return (size + block - 1) / block; };
    p.width = fit(blocks(from.width, info.block_width), blocks(to.width, info.block_width), p.source_x,
                  p.destination_x);
    p.height = fit(blocks(from.height, info.block_height), blocks(to.height, info.block_height), p.source_y,
                   p.destination_y);
    p.depth = fit(3 - p.source.base_layer, 4, p.source_z, p.destination_z);
    arch::Memory after = before;
    const Counts counts = run(p, after, 16u << pick(9));
    EXPECT_EQ(counts.source_bytes, uint64_t{p.width} * p.height * p.depth * info.bytes);
    expect_copied(p, before, after);
    ASSERT_FALSE(HasFatalFailure());
  }
}

TEST(CopySurface, ThereAndBackRestoresEveryByte) {
  const arch::Memory before = fresh_memory();
  arch::Memory memory = before;
  arch::CopySurfacePacket p{};
  p.source = surface(Format::R8G8B8A8_UNORM, Tiling::kTiled, kSource, 24, 16);
  p.destination = surface(Format::R8G8B8A8_UNORM, Tiling::kLinear, kDestination, 24, 16);
  p.width = 24;
  p.height = 16;
  p.depth = 1;
  run(p, memory);
  std::vector<std::byte> zeros(24 * 16 * 4);
  memory.write(kSource, zeros.data(), zeros.size());
  std::swap(p.source, p.destination);
  run(p, memory);
  for (uint64_t i = 0; i < 24 * 16 * 4; i++)
    ASSERT_EQ(memory.read_as<uint8_t>(kSource + i), before.read_as<uint8_t>(kSource + i));
}

TEST(CopySurface, BuffersAreLinearSurfacesWithPitches) {
  const arch::Memory before = fresh_memory();
  arch::Memory after = before;
  arch::CopySurfacePacket p{};
  p.source = surface(Format::R8G8B8A8_UNORM, Tiling::kLinear, kSource + 12, 10, 6, 1, 3);
  p.source.row_pitch = 44;
  p.source.slice_pitch = 300;
  p.destination = surface(Format::R8G8B8A8_UNORM, Tiling::kTiled, kDestination, 10, 6, 1, 3);
  p.width = 10;
  p.height = 6;
  p.depth = 3;
  run(p, after);
  EXPECT_EQ(element(after, p.destination, 9, 5, 2), element(before, p.source, 9, 5, 2));
  uint32_t raw = 0;
  before.read(kSource + 12 + 2 * 300 + 5 * 44 + 9 * 4, &raw, 4);
  EXPECT_EQ(after.read_as<uint32_t>(
                arch::element_address(p.destination, arch::level_layout(p.destination, 0), 9, 5, 0, 2)),
            raw);
}

TEST(CopySurface, VolumesByLayers) {
  const arch::Memory before = fresh_memory();
  arch::Memory after = before;
  arch::CopySurfacePacket p{};
  p.source = surface(Format::R8G8B8A8_UNORM, Tiling::kTiled, kSource, 9, 9, 1, 1, 5);
  p.destination = surface(Format::R8G8B8A8_UNORM, Tiling::kLinear, kDestination, 9, 9, 1, 6);
  p.source_z = 2;
  p.destination_z = 1;
  p.width = p.height = 9;
  p.depth = 3;
  run(p, after);
  expect_copied(p, before, after);
}

TEST(CopySurface, WholeSectorsOfTiledSurfacesAreOneChunk) {
  arch::Memory memory = fresh_memory();
  arch::CopySurfacePacket p{};
  p.source = surface(Format::R8G8B8A8_UNORM, Tiling::kTiled, kSource, 64, 64);
  p.destination = surface(Format::R8G8B8A8_UNORM, Tiling::kTiled, kDestination, 64, 64);
  p.width = p.height = 64;
  p.depth = 1;
  EXPECT_EQ(run(p, memory).chunks, 64u * 64 / 16);
  p.source_x = 1;
  p.width = 63;
  EXPECT_GT(run(p, memory).chunks, 64u * 64 / 16);
}

TEST(CopySurface, Multisample) {
  const arch::Memory before = fresh_memory();
  arch::Memory after = before;
  arch::CopySurfacePacket p{};
  p.source = surface(Format::R8G8B8A8_UNORM, Tiling::kTiled, kSource, 8, 8);
  p.source.type = Surface::make_type(SurfaceType::k2D, Tiling::kTiled, 2);
  p.destination = p.source;
  p.destination.address = kDestination;
  p.width = p.height = 8;
  p.depth = 1;
  EXPECT_EQ(run(p, after).destination_bytes, 8u * 8 * 4 * 4);
  for (uint64_t i = 0; i < 1024; i++)
    ASSERT_EQ(after.read_as<uint8_t>(kDestination + i), before.read_as<uint8_t>(kSource + i));
}

arch::CopySurfacePacket aspect_copy(Format from, Format to, CopyAspect aspect) {
  arch::CopySurfacePacket p{};
  p.source = surface(from, Tiling::kTiled, kSource, 11, 7);
  p.destination = surface(to, Tiling::kLinear, kDestination, 11, 7);
  p.width = 11;
  p.height = 7;
  p.depth = 1;
  p.aspect = static_cast<uint32_t>(aspect);
  return p;
}

uint64_t element_bits(const arch::Memory& memory, const Surface& s, uint32_t x, uint32_t y) {
  uint64_t bits = 0;
  const auto bytes = element(memory, s, x, y, 0);
  __builtin_memcpy(&bits, bytes.data(), bytes.size());
  return bits;
}

TEST(CopyAspects, MoveOneAndKeepTheOther) {
  const struct {
    Format from, to;
    CopyAspect aspect;
    uint32_t from_shift, to_shift, bits;
  } cases[] = {
      {Format::D24_UNORM_S8_UINT, Format::S8_UINT, CopyAspect::kStencil, 24, 0, 8},
      {Format::S8_UINT, Format::D24_UNORM_S8_UINT, CopyAspect::kStencil, 0, 24, 8},
      {Format::D24_UNORM_S8_UINT, Format::X8_D24_UNORM_PACK32, CopyAspect::kDepth, 0, 0, 24},
      {Format::X8_D24_UNORM_PACK32, Format::D24_UNORM_S8_UINT, CopyAspect::kDepth, 0, 0, 24},
      {Format::D32_SFLOAT, Format::D32_SFLOAT_S8_UINT, CopyAspect::kDepth, 0, 0, 32},
      {Format::D32_SFLOAT_S8_UINT, Format::D32_SFLOAT, CopyAspect::kDepth, 0, 0, 32},
      {Format::D32_SFLOAT_S8_UINT, Format::S8_UINT, CopyAspect::kStencil, 32, 0, 8},
      {Format::D16_UNORM, Format::D16_UNORM, CopyAspect::kDepth, 0, 0, 16},
  };
  const arch::Memory before = fresh_memory();
  for (const auto& c : cases) {
    for (bool swap : {false, true}) {
      arch::CopySurfacePacket p = aspect_copy(c.from, c.to, c.aspect);
      if (swap) {  // tilings swapped
        p.source.type = Surface::make_type(SurfaceType::k2D, Tiling::kLinear);
        p.destination.type = Surface::make_type(SurfaceType::k2D, Tiling::kTiled);
      }
      arch::Memory after = before;
      run(p, after, 16);
      const uint64_t mask = (uint64_t{1} << c.bits) - 1;
      for (uint32_t y = 0; y < 7; y++)
        for (uint32_t x = 0; x < 11; x++) {
          const uint64_t moved = element_bits(before, p.source, x, y) >> c.from_shift & mask;
          const uint64_t kept = element_bits(before, p.destination, x, y) & ~(mask << c.to_shift);
          ASSERT_EQ(element_bits(after, p.destination, x, y), kept | moved << c.to_shift);
        }
    }
  }
}

TEST(CopyCursor, ResumesFromACopyOfItself) {
  arch::CopySurfacePacket p{};
  p.source = surface(Format::R8G8B8A8_UNORM, Tiling::kTiled, kSource, 37, 29);
  p.destination = surface(Format::R8G8B8A8_UNORM, Tiling::kLinear, kDestination, 37, 29);
  p.width = 37;
  p.height = 29;
  p.depth = 1;
  CopyCursor first(p, 64);
  CopyChunk a, b;
  for (int i = 0; i < 50; i++) first.next(a);
  CopyCursor second = first;
  while (first.next(a)) {
    ASSERT_TRUE(second.next(b));
    ASSERT_EQ(a.source, b.source);
    ASSERT_EQ(a.destination, b.destination);
  }
  EXPECT_FALSE(second.next(b));
  EXPECT_FALSE(CopyCursor().next(a));
}

// From one sample to several and back: every sample receives the element; the first sample is read.
TEST(CopySurface, BetweenOneSampleAndSeveral) {
  arch::Memory memory;
  memory.map(0, 1 << 24);
  arch::CopySurfacePacket packet{};
  packet.source = surface(Format::R8G8B8A8_UNORM, Tiling::kTiled, kSource, 13, 9);
  packet.destination = packet.source;
  packet.destination.address = kDestination;
  packet.destination.type = Surface::make_type(SurfaceType::k2D, Tiling::kTiled, 2);
  packet.width = 13, packet.height = 9, packet.depth = 1;
  const uint32_t pitch = 2 * 256;  // of a row of single-sample tiles
  for (uint32_t y = 0; y < 9; y++)
    for (uint32_t x = 0; x < 13; x++) {
      const uint32_t value = x << 8 | y;
      memory.write(kSource + arch::tiled_offset(x, y, pitch, 4, 1, 0), &value, 4);
    }
  run(packet, memory);
  for (uint32_t sample = 0; sample < 4; sample++)
    for (uint32_t y = 0; y < 9; y++)
      for (uint32_t x = 0; x < 13; x++) {
        uint32_t value = 0;
        const Address at = kDestination + arch::tiled_offset(x, y, 4 * pitch, 4, 4, sample);
        memory.read(at, &value, 4);
        EXPECT_EQ(value, x << 8 | y) << sample;
        const uint32_t marked = value | sample << 24;
        memory.write(at, &marked, 4);
      }
  std::swap(packet.source, packet.destination);
  packet.destination.address = kDestination + 0x100000;
  run(packet, memory);
  for (uint32_t y = 0; y < 9; y++)
    for (uint32_t x = 0; x < 13; x++) {
      uint32_t value = 0;
      memory.read(packet.destination.address + arch::tiled_offset(x, y, pitch, 4, 1, 0), &value, 4);
      EXPECT_EQ(value, x << 8 | y);
    }
}

TEST(CopyErrors, BadPacketsAreNamed) {
  arch::CopySurfacePacket good{};
  good.source = surface(Format::R8G8B8A8_UNORM, Tiling::kTiled, kSource, 16, 16);
  good.destination = surface(Format::R32_UINT, Tiling::kTiled, kDestination, 16, 16);
  good.width = good.height = 16;
  good.depth = 1;
  EXPECT_EQ(copy_error(good), nullptr);
  const auto error = [&](auto edit) {
    arch::CopySurfacePacket bad = good;
    edit(bad);
    const char* text = copy_error(bad);
    return std::string(text ? text : "");
  };
  using Packet = arch::CopySurfacePacket;
  EXPECT_EQ(error([](Packet& p) { p.width = 17; }), "the region is not within the surface");
  EXPECT_EQ(error([](Packet& p) { p.source_x = 0xffffffff; }), "the region is not within the surface");
  EXPECT_EQ(error([](Packet& p) { p.destination_y = 1; }), "the region is not within the surface");
  EXPECT_EQ(error([](Packet& p) { p.depth = 2; }), "the region is not within the surface");
  EXPECT_EQ(error([](Packet& p) { p.destination.format = static_cast<uint32_t>(Format::R8_UNORM); }),
            "the elements differ in size");
  EXPECT_EQ(error([](Packet& p) { p.aspect = 1; }), "the elements differ in size");
  EXPECT_EQ(error([](Packet& p) { p.aspect = 9; }), "unknown aspect");
  EXPECT_EQ(error([](Packet& p) { p.source.format = 999; }), "unknown format");
  EXPECT_EQ(error([](Packet& p) { p.source.levels = 99; }), "levels are not 1 to 15");
  EXPECT_EQ(error([](Packet& p) { p.source.type = 0; }), "no surface");
  arch::CopyBufferPacket overlap{};
  overlap.source = kSource;
  overlap.destination = kSource + 10;
  overlap.bytes = uint64_t{11};
  EXPECT_STREQ(copy_error(overlap), "the ranges overlap");
  overlap.bytes = uint64_t{10};
  EXPECT_EQ(copy_error(overlap), nullptr);
  arch::FillBufferPacket fill{};
  fill.destination = ~uint64_t{3};
  fill.bytes = uint64_t{8};
  EXPECT_STREQ(copy_error(fill), "the range wraps around");
  fill.bytes = uint64_t{2};
  EXPECT_STREQ(copy_error(fill), "address or size is not a multiple of 4");
}

TEST(CopyCursor, EmptyRegionsEndAtOnce) {
  arch::CopySurfacePacket p{};
  p.source = surface(Format::R8G8B8A8_UNORM, Tiling::kTiled, kSource, 16, 16);
  p.destination = surface(Format::R8G8B8A8_UNORM, Tiling::kTiled, kDestination, 16, 16);
  CopyChunk chunk;
  EXPECT_FALSE(CopyCursor(p, 64).next(chunk));
}

}  // namespace
}  // namespace cutaway::func
