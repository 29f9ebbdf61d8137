// Programs that need more than a chip has are refused by the name of the limit (NV4-6).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/refusal.h"
#include "compiler/testing/run_shader.h"

namespace cutaway::compiler::limits_test {
namespace {

const arch::ProgramLimits kGeForce6{.color_targets = 4,
                                    .varyings = 10,
                                    .vertex_textures = 4,
                                    .vertex_temporaries = 32,
                                    .fragment_temporaries = 32,
                                    .vertex_instructions = 512,
                                    .fragment_instructions = 65535};

// The refusal; empty: it compiles.
std::string refusal(arch::Stage stage, const std::string& source,
                    const arch::ProgramLimits& limits = kGeForce6) {
  const auto spirv = glsl_to_spirv(stage, source);
  try {
    compile({.stage = stage, .spirv = spirv, .entry = "main", .limits = limits});
  } catch (const UnsupportedShader& error) { return error.what(); }
  return "";
}

// A program that keeps `count` texels until the end.
std::string many_texels(int count) {
  std::string source =
      "layout(location=0) in vec4 a; layout(location=0) out vec4 o;\n"
      "layout(binding=0) uniform sampler2D s;\nvoid main() {\n";
  std::string sum = "o = vec4(0.0)", product = " + vec4(1.0)";
  for (int i = 0; i < count; ++i) {
    source += fmt::format("vec4 t{} = texture(s, a.xy + {}.0);\n", i, i);
    sum += fmt::format(" + t{}", i), product += fmt::format(" * t{}", i);
  }
  return source + sum + product + "; }";
}

TEST(Limits, NameTemporaries) {
  EXPECT_EQ(refusal(arch::Stage::kFragment, many_texels(28)), "");
  EXPECT_THAT(
      refusal(arch::Stage::kFragment, many_texels(40)),
      testing::MatchesRegex("shader: the chip has no fragment programs of 4. temporaries, but of up to "
                            "32 .programs.fragment_temporaries."));
  EXPECT_EQ(refusal(arch::Stage::kFragment, many_texels(40), {}), "");
}

std::string many_inputs(int count) {
  std::string source = "layout(location=0) out vec4 o;\n", sum = "void main() { o = vec4(0.0)";
  for (int i = 0; i < count; ++i) {
    source += fmt::format("layout(location={}) in vec4 a{};\n", i, i);
    sum += fmt::format(" + a{}", i);
  }
  return source + sum + "; }";
}

TEST(Limits, NameInterpolatedAttributes) {
  EXPECT_EQ(refusal(arch::Stage::kFragment, many_inputs(10)), "");
  EXPECT_THAT(refusal(arch::Stage::kFragment, many_inputs(11)),
              testing::HasSubstr("11 interpolated attributes, but of up to 10 (programs.varyings)"));
}

std::string many_textures(int count) {
  std::string source, sum = "void main() { gl_Position = vec4(0.0)";
  for (int i = 0; i < count; ++i) {
    source += fmt::format("layout(binding={}) uniform sampler2D s{};\n", i, i);
    sum += fmt::format(" + texture(s{}, vec2(0.5)) + texture(s{}, vec2(0.75))", i, i);
  }
  return source + sum + "; }";
}

TEST(Limits, NameTexturesOfVertexPrograms) {
  EXPECT_EQ(refusal(arch::Stage::kVertex, many_textures(4)), "");
  EXPECT_THAT(refusal(arch::Stage::kVertex, many_textures(5)),
              testing::HasSubstr("vertex programs of 5 textures, but of up to 4 (programs.vertex_textures)"));
}

std::string many_roots(int count) {
  std::string source = "layout(location=0) in vec4 a;\nvoid main() { vec4 v = a;\n";
  for (int i = 0; i < count; ++i) source += fmt::format("v = v * v.yzwx + vec4({}.5);\n", i + 1);
  return source + "gl_Position = v; }";
}

TEST(Limits, NameInstructionsOfVertexPrograms) {
  EXPECT_EQ(refusal(arch::Stage::kVertex, many_roots(400)), "");
  EXPECT_THAT(refusal(arch::Stage::kVertex, many_roots(520)),
              testing::HasSubstr("instructions, but of up to 512 (programs.vertex_instructions)"));
}

}  // namespace
}  // namespace cutaway::compiler::limits_test
