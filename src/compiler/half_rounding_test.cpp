// Halves of OpenGL ES: Mesa makes 16-bit floats of mediump, with bit casts between, and normalises with a dot
// product, a root and a product (NV4-4).
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/builder.h"
#include "compiler/testing/run_shader.h"

namespace cutaway::compiler {
namespace {

using testing::HasSubstr;
using testing::Not;

isa::Program compile_fragment(const std::vector<uint32_t>& spirv, bool halves) {
  return compile({.stage = arch::Stage::kFragment, .spirv = spirv, .entry = "main", .halves = halves});
}
isa::Program compile_es(bool halves) {
  return compile_fragment(assemble_spirv(testdata("es_lit.frag.spvasm")), halves);
}
isa::Program compile_half_glsl(const std::string& body, bool halves = true) {
  return compile_fragment(
      glsl_to_spirv(arch::Stage::kFragment,
                    "#version 450\n"
                    "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n"
                    "#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require\n"
                    "layout(location=0) in vec4 a; layout(location=1) in vec4 b;\n"
                    "layout(location=0) out vec4 o;\nvoid main() { " +
                        body + " }"),
      halves);
}
std::string text_of(const isa::Program& program) { return isa::disassemble(program.code); }

size_t count(const std::string& text, const std::string& word) {
  size_t found = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) found++;
  return found;
}

// Results of the program of the module, in doubles: a texel is its coordinates.
Vec4 lit(const Vec4& coordinates_and_normal, float normal_z) {
  const auto& [u, v, x, y] = coordinates_and_normal;
  const double size = std::sqrt(x * x + y * y + normal_z * normal_z);
  const auto cosine = [&](double lx, double ly, double lz) {
    const double length = std::sqrt(lx * lx + ly * ly + lz * lz);
    return std::max((x * lx + y * ly + normal_z * lz) / size / length, 0.0);
  };
  const double length = std::sqrt(0.3 * 0.3 + 0.5 * 0.5 + 0.8 * 0.8);
  const double diffuse = cosine(0.3, 0.5, 0.8);
  const double shine = std::pow(cosine(0.3 / length, 0.5 / length, 0.8 / length + 1), 16);
  return {static_cast<float>((u * diffuse + v * shine) / 2),
          static_cast<float>((v * diffuse + u * shine) / 2), 0, 1};
}

TEST(HalfRounding, EsProgramsComputeInHalfRegisters) {
  const std::string text = text_of(compile_es(true));
  for (const char* word : {"RNDH", "PK2H", "UP2H", "UBFE"}) EXPECT_THAT(text, Not(HasSubstr(word)));
  EXPECT_EQ(count(text, "NRM h"), 1u) << text;
  EXPECT_EQ(count(text, "TEX h"), 2u) << text;
  EXPECT_THAT(text, Not(HasSubstr("RSQ")));
  EXPECT_LE(compile_es(true).temporaries, 4u) << text;
}

TEST(HalfRounding, NoChipPacksTheBitsOfHalvesThatAreReadAsHalves) {
  const std::string text = text_of(compile_es(false));
  for (const char* word : {"PK2H", "UP2H", "UBFE", " h"}) EXPECT_THAT(text, Not(HasSubstr(word)));
  EXPECT_THAT(text, HasSubstr("RNDH"));
}

TEST(HalfRounding, EsProgramsComputeWhatTheySay) {
  for (const bool halves : {false, true}) {
    const isa::Program program = compile_es(halves);
    for (const Vec4& place :
         {Vec4{0.5f, -0.25f, 0.25f, 0.75f}, Vec4{-1.5f, 2, 0.1f, 0.9f}, Vec4{0.3f, 0.6f, 1, 0}}) {
      Execution run;
      for (const isa::Varying& input : program.inputs)
        run.set(input.reg, input.location == 0 ? place : Vec4{0.7f, 0, 0, 0});
      run(program);
      const Vec4 expected = lit(place, 0.7f);
      for (uint32_t c = 0; c < 4; c += c == 1 ? 2 : 1)
        EXPECT_NEAR(run.output(0)[c], expected[c], 0.02) << halves << ", component " << c;
    }
  }
}

float half(float x) { return floats(Bits4{float_of_half(nearest_half(bits(Vec4{x})[0]))})[0]; }

// Each operation on halves that stays in one is rounded as SPIR-V says.
TEST(HalfRounding, FusedRoundingIsExact) {
  const Vec4 a = {1.0f / 3, 100.3f, -7.7f, 0.001f}, b = {3.3f, 0.77f, 1.0f / 7, 900};
  for (const bool halves : {false, true}) {
    const isa::Program program = compile_half_glsl(
        "f16vec4 x = f16vec4(a), y = f16vec4(b); f16vec4 p = x * y; f16vec4 q = max(p, x);"
        "o = vec4(q) * 3.0 + vec4(p);",
        halves);
    EXPECT_EQ(count(text_of(program), "RNDH") == 0, halves) << text_of(program);
    Execution run;
    run.set(0, a), run.set(1, b);
    run(program);
    for (uint32_t c = 0; c < 4; ++c) {
      const float product = half(half(a[c]) * half(b[c])), greater = std::max(product, half(a[c]));
      EXPECT_EQ(run.output(0)[c], greater * 3.0f + product) << halves << ", component " << c;
    }
  }
}

// A value whose bits are read as an integer is rounded, in a whole register.
TEST(HalfRounding, RoundsWhatIntegersRead) {
  const isa::Program program = compile_half_glsl(
      "float16_t x = float16_t(a.x) * float16_t(a.y);"
      "o = vec4(float(x), float(float16BitsToUint16(x)), 0.0, 0.0);");
  Execution run;
  run.set(0, {1.0f / 3, 1.0f / 7, 0, 0});
  run(program);
  const float x = half(half(1.0f / 3) * half(1.0f / 7));
  EXPECT_EQ(run.output(0)[0], x);
  EXPECT_EQ(run.output(0)[1], static_cast<float>(nearest_half(bits(Vec4{x})[0])));
}

// The bits of a constant half are those of a half, not of the float that stands for it.
TEST(HalfRounding, ConstantsHaveTheBitsOfHalves) {
  const isa::Program program = compile_half_glsl(
      "f16vec2 x = f16vec2(1.5hf, -0.25hf);"
      "u16vec2 bits = float16BitsToUint16(x);"
      "o = vec4(float(bits.x), float(bits.y), a.x, 0.0);");
  Execution run;
  run.set(0, {5, 0, 0, 0});
  run(program);
  EXPECT_EQ(run.output(0)[0], static_cast<float>(0x3e00));
  EXPECT_EQ(run.output(0)[1], static_cast<float>(0xb400));
}

// A product that is only added to is not rounded before the sum: one MAD is both.
TEST(HalfRounding, KeepsFloatsWholeThatAreReadWhole) {
  const isa::Program program =
      compile_half_glsl("vec4 p = a * b; f16vec4 h = f16vec4(p); o = p + vec4(h * h);");
  Execution run;
  const Vec4 a = {1.0f / 3, 100.3f, -7.7f, 0.1f}, b = {3.3f, 0.77f, 1.0f / 7, 9};
  run.set(0, a), run.set(1, b);
  run(program);
  for (uint32_t c = 0; c < 4; ++c) {
    const float p = a[c] * b[c];
    EXPECT_EQ(run.output(0)[c], p + half(p) * half(p)) << text_of(program);
  }
}

// OPTION ARB_precision_hint_fastest: half registers for all floats, but a half is too coarse for a
// coordinate.
TEST(HalfRounding, RelaxedProgramsKeepCoordinatesAndDepthsWhole) {
  const auto text = [](bool relaxed) {
    const auto spirv = glsl_to_spirv(arch::Stage::kFragment, R"(#version 450
      layout(location=0) in vec4 a; layout(location=1) in vec4 b; layout(location=0) out vec4 o;
      layout(binding=0) uniform sampler2D s;
      void main() {
        vec4 c = texture(s, (a.xy * b.xy) * b.zw + 0.5) * b;
        o = c * c.wzyx;
        gl_FragDepth = a.z * a.w + b.x;
      })");
    return text_of(compile({.stage = arch::Stage::kFragment,
                            .spirv = spirv,
                            .entry = "main",
                            .halves = true,
                            .relaxed = relaxed}));
  };
  EXPECT_THAT(text(false), Not(HasSubstr(" h")));
  EXPECT_THAT(text(true), HasSubstr("TEX h"));
  EXPECT_THAT(text(true), HasSubstr("MUL r"));
  EXPECT_THAT(text(true), Not(HasSubstr("MAD h")));
}

TEST(HalfRounding, ProductsThatAreAddedAreOneInstruction) {
  const isa::Program program =
      compile_half_glsl("f16vec4 x = f16vec4(a), y = f16vec4(b); o = vec4((x * y + y) * x);");
  EXPECT_THAT(text_of(program), HasSubstr("MAD h"));
  EXPECT_EQ(count(text_of(compile_half_glsl(
                      "f16vec4 x = f16vec4(a), y = f16vec4(b); o = vec4((x * y + y) * x);", false)),
                  "MAD"),
            0u);
}

TEST(HalfRounding, NormalisesOnlyByTheLengthOfTheVector) {
  const auto text = [](const std::string& body) {
    return text_of(compile_half_glsl("f16vec3 x = f16vec3(a.xyz), y = f16vec3(b.xyz); f16vec3 n = " + body +
                                     "; o = vec4(n * x + n.zxy, 1.0);"));
  };
  EXPECT_THAT(text("x * inversesqrt(dot(x, x))"), HasSubstr("NRM h"));
  EXPECT_THAT(text("inversesqrt(dot(x, x)) * x.zxy"), HasSubstr("NRM h"));
  EXPECT_THAT(text("x * inversesqrt(dot(x, y))"), Not(HasSubstr("NRM")));
  EXPECT_THAT(text("x * inversesqrt(dot(x, x.yzx))"), Not(HasSubstr("NRM")));
  EXPECT_THAT(text("y * inversesqrt(dot(x, x))"), Not(HasSubstr("NRM")));
  EXPECT_THAT(text("x * sqrt(dot(x, x))"), Not(HasSubstr("NRM")));
  EXPECT_THAT(text("x.xxy * inversesqrt(dot(x, x))"), Not(HasSubstr("NRM")));
}

// mediump of Vulkan programs: the same three instructions, where 16 bits suffice.
TEST(HalfRounding, NormalisesRelaxedVectors) {
  const auto text = [](const std::string& precision) {
    const std::string source = "#version 450\nlayout(location=0) in " + precision +
                               " vec4 a; layout(location=0) out vec4 o;\nvoid main() { " + precision +
                               " vec3 v = a.xyz; " + precision + " float s = inversesqrt(dot(v, v)); " +
                               precision + " vec3 n = v * s; o = vec4(n * a.w + n.yzx, 1.0); }";
    return text_of(compile_fragment(glsl_to_spirv(arch::Stage::kFragment, source), true));
  };
  EXPECT_THAT(text("mediump"), HasSubstr("NRM h"));
  EXPECT_THAT(text("highp"), Not(HasSubstr("NRM")));
}

}  // namespace
}  // namespace cutaway::compiler
