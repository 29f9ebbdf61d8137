#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/testing/run_shader.h"

// Tests merging of equal instructions, and of instructions that only look equal.
namespace cutaway::compiler {
namespace {

using arch::Stage;
using testing::ElementsAre;

// A fragment shader's output 0 for inputs a (location 0) and b (location 1).
Vec4 output(const std::string& body, const Vec4& a, const Vec4& b) {
  const isa::Program program = compile_glsl(Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=1) in vec4 b; layout(location=0) out vec4 o;
    void main() { uvec4 u = uvec4(a), v = uvec4(b); )" + body + "}");
  Execution run;
  for (const isa::Varying& input : program.inputs) run.set(input.reg, input.location ? b : a);
  run(program);
  return run.output(0);
}

// Runs a compute shader of four invocations over buffer 0, and returns the buffer.
std::vector<uint32_t> buffer_after(const std::string& body, std::vector<uint32_t> words) {
  const isa::Program program = compile_glsl(Stage::kCompute, R"(
    layout(local_size_x = 4) in; layout(set=0, binding=0, std430) buffer B { uint d[]; };
    void main() { uint i = gl_LocalInvocationIndex; )" + body + "}");
  Execution run;
  run.buffers[{0, 0, 0}] = std::move(words);
  for (uint32_t lane = 0; lane < 4; ++lane) run.inputs[arch::kInputLocalId][lane] = {lane, 0, 0, lane};
  run(program);
  return run.buffers[{0, 0, 0}];
}

TEST(Merge, OfTheSameFirstOperandWithDifferentSecondOnes) {
  EXPECT_EQ(output("o = pow(a.xxxx, b);", {2, 0, 0, 0}, {1, 2, 3, -1}), (Vec4{2, 4, 8, 0.5f}));
  EXPECT_EQ(output("o = vec4(u.xxxx / v);", {12, 0, 0, 0}, {1, 2, 3, 5}), (Vec4{12, 6, 4, 2}));
}

TEST(Merge, OfOneOperandTwice) {
  EXPECT_EQ(output("o = vec4(u.x + u.x, u.y ^ u.y, u.z | u.z, u.w & u.w);", {3, 5, 6, 7}, {}),
            (Vec4{6, 0, 6, 7}));
}

TEST(Merge, OfSaturatedResultsWithOthers) {
  EXPECT_EQ(output("float s = a.x * b.x, t = a.y * b.y; o = vec4(clamp(s, 0.0, 1.0), t, t, 1);", {2, 3, 0, 0},
                   {4, 5, 0, 0}),
            (Vec4{1, 15, 15, 1}));
  EXPECT_EQ(output("float t = a.y + b.y, s = a.x + b.x; o = vec4(t, clamp(s, 0.0, 1.0), s > 0.5, 1);",
                   {-2, 3, 0, 0}, {-4, 5, 0, 0}),
            (Vec4{8, 0, 0, 1}));
}

TEST(Merge, OfModifiedOperandsWithOthers) {
  EXPECT_EQ(
      output("float s = abs(a.x) * b.x, t = a.y * b.y, q = -a.z * b.z; o = vec4(s, t, q, abs(a.w) * -b.w);",
             {-2, -3, -4, -5}, {1, 1, 1, 1}),
      (Vec4{2, -3, 4, -5}));
}

TEST(Merge, NotOfComparisonsWhoseOperandsChangePlaces) {
  EXPECT_EQ(output("o = vec4(a.x < b.x ? a.z : a.w, b.x < a.x ? a.z : a.w, a.y >= b.y ? b.z : b.w, b.y >= "
                   "a.y ? b.z : b.w);",
                   {1, 5, 10, 20}, {2, 4, 30, 40}),
            (Vec4{10, 20, 30, 40}));
}

TEST(Merge, NotOfValuesOfAnArmThatWasNotTaken) {
  EXPECT_EQ(output(R"(float s = 0.0;
    if (a.x > 0.0) { for (int i = 0; i < int(a.y); ++i) s += sin(b.x) + float(i); }
    o = vec4(s, sin(b.x), cos(b.y), 1);)",
                   {-1, 3, 0, 0}, {0, 0, 0, 0}),
            (Vec4{0, 0, 1, 1}));
}

