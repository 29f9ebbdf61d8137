// Fog as Mesa appends it to fixed-function and ARB programs: color less fog, times the visible share, plus
// fog.
#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/testing/run_shader.h"

namespace cutaway::compiler {
namespace fog_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kInterface =
    "#version 450\nlayout(location=0) in vec4 color; layout(location=1) in vec4 other;\n"
    "layout(location=0) out vec4 o; layout(location=1) out vec4 o1;\n"
    "layout(set=0,binding=0) uniform U { vec4 fog; vec4 fog2; float start; };\n";

isa::Program compile_body(const std::string& body, bool fog = true, bool halves = false) {
  const std::vector<uint32_t> spirv =
      glsl_to_spirv(arch::Stage::kFragment, kInterface + ("void main() { " + body + " }"));
  return compile({.stage = arch::Stage::kFragment,
                  .spirv = spirv,
                  .entry = "main",
                  .halves = halves,
                  .fog = fog,
                  .relaxed = halves});
}
std::string text(const std::string& body, bool fog = true, bool halves = false) {
  return isa::disassemble(compile_body(body, fog, halves).code);
}
// A body whose color is blended by this expression.
std::string blended(const std::string& expression, const std::string& c = "fract(color.rgb)") {
  return "vec3 c = " + c + "; float f = clamp(other.a * start, 0.0, 1.0); o = vec4(" + expression +
         ", color.a);";
}
const std::string kBlended = blended("(c - fog.rgb) * f + fog.rgb");
const std::string kProduct = blended("(c - fog.rgb) * f + fog.rgb", "color.rgb * other.rgb");

TEST(Fog, IsOneInstructionWhereAUnitIsMadeForIt) {
  for (const bool halves : {false, true}) {
    const std::string with = text(kBlended, true, halves), without = text(kBlended, false, halves);
    EXPECT_THAT(with, HasSubstr("FOG o0.xyz"));
    EXPECT_THAT(with, Not(HasSubstr("ADD")));
    EXPECT_THAT(without, HasSubstr("MAD o0.xyz"));
    EXPECT_THAT(without, Not(HasSubstr("FOG")));
  }
}

// A subtraction that is part of a MAD becomes a MUL.
TEST(Fog, FollowsAProduct) {
  const std::string with = text(kProduct);
  EXPECT_THAT(with, HasSubstr("FOG o0.xyz"));
  EXPECT_THAT(with, Not(HasSubstr("MAD")));
  EXPECT_EQ(compile_body(kProduct).code.size(), compile_body(kProduct, false).code.size());
}

TEST(Fog, GivesTheBitsOfTheInstructionsItReplaces) {
  for (const std::string& body : {kBlended, kProduct}) {
    Execution with, without;
    for (Execution* run : {&with, &without}) {
      run->set(0, {0.3f, 0.7f, 0.95f, 0.6f});
      run->set(1, {0.8f, 0.1f, 0.45f, 0.37f});
      for (const float value : {0.5f, 0.6f, 0.7f, 1.0f, 0.2f, 0.1f, 0.3f, 0.0f, 1.1f, 0.0f, 0.0f, 0.0f})
        run->buffers[{0, 0, 0}].push_back(std::bit_cast<uint32_t>(value));
    }
    with(compile_body(body));
    without(compile_body(body, false));
    EXPECT_EQ(with.outputs, without.outputs);
    EXPECT_EQ(with.output(0)[3], 0.6f);
    EXPECT_NE(with.output(0)[0], with.output(0)[1]);
  }
}

TEST(Fog, TakesItsOperandsInAnyOrder) {
  for (const char* expression : {"fog.rgb + (c - fog.rgb) * f", "f * (c - fog.rgb) + fog.rgb",
                                 "fog.rgb + f * (-fog.rgb + c)", "(c - vec3(0.5)) * f + vec3(0.5)"})
    EXPECT_THAT(text(blended(expression)), HasSubstr("FOG")) << expression;
}

TEST(Fog, NeedsOneShareAndOneConstantColorThatIsPutOut) {
  for (const char* expression :
       {"(c - fog.rgb) * f + fog2.rgb", "(c - fog.rgb) * other.rgb + fog.rgb",
        "(c - other.rgb) * f + other.rgb", "(c + fog.rgb) * f + fog.rgb", "(c - fog.rgb) * f + fog.gbr",
        "((c - fog.rgb) * f + fog.rgb) * other.rgb", "(c - fog.rgb) * f - fog.rgb",
        "clamp(c - fog.rgb, 0.0, 1.0) * f + fog.rgb", "abs(c - fog.rgb) * f + fog.rgb"})
    EXPECT_THAT(text(blended(expression)), Not(HasSubstr("FOG"))) << expression;
}

TEST(Fog, KeepsADifferenceThatOthersRead) {
  const std::string rest = " o = vec4(d * other.a + fog.rgb, 1.0); o1 = vec4(d.zxy, 0.0);";
  const std::string sum = text("vec3 d = color.rgb - fog.rgb;" + rest);
  EXPECT_THAT(sum, HasSubstr("FOG"));
  EXPECT_THAT(sum, HasSubstr("ADD"));
  EXPECT_THAT(text("vec3 d = color.rgb * other.rgb - fog.rgb;" + rest), Not(HasSubstr("FOG")));
}

}  // namespace
}  // namespace fog_test
}  // namespace cutaway::compiler
