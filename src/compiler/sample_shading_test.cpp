#include <algorithm>
#include <gtest/gtest.h>
#include <spirv/unified1/spirv.hpp>

#include "arch/sample_location.h"
#include "compiler/testing/run_shader.h"

// Tests inputs at samples and centroids, and programs that run once per sample.
namespace cutaway::compiler {
namespace {

using arch::SampleLocation;
using arch::Stage;

constexpr const char* kAtSample = R"(
  layout(location=0) sample in vec4 v;
  layout(location=0) out vec4 o;
  void main() { o = v; })";

TEST(SampleShading, ProgramsThatNameTheirSampleRunForEach) {
  const isa::Program program = compile_glsl(Stage::kFragment, kAtSample);
  EXPECT_TRUE(program.flags & arch::kShaderPerSample);
  ASSERT_EQ(program.inputs.size(), 1u);
  EXPECT_EQ(program.inputs[0].at, SampleLocation::kSample);
  for (const char* value : {"gl_SampleID", "gl_SamplePosition.x"})
    EXPECT_TRUE(compile_glsl(Stage::kFragment, std::string("layout(location=0) out vec4 o;\n"
                                                           "void main() { o = vec4(") +
                                                   value + "); }")
                    .flags &
                arch::kShaderPerSample)
        << value;
  EXPECT_FALSE(compile_glsl(Stage::kFragment, R"(
    layout(location=0) centroid in vec4 v; layout(location=0) out vec4 o;
    void main() { o = v * gl_SampleMaskIn[0]; })")
                   .flags &
               arch::kShaderPerSample);
}

// Mesa's Zink 22.3 writes such modules.
TEST(SampleShading, TheCapabilityMayBeMissing) {
  std::vector<uint32_t> words = glsl_to_spirv(Stage::kFragment, kAtSample);
  const uint32_t capability[] = {2u << 16 | spv::OpCapability, spv::CapabilitySampleRateShading};
  const auto at = std::search(words.begin(), words.end(), std::begin(capability), std::end(capability));
  ASSERT_NE(at, words.end());
  words.erase(at, at + 2);
  const isa::Program program = compile({.stage = Stage::kFragment, .spirv = words, .entry = "main"});
  EXPECT_TRUE(program.flags & arch::kShaderPerSample);
}

TEST(SampleShading, TheCentroidIsAnInterpolantOfItsOwn) {
  const isa::Program program = compile_glsl(Stage::kFragment, R"(
    layout(location=3) in vec4 v; layout(location=0) out vec4 o;
    void main() { o = v + interpolateAtCentroid(v); })");
  ASSERT_EQ(program.inputs.size(), 2u);
  for (const isa::Varying& input : program.inputs) EXPECT_EQ(input.location, 3u);
  EXPECT_EQ(program.inputs[0].at, SampleLocation::kCenter);
  EXPECT_EQ(program.inputs[1].at, SampleLocation::kCentroid);
}

// A quad at (10, 20) with linear interpolants, and a shader that evaluates one of them at an offset.
struct Quad {
  static float x(uint32_t lane) { return 10.5f + static_cast<float>(lane % 2); }
  static float y(uint32_t lane) { return 20.5f + static_cast<float>(lane / 2); }
  // Element i of v over w at a window position, and 1/w there.
  static float over_w(uint32_t i, float x, float y) {
    return static_cast<float>(i + 1) * (0.5f * x - 0.25f * y + 1);
  }
  static float inverse_w(float x, float y) { return 0.5f + x / 64 + y / 128; }
  static float at(const isa::Varying& input, float x, float y) {
    const bool perspective = input.mode == arch::Interpolation::kPerspective;
    return over_w(input.location, x, y) / (perspective ? inverse_w(x, y) : 1);
  }

  // Inputs evaluated elsewhere may only be at (0.25, -0.375) from the centres.
  static Execution inputs(const isa::Program& program) {
    Execution run;
    for (uint32_t lane = 0; lane < 4; ++lane) {
      run.inputs[arch::kInputFragCoord][lane] = bits({x(lane), y(lane), 0, inverse_w(x(lane), y(lane))});
      for (const isa::Varying& input : program.inputs)
        run.inputs[input.reg][lane] =
            input.location == 7 ? Bits4{lane % 3, 0, 0, 0} : bits({at(input, x(lane), y(lane)), 0, 0, 0});
    }
    run.pull = [&program](uint32_t lane, uint32_t reg, float dx, float dy) {
      EXPECT_EQ(dx, 0.25f);
      EXPECT_EQ(dy, -0.375f);
      const auto of_register = [&](const isa::Varying& input) { return input.reg == reg; };
      const auto input = std::find_if(program.inputs.begin(), program.inputs.end(), of_register);
      return input == program.inputs.end() ? Bits4{}
                                           : bits({at(*input, x(lane) + dx, y(lane) + dy), 0, 0, 0});
    };
    return run;
  }
};

// By pulling, or by derivatives.
isa::Program compile_fragment(const std::string& source, bool pull, uint32_t samples = 1) {
  const std::vector<uint32_t> words = glsl_to_spirv(Stage::kFragment, source);
  return compile(
      {.stage = Stage::kFragment, .spirv = words, .entry = "main", .samples = samples, .pull = pull});
}

size_t pulls_in(const isa::Program& program) {
  return static_cast<size_t>(std::count_if(program.code.begin(), program.code.end(),
                                           [](const auto& i) { return i.op == isa::Opcode::kPull; }));
}

void expect_offset(const std::string& qualifier, const std::string& main) {
  for (const bool pull : {true, false}) {
    const isa::Program program = compile_fragment("layout(location=0) " + qualifier + R"( in float v[3];
      layout(location=7) flat in int i; layout(location=0) out vec4 o;
      void main() { )" + main + "}",
                                                  pull);
    EXPECT_EQ(pulls_in(program), pull ? 3u : 0u);
    Execution run = Quad::inputs(program);
    run(program);
    for (uint32_t lane = 0; lane < 4; ++lane) {
      const float x = Quad::x(lane) + 0.25f, y = Quad::y(lane) - 0.375f;
      const float expected = Quad::over_w(lane % 3, x, y) / (qualifier.empty() ? Quad::inverse_w(x, y) : 1);
      EXPECT_NEAR(run.output(0, lane)[0], expected, pull ? 0 : 1e-4f) << lane << "\n"
                                                                      << isa::disassemble(program.code);
    }
  }
}

