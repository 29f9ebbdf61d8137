#include <algorithm>
#include <gtest/gtest.h>
#include <spirv/unified1/spirv.hpp>

#include "compiler/testing/run_shader.h"

// Inputs at samples and centroids, and programs that run once per sample.
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

}  // namespace
}  // namespace cutaway::compiler
