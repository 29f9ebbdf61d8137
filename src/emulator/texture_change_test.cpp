#include <gtest/gtest.h>

#include "emulator/testing/outcome.h"
#include "scenes/builder.h"

// Textures that change between draws, or while a draw goes on, also where they have been sampled from copies.
namespace cutaway::emulator {
namespace {

constexpr uint32_t kSize = 16;
constexpr uint32_t kOnes = 0x010101;  // pictures are opaque

// A program that adds 1/255 to what its texture has at its pixel. Vertices: two triangles, each of which
// covers the target.
void add_one(scenes::Builder& b) {
  b.program(arch::Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nEND\n");
  b.program(arch::Stage::kFragment, "TEX r0, i0, t0, s0, 2D\nADD o0, r0, c0.xxxx\nEND\n");
  b.constants(arch::Stage::kFragment, 0, {1.0f / 255, 0, 0, 0});
  b.interpolants({1});
  const std::vector<float> covering = {-1, -1, 0, 1, 0,  0, 0, 0, 3, -1, 0, 1,
                                       2,  0,  0, 0, -1, 3, 0, 1, 0, 2,  0, 0};
  std::vector<float> twice = covering;
  twice.insert(twice.end(), covering.begin(), covering.end());
  b.vertices(twice, {4, 4});
}
void read_from(scenes::Builder& b, const arch::Surface& texture) {
  arch::Sampler sampler{};
  sampler.wrap_u = sampler.wrap_v = static_cast<uint32_t>(arch::Wrap::kClampToEdge);
  b.textures({&texture, 1}, {&sampler, 1});
}

TEST(TextureChange, DrawsBetweenTwoTargetsShow) {
  constexpr uint32_t kRounds = 12, kSame = 6;
  scenes::Builder b("two targets", kSize, kSize);
  const arch::Surface shown = b.registers.color.target[0].surface;
  const arch::Surface other = b.surface(arch::Format::R8G8B8A8_UNORM, kSize, kSize);
  b.clear(0, 0, 0, 0);
  add_one(b);
  for (uint32_t round = 0; round < kRounds; round++) {
    b.target(other), read_from(b, shown);
    for (uint32_t i = 0; i < kSame; i++) b.draw(3);  // all give the same
    b.target(shown), read_from(b, other);
    b.draw(3);
  }
  b.end_frame();
  const Outcome outcome(b.take());
  for (uint32_t y = 0; y < kSize; y++)
    for (uint32_t x = 0; x < kSize; x++)
      ASSERT_EQ(outcome.pixel(x, y) & 0xffffff, 2 * kRounds * kOnes) << x << ' ' << y;
}

TEST(TextureChange, VertexProgramsSampleTheTexturesOfTheirDraw) {
  scenes::Builder b("vertex textures", kSize, kSize);
  b.clear(0, 0, 0, 0);
  add_one(b);
  b.program(arch::Stage::kVertex, "TXL r0, i1, c0, t0, s0, 2D\nMOV o0, i0\nMOV o1, r0\nEND\n");
  b.constants(arch::Stage::kVertex, 0, {0, 0, 0, 0});
  b.program(arch::Stage::kFragment, "MOV o0, i0\nEND\n");
  const arch::Sampler nearest{};
  uint32_t last = 0;
  for (const uint32_t color : {0x102030u, 0x405060u, 0x708090u}) {
    const arch::Surface texture = b.surface(arch::Format::R8G8B8A8_UNORM, 4, 4);
    b.fill_level(texture, 0, std::vector<uint32_t>(16, last = color));
    b.textures({&texture, 1}, {&nearest, 1}, arch::Stage::kVertex);
    b.draw(3);
  }
  b.end_frame();
  EXPECT_EQ(Outcome(b.take()).pixel(5, 5) & 0xffffff, last);
}

TEST(TextureChange, ADrawSeesWhatItWritesItself) {
  constexpr uint32_t kDraws = 20;
  scenes::Builder b("its own target", kSize, kSize);
  b.clear(0, 0, 0, 0);
  add_one(b);
  read_from(b, b.registers.color.target[0].surface);
  for (uint32_t i = 0; i < kDraws; i++) b.draw(6);  // the second triangle reads what the first one wrote
  b.end_frame();
  const Outcome outcome(b.take());
  for (uint32_t y = 0; y < kSize; y++)
    for (uint32_t x = 0; x < kSize; x++)
      ASSERT_EQ(outcome.pixel(x, y) & 0xffffff, 2 * kDraws * kOnes) << x << ' ' << y;
}

}  // namespace
}  // namespace cutaway::emulator