// The index differs from lane to lane of the quad.
TEST(Interpolation, AtAnOffsetOfAnElementThatEachLaneChooses) {
  for (const char* qualifier : {"", "noperspective"})
    expect_offset(qualifier, "o = vec4(interpolateAtOffset(v[i], vec2(0.25, -0.375)));");
}

// Inactive lanes still contribute their values.
TEST(Interpolation, AtAnOffsetWhereLanesAreOff) {
  for (const char* qualifier : {"", "noperspective"})
    expect_offset(qualifier, R"(
      if (i == 0) o = vec4(interpolateAtOffset(v[0], vec2(0.25, -0.375)));
      else if (i == 1) o = vec4(interpolateAtOffset(v[1], vec2(0.25, -0.375)));
      else o = vec4(interpolateAtOffset(v[2], vec2(0.25, -0.375)));)");
}

TEST(Interpolation, AtAnOffsetOfAMemberByItsOwnMode) {
  for (const bool pull : {true, false}) {
    const isa::Program program = compile_fragment(R"(
      layout(location=0) in B { float smooth_; noperspective float linear; flat float same; } b;
      layout(location=0) out vec4 o;
      void main() { vec2 by = vec2(0.25, -0.375);
        o = vec4(interpolateAtOffset(b.smooth_, by), interpolateAtOffset(b.linear, by), interpolateAtOffset(b.same, by), 0); })",
                                                  pull);
    ASSERT_EQ(program.inputs.size(), 3u);
    EXPECT_EQ(pulls_in(program), pull ? 2u : 0u);
    Execution run = Quad::inputs(program);
    for (const isa::Varying& input : program.inputs)
      for (uint32_t lane = 0; lane < 4; ++lane)
        if (input.location == 2) run.inputs[input.reg][lane] = bits({7, 0, 0, 0});
    run(program);
    for (uint32_t lane = 0; lane < 4; ++lane) {
      const float x = Quad::x(lane) + 0.25f, y = Quad::y(lane) - 0.375f;
      EXPECT_NEAR(run.output(0, lane)[0], Quad::over_w(0, x, y) / Quad::inverse_w(x, y), 1e-4f);
      EXPECT_NEAR(run.output(0, lane)[1], Quad::over_w(1, x, y), 1e-4f);
      EXPECT_EQ(run.output(0, lane)[2], 7);
    }
  }
}

// An input that is both pulled and read: one interpolant, with the components of both.
TEST(Interpolation, PulledAndReadInputIsOneInterpolant) {
  const isa::Program program = compile_fragment(R"(
    layout(location=3) in vec4 v; layout(location=0) out vec4 o;
    void main() { o = vec4(v.x, interpolateAtOffset(v, vec2(0.25, -0.375)).yz, 0); })",
                                                true);
  ASSERT_EQ(program.inputs.size(), 1u);
  EXPECT_EQ(program.inputs[0].location, 3u);
  EXPECT_EQ(program.inputs[0].mask, 7);
  EXPECT_EQ(program.inputs[0].at, SampleLocation::kCenter);
  EXPECT_FALSE(program.flags & arch::kShaderDerivatives);
}

// Samples are different places of a pixel, selected by a number that each lane has.
TEST(Interpolation, AtASampleOfTheFragmentsChoice) {
  const isa::Program program = compile_fragment(R"(
    layout(location=0) in float v; layout(location=7) flat in int i; layout(location=0) out vec4 o;
    void main() { o = vec4(interpolateAtSample(v, i)); })",
                                                true, 4);
  EXPECT_EQ(pulls_in(program), 1u);
  Execution run = Quad::inputs(program);
  run.pull = [](uint32_t, uint32_t, float dx, float dy) { return bits({16 * dx + 256 * dy, 0, 0, 0}); };
  run(program);
  for (uint32_t lane = 0; lane < 4; ++lane) {
    const arch::SamplePoint at = arch::standard_sample(4, lane % 3);
    EXPECT_EQ(run.output(0, lane)[0], static_cast<float>(at.x - 8 + 16 * (at.y - 8))) << lane;
  }
}

// In a loop, at a moving place: nothing is hoisted.
TEST(Interpolation, AtPlacesOfALoop) {
  const isa::Program program = compile_fragment(R"(
    layout(location=0) in float v; layout(location=7) flat in int i; layout(location=0) out vec4 o;
    void main() { float sum = 0;
      for (int k = 0; k < i + 1; ++k) sum += interpolateAtOffset(v, vec2(float(k) / 8.0, 0));
      o = vec4(sum); })",
                                                true);
  Execution run = Quad::inputs(program);
  run.pull = [](uint32_t lane, uint32_t, float dx, float) {
    return bits({static_cast<float>(lane) + 8 * dx, 0, 0, 0});
  };
  run(program);
  for (uint32_t lane = 0; lane < 4; ++lane) {
    const auto n = static_cast<float>(lane % 3 + 1);
    EXPECT_EQ(run.output(0, lane)[0], n * static_cast<float>(lane) + n * (n - 1) / 2) << lane;
  }
}

}  // namespace
}  // namespace cutaway::compiler