// Loads separated by a store.
TEST(Merge, NotOfLoadsThatAStoreParts) {
  EXPECT_THAT(
      buffer_after("if (i == 0u) { uint x = d[0]; d[1] = x + 5u; uint y = d[1]; d[2] = y + x; }", {1, 0, 0}),
      ElementsAre(1, 6, 7));
  EXPECT_THAT(
      buffer_after("if (i == 0u) { uint x = d[0]; d[0] = x + 5u; uint y = d[0]; d[1] = y + x; }", {1, 0}),
      ElementsAre(6, 7));
}

// Addresses that look like one base: 1 << i and 2 i.
TEST(Merge, NotOfLoadsAtOtherAddresses) {
  const isa::Program program = compile_glsl(Stage::kFragment, R"(
    layout(location=0) flat in uint i; layout(location=0) out uvec4 o;
    layout(set=0, binding=0, std430) readonly buffer B { uint d[]; };
    void main() { o = uvec4(d[1u << i], d[2u * i + 1u], d[i * 2u], d[3u + (1u << i)]); })");
  Execution run;
  for (uint32_t w = 0; w < 32; ++w) run.buffers[{0, 0, 0}].push_back(100 + w);
  for (uint32_t lane = 0; lane < 4; ++lane) run.inputs[0][lane] = {lane};
  run(program);
  for (uint32_t lane = 0; lane < 4; ++lane)
    EXPECT_EQ(run.outputs.at(0)[lane],
              (Bits4{100 + (1u << lane), 101 + 2 * lane, 100 + 2 * lane, 103 + (1u << lane)}));
}

// Bytes that are close together, but not a whole number of words apart.
TEST(Merge, OfLoadsByWholeWords) {
  const isa::Program program = compile_glsl(Stage::kFragment, R"(
    #extension GL_EXT_scalar_block_layout : require
    layout(location=0) flat in uint i; layout(location=0) out uvec4 o;
    struct S { uint a, b, c; };
    layout(set=0, binding=0, scalar) readonly buffer B { S s[]; };
    void main() { o = uvec4(s[i].c, s[i].a, s[i + 1u].a, s[i + 1u].b); })");
  Execution run;
  for (uint32_t w = 0; w < 32; ++w) run.buffers[{0, 0, 0}].push_back(w);
  for (uint32_t lane = 0; lane < 4; ++lane) run.inputs[0][lane] = {lane};
  run(program);
  for (uint32_t lane = 0; lane < 4; ++lane)
    EXPECT_EQ(run.outputs.at(0)[lane], (Bits4{3 * lane + 2, 3 * lane, 3 * lane + 3, 3 * lane + 4}));
}

// Texels at other offsets differ.
TEST(Merge, NotOfSamplesAtOtherOffsets) {
  Execution run;
  run.texture = [](const isa::Instruction& i, const std::array<Bits4, 3>&) {
    return bits({static_cast<float>(i.access.offset[0]), static_cast<float>(i.access.offset[1]),
                 static_cast<float>(i.access.gather), 0});
  };
  run.set(0, {1, 2, 3, 4});
  run(compile_glsl(Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o; layout(binding=0) uniform sampler2D t;
    void main() { o = vec4(textureOffset(t, a.xy, ivec2(1, 0)).x, textureOffset(t, a.xy, ivec2(2, 0)).x,
      textureOffset(t, a.xy, ivec2(1, 3)).y, textureGather(t, a.xy, 1).z + textureGather(t, a.xy, 2).z); })"));
  EXPECT_EQ(run.output(0), (Vec4{1, 2, 3, 3}));
}

// Readers of two equal samples may need different lanes.
TEST(Merge, OfSamplesWhoseReadersNeedDifferentLanes) {
  Execution run;
  run.texture = [](const isa::Instruction&, const std::array<Bits4, 3>&) { return bits({1, 2, 3, 4}); };
  run.set(0, {1, 2, 3, 4});
  run(compile_glsl(Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o; layout(binding=0) uniform sampler2D t;
    void main() { float x = texture(t, a.xy).x; o = vec4(x, a.x, a.y, 0); o.w = texture(t, a.xy).w + texture(t, a.xy).z; })"));
  EXPECT_EQ(run.output(0), (Vec4{1, 1, 2, 7}));
}

}  // namespace
}  // namespace cutaway::compiler
