#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/testing/run_shader.h"

// Sampling, fetches and queries of textures.
namespace cutaway::compiler::texture_test {
namespace {

using arch::Stage;
using testing::HasSubstr;

TEST(Textures, SampleWithTheirSamplers) {
  std::vector<isa::Instruction> seen;
  auto unit = [&](const isa::Instruction& i, const std::array<Bits4, 3>& s) {
    if (seen.empty() || seen.back() != i) seen.push_back(i);
    return Bits4{s[0][0], s[0][1], s[1][0], s[0][3]};
  };
  Execution run;
  run.texture = unit;
  run.set(0, {1, 2, 3, 4});
  run(compile_glsl(Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o;
    layout(set=0, binding=1) uniform sampler2D t; layout(set=1, binding=0) uniform texture2D u;
    layout(set=1, binding=7) uniform sampler s; layout(set=2, binding=0) uniform sampler2DShadow d;
    void main() { o = texture(t, a.xy) + textureLod(sampler2D(u, s), a.zw, 2.0) + vec4(texture(d, a.xyz))
      + textureOffset(t, a.yx, ivec2(-3, 7)); })"));
  ASSERT_EQ(seen.size(), 4u);
  EXPECT_EQ(seen[0].access.resource, seen[3].access.resource);
  EXPECT_EQ(seen[1].op, isa::Opcode::kTxl);
  EXPECT_TRUE(seen[2].access.shadow);
  EXPECT_EQ(seen[3].access.offset[1], 7);
  EXPECT_EQ(run.output(0), (Vec4{1 + 3 + 1 + 2, 2 + 4 + 1 + 1, 0 + 2 + 1 + 0, 4 * 0 + run.output(0)[3]}));
}

TEST(Textures, ProjectionFetchAndQueries) {
  const isa::Program program = compile_glsl(Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o; layout(binding=0) uniform sampler2D t;
    layout(binding=1) uniform sampler2DArray m;
    void main() { o = textureProj(t, a.xyz) + texelFetch(t, ivec2(a.xy), 1) + vec4(textureSize(m, 0), textureQueryLevels(t))
      + textureGrad(m, a.xyz, a.xy, a.yx) + textureGather(t, a.xy, 2); })");
  std::string text = isa::disassemble(program.code);
  for (const char* name : {"TXP", "TXF", "TXQ", "TXD", "TXG"}) EXPECT_THAT(text, HasSubstr(name));
  Execution run;
  run.set(0, {1, 2, 3, 4});
  run(program);
}

TEST(Textures, DerivativesAreThoseOfImplicitLevels) {
  const std::string text = isa::disassemble(compile_glsl(Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o;
    void main() { o = vec4(dFdx(a.x), dFdy(a.x), dFdxFine(a.x), dFdyCoarse(a.y)); })")
                                                .code);
  for (const char* name : {"DDXC", "DDYC", "DDX "}) EXPECT_THAT(text, HasSubstr(name));
  EXPECT_THAT(text, testing::Not(HasSubstr("DDY ")));
}

TEST(Textures, ArraysOfTexturesAndSamplersAreIndexed) {
  Execution run;
  run.texture = [](const isa::Instruction& i, const std::array<Bits4, 3>&) {
    return Bits4{i.access.resource, i.access.sampler, 0, 0};
  };
  run.set_lanes(0, {Vec4{0, 1}, Vec4{1, 1}, Vec4{2, 0}, Vec4{1, 0}});
  const isa::Program program = compile_glsl(Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out uvec4 o;
    layout(binding=0) uniform usampler2D both[3];
    layout(binding=1) uniform utexture2D image[3]; layout(binding=2) uniform sampler state[2];
    void main() {
      o = uvec4(texture(both[int(a.x)], a.xy).xy, texture(usampler2D(image[int(a.x)], state[int(a.y)]), a.xy).xy);
    })");
  run(program);
  const auto slot = [](const std::vector<isa::SlotBinding>& slots, uint32_t binding, uint32_t element) {
    for (uint32_t i = 0; i < slots.size(); i++)
      if (slots[i].binding == binding && slots[i].element == element) return i;
    return ~0u;
  };
  const uint32_t x[4] = {0, 1, 2, 1}, y[4] = {1, 1, 0, 0};
  for (uint32_t lane = 0; lane < 4; lane++) {
    const Bits4& o = run.outputs.at(0)[lane];
    EXPECT_EQ(o[0], slot(program.resources, 0, x[lane]));
    EXPECT_EQ(o[1], slot(program.samplers, 0, x[lane]));
    EXPECT_EQ(o[2], slot(program.resources, 1, x[lane]));
    EXPECT_EQ(o[3], slot(program.samplers, 2, y[lane]));
  }
}

TEST(Textures, OffsetsOfFetchesLeaveTheLayer) {
  std::vector<Bits4> seen;
  Execution run;
  run.texture = [&](const isa::Instruction&, const std::array<Bits4, 3>& s) {
    return seen.emplace_back(s[0]);
  };
  run.set(0, {5, 6, 7, 8});
  run(compile_glsl(Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o; layout(binding=0) uniform sampler2DArray m;
    void main() { o = texelFetchOffset(m, ivec3(a.xyz), 0, ivec2(-1, 2)); })"));
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ((std::array{seen[0][0], seen[0][1], seen[0][2]}), (std::array{4u, 8u, 7u}));
}

}  // namespace
}  // namespace cutaway::compiler::texture_test
