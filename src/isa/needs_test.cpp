#include "isa/needs.h"

#include <gtest/gtest.h>

#include "isa/program.h"

namespace cutaway::isa {
namespace {

using arch::Stage;

const char* const kProgram =
    "TEX r0, i0, t1, s0, 2D\nTEX r1, i2, t1, s1, 2D\nTEX r2, i2, t3, s0, 2D\nMAD r0, r0, i5, r1\nEND\n";

TEST(ProgramNeeds, CountSlotsAndVaryingsOnce) {
  const std::vector<Instruction> code = assemble(kProgram);
  const ProgramNeeds fragment = needs_of(Stage::kFragment, code, 3),
                     vertex = needs_of(Stage::kVertex, code, 3);
  EXPECT_EQ(fragment.instructions, 5u);
  EXPECT_EQ(fragment.temporaries, 3u);
  EXPECT_EQ(fragment.textures, 2u);
  EXPECT_EQ(fragment.varyings, 3u);
  EXPECT_EQ(vertex.textures, 2u);
  EXPECT_EQ(vertex.varyings, 0u);
}

TEST(ProgramNeeds, CountPulledInterpolantsButNoPositions) {
  const auto varyings = [](std::string_view text) {
    return needs_of(Stage::kFragment, assemble(text), 1).varyings;
  };
  EXPECT_EQ(varyings("PULL r0, c0, i4\nMOV r1, i4\nEND\n"), 1u);
  EXPECT_EQ(varyings("MOV r1, i32\nEND\n"), 0u);
}

TEST(ProgramNeeds, AreJudgedByTheLimitsOfTheirStage) {
  const arch::ProgramLimits limits{.varyings = 10,
                                   .vertex_textures = 4,
                                   .vertex_temporaries = 32,
                                   .fragment_temporaries = 24,
                                   .vertex_instructions = 512,
                                   .fragment_instructions = 1000};
  const auto vertex = [&](const ProgramNeeds& needs) { return exceeded(limits, Stage::kVertex, needs); };
  const auto fragment = [&](const ProgramNeeds& needs) { return exceeded(limits, Stage::kFragment, needs); };
  const ProgramNeeds all{.instructions = 512, .temporaries = 32, .textures = 4, .varyings = 32};
  EXPECT_EQ(vertex(all), "");
  EXPECT_EQ(vertex({.instructions = 513}),
            "vertex programs of 513 instructions, but of up to 512 (programs.vertex_instructions)");
  EXPECT_EQ(vertex({.temporaries = 33}),
            "vertex programs of 33 temporaries, but of up to 32 (programs.vertex_temporaries)");
  EXPECT_EQ(vertex({.textures = 5}),
            "vertex programs of 5 textures, but of up to 4 (programs.vertex_textures)");
  EXPECT_EQ(fragment({.instructions = 1000, .temporaries = 24, .textures = 16, .varyings = 10}), "");
  EXPECT_EQ(fragment({.instructions = 1001}),
            "fragment programs of 1001 instructions, but of up to 1000 (programs.fragment_instructions)");
  EXPECT_EQ(fragment({.temporaries = 25}),
            "fragment programs of 25 temporaries, but of up to 24 (programs.fragment_temporaries)");
  EXPECT_EQ(fragment({.varyings = 11}),
            "fragment programs of 11 interpolated attributes, but of up to 10 (programs.varyings)");
  EXPECT_EQ(exceeded(limits, Stage::kCompute, {.instructions = 60000, .temporaries = 128}), "");
}

}  // namespace
}  // namespace cutaway::isa
