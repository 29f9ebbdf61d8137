#include "boxes/texture_unit/decoded_lines.h"

#include <gtest/gtest.h>
#include <numeric>

#include "boxes/texture_unit/bench_for_test.h"

namespace cutaway::boxes::decoded_lines_test {
namespace {

using namespace texture_unit_test_bench;

using arch::Format;
using messages::byte_mask;

constexpr arch::Address kTexture = 0x40000;

uint32_t expansion(Format format) {
  return expansion_of(func::make_texture_view(messages::testing::surface(format, 64, 64, kTexture)));
}

TEST(DecodedLines, TexelsTakeTheirWidthAsDecoded) {
  EXPECT_EQ(expansion(Format::R8G8B8A8_UNORM), 0u);
  EXPECT_EQ(expansion(Format::R32G32B32A32_SFLOAT), 0u);
  EXPECT_EQ(expansion(Format::R8G8B8A8_SRGB), 1u);         // 8 bytes of 4
  EXPECT_EQ(expansion(Format::BC1_RGBA_UNORM_BLOCK), 3u);  // 64 bytes of 8
  EXPECT_EQ(expansion(Format::BC1_RGBA_SRGB_BLOCK), 4u);
  EXPECT_EQ(expansion(Format::BC3_UNORM_BLOCK), 2u);
  EXPECT_EQ(expansion(Format::BC4_UNORM_BLOCK), 2u);
  EXPECT_EQ(expansion(Format::BC5_SNORM_BLOCK), 2u);
  EXPECT_EQ(expansion(Format::BC6H_UFLOAT_BLOCK), 3u);
  EXPECT_EQ(expansion(Format::BC7_SRGB_BLOCK), 3u);
}

TEST(DecodedLines, APlaceTellsItsSource) {
  for (uint32_t bits = 1; bits <= DecodedPlace::kMostExpansion; bits++)
    for (const arch::Address address :
         {arch::Address{0}, arch::Address{0x12345678}, (arch::Address{1} << 40) - 8}) {
      const arch::Address place = DecodedPlace::of(address, bits);
      EXPECT_EQ(DecodedPlace::expansion(place), bits);
      EXPECT_EQ(DecodedPlace::source(place), address);
      EXPECT_EQ(place % 128, (address << bits) % 128);
    }
}

// An address that no memory has stays one.
TEST(DecodedLines, APlaceOfNoMemoryStaysSo) {
  for (const arch::Address address : {arch::Address{1} << 48, ~arch::Address{0}, arch::Address{0xff} << 56}) {
    const arch::Address place = DecodedPlace::of(address, 4);
    EXPECT_EQ(DecodedPlace::expansion(place), 4u);
    EXPECT_GE(DecodedPlace::source(place) >> arch::kAddressBits, 1u);
  }
}

TEST(DecodedLines, ASectorAsksForWhatItIsDecodedFrom) {
  const arch::Address place = DecodedPlace::of(kTexture + 24, 3);
  const messages::MemoryRequest request = source_request({.address = place, .tag = 9});
  EXPECT_EQ(request.address, kTexture);
  EXPECT_EQ(request.mask, byte_mask(24, 8));
  EXPECT_EQ(tag_in_cache(request.tag), 9u);
  const messages::MemoryRequest upper =
      source_request({.address = place, .tag = 9, .mask = byte_mask(32, 32)});
  EXPECT_EQ(upper.mask, byte_mask(28, 4));
}

// The source of each grain is at its beginning. Memory may have brought more.
TEST(DecodedLines, AReplyFillsTheGrainsThatWereAskedFor) {
  const arch::Address place = DecodedPlace::of(kTexture + 24, 3);
  messages::MemoryReply reply;
  std::iota(reinterpret_cast<uint8_t*>(reply.data.data()), reinterpret_cast<uint8_t*>(reply.data.data()) + 64,
            uint8_t{0});
  reply.tag = source_request({.address = place, .tag = 9}).tag;
  messages::MemoryReply whole = decoded_reply(reply, place, 64);
  EXPECT_EQ(whole.tag, 9u);
  EXPECT_EQ(whole.mask, messages::kAllBytes);
  for (uint32_t i = 0; i < 8; i++) EXPECT_EQ(whole.data[i], std::byte(24 + i));
  reply.tag = source_request({.address = place, .tag = 9, .mask = byte_mask(32, 32)}).tag;
  messages::MemoryReply half = decoded_reply(reply, place, 32);
  EXPECT_EQ(half.mask, byte_mask(32, 32));
  for (uint32_t i = 0; i < 4; i++) EXPECT_EQ(half.data[32 + i], std::byte(28 + i));
}

// A texture of blocks or of texels, which fetches read.
struct Bench : TextureBench {
  Bench(Format format, const TextureUnitSpec& spec) : TextureBench(spec) {
    memory.memory.map(kTexture, 1 << 16);
    for (uint32_t i = 0; i < 1 << 14; i++) {
      const uint32_t word = i * 2654435761u;
      memory.memory.write(kTexture + 4 * i, &word, 4);
    }
    state->stage[arch::Stage::kFragment].resources[0] =
        func::make_texture_view(messages::testing::surface(format, 256, 64, kTexture));
  }
  // Fetches four neighbours of a row in four lanes. Returns their colors.
  std::array<uint32_t, 16> fetch(uint32_t x, uint32_t y) {
    auto job = job_of("TXF r0, r1, r2, t0, 2D\nEND\n");
    for (uint32_t lane = 0; lane < 4; lane++) job->src[0][0][lane] = x + lane, job->src[0][1][lane] = y;
    send_job(job);
    sim.run(clock, 200);
    std::array<uint32_t, 16> colors;
    std::memcpy(colors.data(), job->result, sizeof colors);
    return colors;
  }
};

constexpr Format kDecoded[] = {
    Format::R8G8B8A8_SRGB,   Format::BC1_RGBA_UNORM_BLOCK, Format::BC1_RGBA_SRGB_BLOCK,
    Format::BC2_UNORM_BLOCK, Format::BC3_SRGB_BLOCK,       Format::BC4_SNORM_BLOCK,
    Format::BC5_UNORM_BLOCK, Format::BC6H_SFLOAT_BLOCK,    Format::BC7_UNORM_BLOCK};

// Lines with decoded texels give the same colors, from whole sectors and from halves, whatever the line.
TEST(DecodedLines, GiveTheColorsThatDecodingOnReadGives) {
  for (const Format format : kDecoded)
    for (const uint32_t fetch : {32u, 64u})
      for (const uint32_t line : {128u, 512u}) {
        const TextureUnitSpec spec = {.line_bytes = line, .fetch_bytes = fetch, .load_bytes = fetch};
        TextureUnitSpec decoded = spec;
        decoded.decode = TextureDecode::kOnFill;
        Bench on_read(format, spec), on_fill(format, decoded);
        for (uint32_t y = 0; y < 64; y += 5)
          for (uint32_t x = 0; x < 252; x += 7)
            ASSERT_EQ(on_fill.fetch(x, y), on_read.fetch(x, y))
                << arch::format_info(format).name << ", " << fetch << " bytes, lines of " << line << ": " << x
                << ", " << y;
      }
}

// A cache of 8 lines of 128 bytes holds 16 blocks of BC1, each of which is one request for its 8 bytes;
// holding them as memory does it has 128.
TEST(DecodedLines, HoldFewerTexels) {
  const auto requests_of_a_second_round = [](TextureDecode decode, uint32_t blocks) {
    Bench bench(Format::BC1_RGBA_UNORM_BLOCK,
                {.cache_lines = 8, .cache_ways = 8, .line_bytes = 128, .decode = decode});
    // Runs of 4x4 blocks follow one another in a tile of 8x8, and tiles in a row.
    const auto round = [&] {
      for (uint32_t n = 0; n < blocks; n++) {
        const uint32_t x = n % 4 + n / 16 % 2 * 4 + n / 64 * 8, y = n / 4 % 4 + n / 32 % 2 * 4;
        bench.fetch(4 * x, 4 * y);
      }
    };
    round();
    const size_t before = bench.memory.seen.size();
    round();
    if (decode == TextureDecode::kOnFill) {
      EXPECT_EQ(before, blocks);
      EXPECT_EQ(bench.memory.seen[0].second.mask, byte_mask(0, 8));
    } else {
      EXPECT_EQ(before, (blocks + 7) / 8);
    }
    return bench.memory.seen.size() - before;
  };
  EXPECT_EQ(requests_of_a_second_round(TextureDecode::kOnFill, 16), 0u);
  EXPECT_EQ(requests_of_a_second_round(TextureDecode::kOnFill, 18), 18u) << "round a cache that is too small";
  EXPECT_EQ(requests_of_a_second_round(TextureDecode::kOnRead, 128), 0u);
}

}  // namespace
}  // namespace cutaway::boxes::decoded_lines_test
