#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spirv/unified1/spirv.hpp>

#include "base/error.h"
#include "compiler/refusal.h"
#include "compiler/testing/run_shader.h"

// Tests the placement of outputs by transform feedback.
namespace cutaway::compiler {
namespace {

using arch::Stage;

uint32_t reg_of(const isa::Program& program, uint32_t location) {
  for (const isa::Varying& v : program.outputs)
    if (v.location == location) return v.reg;
  return ~0u;
}

// {buffer, offset, output register, component} of each captured component.
std::vector<std::vector<uint32_t>> captured(const isa::Program& program) {
  std::vector<std::vector<uint32_t>> found;
  for (const arch::FeedbackOutput& o : program.feedback)
    found.push_back({o.buffer(), o.offset(), o.source(), o.component()});
  return found;
}

TEST(Feedback, CapturesOutputs) {
  const auto spirv = glsl_to_spirv(Stage::kVertex, R"(
    layout(location=0) in vec4 p;
    layout(xfb_buffer=1, xfb_stride=40) out;
    layout(xfb_buffer=0, xfb_stride=16, xfb_offset=0) out gl_PerVertex { vec4 gl_Position; };
    layout(location=0, xfb_buffer=1, xfb_offset=8) out vec2 a[2];
    layout(location=4) out vec4 unread;
    layout(location=5) out Block { layout(xfb_buffer=1, xfb_offset=32) float f; vec2 g; } block;
    void main() { gl_Position = p; a[0] = p.xy; a[1] = p.zw; unread = p * 2.0; block.f = p.x + 1.0; block.g = p.xy; })");
  const isa::Program program =
      compile({.stage = Stage::kVertex, .spirv = spirv, .entry = "main", .live_outputs = 0});
  EXPECT_EQ(program.feedback_stride, (std::array<uint32_t, 4>{16, 40, 0, 0}));
  ASSERT_EQ(program.outputs.size(), 3u);
  std::vector<std::vector<uint32_t>> expected;
  for (uint32_t i = 0; i < 4; i++) expected.push_back({0, 4 * i, 0, i});
  for (uint32_t i = 0; i < 4; i++) expected.push_back({1, 8 + 4 * i, reg_of(program, i / 2), i % 2});
  expected.push_back({1, 32, reg_of(program, 5), 0});
  EXPECT_THAT(captured(program), testing::UnorderedElementsAreArray(expected));
}

// An object that holds a double begins and ends at a multiple of 8 bytes.
TEST(Feedback, DoublesInStructuresAreAligned) {
  const auto spirv = glsl_to_spirv(Stage::kVertex, R"(#version 450
    layout(location=0) in vec4 p;
    struct Inner { float a; double b; float c; };
    struct Outer { float d; Inner e[2]; float f; dvec3 g; };
    layout(xfb_buffer=0, xfb_stride=136) out;
    layout(location=0) out Block { layout(xfb_offset=0) float first; layout(xfb_offset=8) Outer s; };
    void main() { gl_Position = p; first = p.x; s.d = p.y; s.f = p.z; s.g = dvec3(p.xyz);
      for (int i = 0; i < 2; ++i) { s.e[i].a = p.x; s.e[i].b = p.y; s.e[i].c = p.z; } })");
  const isa::Program program =
      compile({.stage = Stage::kVertex, .spirv = spirv, .entry = "main", .live_outputs = 0});
  std::vector<uint32_t> offsets;
  for (const arch::FeedbackOutput& o : program.feedback) offsets.push_back(o.offset());
  // first; d; a, b and c twice, each 24 bytes; f; g.
  EXPECT_THAT(offsets, testing::UnorderedElementsAre(0, 8, 16, 24, 28, 32, 40, 48, 52, 56, 64, 72, 76, 80, 84,
                                                     88, 92));
}

// Vulkan, "Transform Feedback": the blocks of an array go to consecutive buffers.
TEST(Feedback, BlocksOfAnArrayGoToOneBufferAfterTheOther) {
  const auto spirv = glsl_to_spirv(Stage::kVertex, R"(
    layout(location=0) in vec4 p;
    layout(location=0, xfb_buffer=1, xfb_stride=32, xfb_offset=8) out B { vec2 f; float g; } b[3];
    layout(location=12, xfb_buffer=0, xfb_stride=12, xfb_offset=4) out vec2 plain[1];
    void main() { gl_Position = p; b[0].f = p.xy; b[1].f = p.zw; b[2].f = p.yx; b[0].g = p.x; b[1].g = p.y; b[2].g = p.z;
      plain[0] = p.xw; })");
  const isa::Program program =
      compile({.stage = Stage::kVertex, .spirv = spirv, .entry = "main", .live_outputs = 0});
  EXPECT_EQ(program.feedback_stride, (std::array<uint32_t, 4>{12, 32, 32, 32}));
  std::vector<std::vector<uint32_t>> expected;
  for (uint32_t block = 0; block < 3; ++block) {
    for (uint32_t c = 0; c < 2; ++c)
      expected.push_back({1 + block, 8 + 4 * c, reg_of(program, 2 * block), c});
    expected.push_back({1 + block, 16, reg_of(program, 2 * block + 1), 0});
  }
  for (uint32_t c = 0; c < 2; ++c) expected.push_back({0, 4 + 4 * c, reg_of(program, 12), c});
  EXPECT_THAT(captured(program), testing::UnorderedElementsAreArray(expected));
}

TEST(Feedback, AnArrayOfMoreBlocksThanBuffersIsRefused) {
  EXPECT_THROW(compile_glsl(Stage::kVertex, R"(
    layout(location=0, xfb_buffer=2, xfb_stride=32, xfb_offset=8) out B { vec2 f; } b[3];
    void main() { gl_Position = vec4(0); b[0].f = b[1].f = b[2].f = vec2(1); })"),
               UserError);
}

// Outputs that no path writes have their room in the buffers, and zeros in it.
TEST(Feedback, CapturesOutputsThatAreNeverWritten) {
  const isa::Program program = compile_glsl(Stage::kVertex, R"(
    layout(xfb_buffer=0, xfb_stride=32) out;
    layout(location=0, xfb_offset=0) out vec2 never;
    layout(location=1, xfb_offset=8) out Block { float one; layout(xfb_offset=20) float other; } block;
    out gl_PerVertex { vec4 gl_Position; layout(xfb_offset=24) float gl_CullDistance[2]; };
    void main() { gl_Position = vec4(1); block.one = 2.0; })");
  const uint32_t one = reg_of(program, 1);
  EXPECT_THAT(captured(program), testing::UnorderedElementsAreArray(
                                     std::vector<std::vector<uint32_t>>{{0, 0, reg_of(program, 0), 0},
                                                                        {0, 4, reg_of(program, 0), 1},
                                                                        {0, 8, one, 0},
                                                                        {0, 20, reg_of(program, 2), 0},
                                                                        {0, 24, program.clip_distance, 0},
                                                                        {0, 28, program.clip_distance, 1}}));
  EXPECT_EQ(program.cull_distances, 2u);
  Execution run;
  run(program);
  EXPECT_EQ(run.output(one)[0], 2);
  for (const arch::FeedbackOutput& output : program.feedback) {
    if (output.source() != one) {
      EXPECT_EQ(run.output(output.source())[output.component()], 0) << output.offset();
    }
  }
}

TEST(Feedback, CapturesUnwrittenOutputsOfStreams) {
  const isa::Program program = compile_glsl(Stage::kGeometry, R"(
    layout(points) in; layout(points, max_vertices=3) out;
    layout(stream=0, location=0, xfb_buffer=0, xfb_stride=4, xfb_offset=0) out float never;
    layout(stream=2, location=1, xfb_buffer=1, xfb_stride=8, xfb_offset=4) out float later;
    void main() { EmitStreamVertex(0); EmitStreamVertex(2); later = 3.0; EmitStreamVertex(2); })");
  ASSERT_EQ(program.feedback.size(), 2u);
  for (const arch::FeedbackOutput& output : program.feedback)
    EXPECT_EQ(output.stream(), output.buffer() == 0 ? 0u : 2u);
}

// A vertex program whose outputs `wide` and `narrow` both have location 0; a copy is captured from
// location 1.
std::vector<uint32_t> outputs_at_one_location(const std::string& captured_too = "") {
  std::vector<uint32_t> words = glsl_to_spirv(Stage::kVertex, R"(
    layout(location=0) in vec4 p;
    layout(xfb_buffer=0, xfb_stride=32) out;
    layout(location=0) out vec4 wide;
    layout(location=9)" + captured_too + R"() out float narrow;
    layout(location=1, xfb_buffer=0, xfb_offset=0) out float copy;
    void main() { gl_Position = p; wide = p + vec4(1.0); narrow = p.x * 2.0; copy = narrow; })");
  for (size_t at = 5; at < words.size(); at += words[at] >> 16)
    if ((words[at] & 0xffff) == spv::OpDecorate && words[at + 2] == spv::DecorationLocation &&
        words[at + 3] == 9)
      words[at + 3] = 0;
  return words;
}

// Zink 22.3 makes such modules from structures that OpenGL captures, although Vulkan forbids them.
TEST(Feedback, OutputsMayShareAnUnreadLocation) {
  const auto words = outputs_at_one_location();
  const isa::Program program =
      compile({.stage = Stage::kVertex, .spirv = words, .entry = "main", .live_outputs = 2});
  EXPECT_THAT(captured(program), testing::ElementsAre(std::vector<uint32_t>{0, 0, reg_of(program, 1), 0}));
  EXPECT_THROW(compile({.stage = Stage::kVertex, .spirv = words, .entry = "main", .live_outputs = 1}),
               InvalidShader);
}

TEST(Feedback, OneOfSharedOutputsMayBeCaptured) {
  const auto words = outputs_at_one_location(", xfb_buffer=0, xfb_offset=8");
  const isa::Program program =
      compile({.stage = Stage::kVertex, .spirv = words, .entry = "main", .live_outputs = 0});
  EXPECT_THAT(captured(program),
              testing::UnorderedElementsAre(std::vector<uint32_t>{0, 8, reg_of(program, 0), 0},
                                            std::vector<uint32_t>{0, 0, reg_of(program, 1), 0}));
  EXPECT_THROW(compile({.stage = Stage::kVertex, .spirv = words, .entry = "main", .live_outputs = 1}),
               InvalidShader);
}

// A fragment program's output at a location goes to one color target, if there is one.
TEST(Feedback, FragmentOutputsMustNotShareATarget) {
  std::vector<uint32_t> words = glsl_to_spirv(Stage::kFragment, R"(
    layout(location=0) out vec4 a; layout(location=9) out vec4 b; void main() { a = vec4(0); b = vec4(1); })");
  for (size_t at = 5; at < words.size(); at += words[at] >> 16)
    if ((words[at] & 0xffff) == spv::OpDecorate && words[at + 2] == spv::DecorationLocation)
      words[at + 3] = 0;
  EXPECT_THROW(compile({.stage = Stage::kFragment, .spirv = words, .entry = "main", .live_outputs = 1}),
               InvalidShader);
  EXPECT_NO_THROW(compile({.stage = Stage::kFragment, .spirv = words, .entry = "main", .live_outputs = 0}));
}

}  // namespace
}  // namespace cutaway::compiler
