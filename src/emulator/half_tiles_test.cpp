#include "emulator/half_tiles.h"

#include <gtest/gtest.h>
#include <map>

#include "emulator/testing/outcome.h"

// Halves of tiles that are alive as a whole give what quads give. An observer of pixels turns them off.
namespace cutaway::emulator::half_tiles_test {
namespace {

using scenes::Builder;

struct Case {
  arch::Format color = arch::Format::R8G8B8A8_UNORM;
  std::string_view program = "MUL o0, i0, c0\nEND\n";
  arch::BlendFactor source = arch::BlendFactor::kSrcAlpha;
  bool depth = true;
  arch::DepthMode mode = arch::DepthMode::kEarly;
  float most = 1;  // of a color
};

// Triangles of all sizes over each other, in one draw.
scenes::Scene triangles(const Case& c) {
  Builder b("halves", 150, 130);
  b.target(b.surface(c.color, 150, 130));
  if (c.depth) b.depth(b.surface(arch::Format::D24_UNORM_S8_UINT, 150, 130));
  b.clear(0.25f, 0.5f, 0, 1);
  b.program(arch::Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nEND\n");
  b.program(arch::Stage::kFragment, c.program);
  b.constants(arch::Stage::kFragment, 0, {0.75f, 0.5f, 1, 1, 1.0f / 150, 1.0f / 130, 0.5f, 0, 0.5f, 0, 0, 0});
  b.interpolants({1});
  b.registers.depth.depth_test = b.registers.depth.depth_write = c.depth;
  b.registers.depth.mode = static_cast<uint32_t>(c.mode);
  b.registers.depth.depth_compare = static_cast<uint32_t>(arch::Compare::kLessOrEqual);
  auto& target = b.registers.color.target[0];
  target.blend = 1;
  target.color_source = target.alpha_source = static_cast<uint32_t>(c.source);
  target.color_destination = target.alpha_destination =
      static_cast<uint32_t>(arch::BlendFactor::kOneMinusSrcAlpha);
  std::vector<float> values;
  uint32_t state = 1;
  const auto random = [&](float low, float high) {
    state = state * 1664525 + 1013904223;
    return low + (high - low) * static_cast<float>(state >> 8) / 16777216.0f;
  };
  for (uint32_t i = 0; i < 60; i++) {
    const float x = random(-1, 1), y = random(-1, 1), size = random(0.02f, i % 4 ? 0.3f : 2);
    for (uint32_t v = 0; v < 3; v++) {
      for (const float value : {x + random(-size, size), y + random(-size, size), random(0, 1), 1.0f})
        values.push_back(value);
      for (uint32_t n = 0; n < 4; n++) values.push_back(random(0, i % 16 ? 1 : c.most));
    }
  }
  b.vertices(values, {4, 4});
  b.draw(180);
  b.end_frame();
  return b.take();
}

TEST(HalfTiles, DrawWhatQuadsDraw) {
  using enum arch::Format;
  // Also where the program ends fragments, before a depth test or without one; and inputs besides colors.
  constexpr std::string_view kDiscards = "SLT r0.x, i0.x, c0.y\nKIL r0.x\nMOV o0, i0\nEND\n";
  constexpr std::string_view kPlace = "MUL o0.xyz, i32.xyww, c1\nMOV o0.w, i0.w\nEND\n";
  constexpr std::string_view kFace = "AND o0.xyz, i33.xzww, c2.x\nMOV o0.w, i0.w\nEND\n";
  for (const Case c :
       {Case{}, Case{.depth = false}, Case{.source = arch::BlendFactor::kDstColor},
        Case{.color = B8G8R8A8_UNORM}, Case{.color = R16G16B16A16_SFLOAT},
        Case{.color = R16G16B16A16_SFLOAT, .source = arch::BlendFactor::kDstColor, .most = 3e38f},
        Case{.color = R8G8B8A8_SRGB}, Case{.program = kDiscards, .depth = false}, Case{.program = kDiscards},
        Case{.program = kDiscards, .mode = arch::DepthMode::kLate},
        Case{.program = kDiscards, .mode = arch::DepthMode::kEarlyTestLateWrite},
        Case{.program = kPlace, .mode = arch::DepthMode::kLate}, Case{.program = kFace}}) {
    SCOPED_TRACE(::testing::Message() << "format " << static_cast<uint32_t>(c.color) << " source "
                                      << static_cast<uint32_t>(c.source) << " depth " << c.depth << " mode "
                                      << static_cast<uint32_t>(c.mode) << '\n'
                                      << c.program);
    const scenes::Scene scene = triangles(c);
    Options observed;
    observed.on_pixel = [](const PixelWrite&) {};
    const Outcome halves(scene), quads(scene, std::move(observed));
    EXPECT_EQ(halves.gpu->memory(0).hash(), quads.gpu->memory(0).hash());
    EXPECT_EQ(halves.pictures.back().rgba, quads.pictures.back().rgba);
    std::map<std::string, uint64_t> counters[2];
    for (const Outcome* outcome : {&halves, &quads})
      outcome->statistics().for_each(
          [&](const char* name, const char*, uint64_t value) { counters[outcome == &quads][name] = value; });
    if (c.program == kDiscards) counters[0]["fragment_instructions"] = counters[1]["fragment_instructions"];
    EXPECT_EQ(counters[0], counters[1]);
  }
}

}  // namespace
}  // namespace cutaway::emulator::half_tiles_test
