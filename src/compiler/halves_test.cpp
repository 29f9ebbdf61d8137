#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/builder.h"
#include "compiler/testing/run_shader.h"

// Tests floats with RelaxedPrecision, for which 16 bits suffice, in halves of registers (NV4-4).
namespace cutaway::compiler::halves_test {
namespace {

using testing::HasSubstr;
using testing::Not;

isa::Program compile_halves(const std::string& source) {
  const auto spirv = glsl_to_spirv(arch::Stage::kFragment, source);
  return compile({.stage = arch::Stage::kFragment, .spirv = spirv, .entry = "main", .halves = true});
}

std::string text_of(const isa::Program& program) { return isa::disassemble(program.code); }

// Eight vectors that all live until the last texture result.
std::string eight_texels(const std::string& precision) {
  std::string source =
      "layout(location=0) in vec4 a; layout(location=0) out vec4 o;\n"
      "layout(binding=0) uniform " +
      precision + " sampler2D s;\nvoid main() {\n";
  for (int i = 0; i < 8; ++i)
    source +=
        precision + " vec4 t" + std::to_string(i) + " = texture(s, a.xy + " + std::to_string(i) + ".0);\n";
  return source + precision +
         " vec4 sum = t0 * t7 + t1 * t6 + t2 * t5 + t3 * t4; o = sum / (t0 + t1 + t2 + t3 + t4 + t5 + t6 + "
         "t7); }";
}

// A ninth vector with the coordinates is in another register.
TEST(Halves, EightVectorsTakeFourRegisters) {
  const isa::Program program = compile_halves(eight_texels("mediump"));
  EXPECT_THAT(text_of(program), HasSubstr("TEX h"));
  EXPECT_EQ(program.temporaries, 6u) << text_of(program);
  EXPECT_GE(compile_halves(eight_texels("highp")).temporaries, 9u);
}

TEST(Halves, AreRoundedToElevenBits) {
  Execution run;
  run.set(0, {1.0f / 3, 100.25f, -2049, 1e-9f});
  run(compile_halves(R"(layout(location=0) in mediump vec4 a; layout(location=0) out vec4 o;
    void main() { mediump vec4 twice = a * 2.0; mediump vec4 d = dFdx(twice); o = twice * 4.0 + d; })"));
  for (uint32_t c = 0; c < 4; ++c) {
    const float twice = std::array{2.0f / 3, 200.5f, -4098.0f, 2e-9f}[c];
    const uint32_t rounded = float_of_half(nearest_half(bits(Vec4{twice})[0]));
    EXPECT_EQ(run.output(0)[c], floats(Bits4{rounded})[0] * 4) << c;
  }
}

TEST(Halves, AreNotAskedForWithoutRelaxedPrecision) {
  const isa::Program program = compile_halves(eight_texels("highp"));
  EXPECT_THAT(text_of(program), Not(HasSubstr(" h")));
  EXPECT_EQ(text_of(program), text_of(compile_glsl(arch::Stage::kFragment, eight_texels("highp"))));
  EXPECT_THAT(text_of(compile_glsl(arch::Stage::kFragment, eight_texels("mediump"))), Not(HasSubstr(" h")));
}

TEST(Halves, ThatIntegersReadStayWhole) {
  Execution run;
  run.set(0, {1.5f, 3, 0, 0});
  const isa::Program program = compile_halves(R"(
    layout(location=0) in vec4 a; layout(location=0) out uvec4 o;
    void main() { mediump float x = a.x * a.y; o = uvec4(floatBitsToUint(x) ^ floatBitsToUint(x + 1.0), uint(x), 0, 0); })");
  run(program);
  EXPECT_EQ(run.outputs.at(0)[0][0], bits(Vec4{4.5f})[0] ^ bits(Vec4{5.5f})[0]);
  EXPECT_EQ(run.outputs.at(0)[0][1], 4u);
}

// The sum in a loop is one register for its family: halves if all inputs are.
TEST(Halves, GoRoundLoops) {
  const std::string source = R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o;
    void main() {
      PRECISION vec4 sum = vec4(0.0);
      for (int i = 0; i < int(a.w); ++i) { PRECISION vec4 part = a * a.wzyx; sum = sum * 0.5 + part; }
      o = sum + 1.0; })";
  const auto with = [&](const std::string& precision) {
    std::string text = source;
    for (size_t at; (at = text.find("PRECISION")) != std::string::npos;) text.replace(at, 9, precision);
    return compile_halves(text);
  };
  const isa::Program program = with("mediump");
  EXPECT_THAT(text_of(program), HasSubstr("MAD h"));
  Execution run;
  run.set(0, {1, 2, 0.5f, 3});
  run(program);
  const Vec4 part = {3, 1, 1, 3};
  for (uint32_t c = 0; c < 4; ++c) EXPECT_EQ(run.output(0)[c], part[c] * 1.75f + 1) << c;
}

TEST(Halves, NormaliseInOneInstruction) {
  const std::string source = R"(layout(location=0) in PRECISION vec4 a; layout(location=0) out vec4 o;
    void main() { PRECISION vec3 n = normalize(a.zyx); o = vec4(n * 2.0, 1.0); })";
  const auto with = [&](const std::string& precision) {
    std::string text = source;
    for (size_t at; (at = text.find("PRECISION")) != std::string::npos;) text.replace(at, 9, precision);
    return compile_halves(text);
  };
  const isa::Program program = with("mediump");
  EXPECT_THAT(text_of(program), HasSubstr("NRM h0.xyz, i0.zyxz"));
  EXPECT_THAT(text_of(with("highp")), Not(HasSubstr("NRM")));
  Execution run;
  run.set(0, {3, 0, -4, 9});
  run(program);
  EXPECT_NEAR(run.output(0)[0], -1.6f, 0.002f);
  EXPECT_EQ(run.output(0)[1], 0);
  EXPECT_NEAR(run.output(0)[2], 1.2f, 0.002f);
}

// Programs with spilled values keep all values whole.
TEST(Halves, AreNotSpilled) {
  std::string source =
      "layout(location=0) in vec4 a; layout(location=0) out vec4 o;\n"
      "layout(binding=0) uniform mediump sampler2D s;\nvoid main() {\n";
  std::string sum = "o = vec4(0.0)", product = " + vec4(1.0)";
  for (int i = 0; i < 270; ++i) {
    const std::string t = "t" + std::to_string(i);
    source += "mediump vec4 " + t + " = texture(s, a.xy + " + std::to_string(i) + ".0);\n";
    sum += " + " + t;
    product += " * " + t;
  }
  const isa::Program program = compile_halves(source + sum + product + "; }");
  EXPECT_GT(program.scratch_bytes, 0u);
  EXPECT_THAT(text_of(program), Not(HasSubstr("TEX h")));
}

}  // namespace
}  // namespace cutaway::compiler::halves_test
