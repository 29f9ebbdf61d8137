#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spirv/unified1/spirv.hpp>

#include "compiler/refusal.h"
#include "compiler/testing/run_shader.h"

// Tests geometry programs: reads of their primitive's vertices, and emissions.
namespace cutaway::compiler {
namespace {

using arch::Stage;
using arch::Topology;
using testing::HasSubstr;

uint32_t input_at(const isa::Program& program, uint32_t location) {
  for (const isa::Varying& v : program.inputs)
    if (v.location == location) return v.reg;
  return ~0u;
}

uint32_t output_at(const isa::Program& program, uint32_t location) {
  for (const isa::Varying& v : program.outputs)
    if (v.location == location) return v.reg;
  return ~0u;
}

// Vertex v has (10 v + r, …) in register r.
void number_vertices(Execution& run, const isa::Program& program, uint32_t vertices) {
  run.vertices.assign(vertices, std::vector<Vec4>(program.inputs.size()));
  for (uint32_t v = 0; v < vertices; ++v)
    for (uint32_t r = 0; r < program.inputs.size(); ++r) {
      const auto value = static_cast<float>(10 * v + r);
      run.vertices[v][r] = {value, value + 0.25f, value + 0.5f, value + 0.75f};
    }
}

TEST(GeometryShader, SaysItsModes) {
  const isa::Program triangles = compile_glsl(Stage::kGeometry, R"(
    layout(triangles, invocations=5) in; layout(line_strip, max_vertices=7) out;
    void main() { gl_Position = gl_in[1].gl_Position; EmitVertex(); EndPrimitive(); })");
  EXPECT_EQ(triangles.stage, Stage::kGeometry);
  EXPECT_EQ(triangles.modes.input_vertices, 3u);
  EXPECT_EQ(triangles.modes.invocations, 5u);
  EXPECT_EQ(triangles.modes.max_vertices, 7u);
  EXPECT_EQ(triangles.modes.output_topology, static_cast<uint32_t>(Topology::kLineStrip));
  const auto input_vertices = [](const std::string& input, const std::string& output) {
    return compile_glsl(Stage::kGeometry, "layout(" + input + ") in; layout(" + output +
                                              ", max_vertices=1) out; void main() { EmitVertex(); }")
        .modes;
  };
  EXPECT_EQ(input_vertices("points", "points").input_vertices, 1u);
  EXPECT_EQ(input_vertices("lines", "points").output_topology, static_cast<uint32_t>(Topology::kPointList));
  EXPECT_EQ(input_vertices("lines", "points").input_vertices, 2u);
  EXPECT_EQ(input_vertices("lines_adjacency", "triangle_strip").input_vertices, 4u);
  EXPECT_EQ(input_vertices("triangles_adjacency", "triangle_strip").input_vertices, 6u);
  EXPECT_EQ(input_vertices("triangles_adjacency", "triangle_strip").output_topology,
            static_cast<uint32_t>(Topology::kTriangleStrip));
}

TEST(GeometryShader, ReadsVerticesAtAnyIndex) {
  const isa::Program program = compile_glsl(Stage::kGeometry, R"(
    layout(triangles) in; layout(points, max_vertices=3) out;
    layout(location=5) in vec2 t[]; layout(location=2) in Block { vec3 a; mat2 m; } block[];
    layout(location=0) out vec4 o; layout(location=1) out vec4 p;
    layout(binding=0) uniform U { int vertex, column; };
    void main() {
      for (int i = 0; i < gl_in.length(); i++) {
        gl_Position = gl_in[i].gl_Position;
        o = vec4(t[i], block[vertex].a.zy);
        p = vec4(block[gl_InvocationID].m[column], gl_PrimitiveIDIn, gl_in[vertex].gl_PointSize);
        EmitVertex();
      }
    })");
  const uint32_t position = input_at(program, isa::kPositionLocation), t = input_at(program, 5),
                 a = input_at(program, 2), m0 = input_at(program, 3), m1 = input_at(program, 4),
                 size = input_at(program, isa::kPointSizeLocation);
  ASSERT_EQ(program.inputs.size(), 6u);
  Execution run;
  number_vertices(run, program, 3);
  run.buffers[{0, 0, 0}] = {2, 1};
  for (uint32_t lane = 0; lane < 4; ++lane)
    run.inputs[arch::kInputPrimitive][lane] = {7 + lane, lane % 3, 0, 0};
  run(program);
  const auto number = [](uint32_t v, uint32_t r) { return static_cast<float>(10 * v + r); };
  for (uint32_t lane = 0; lane < 4; ++lane) {
    ASSERT_EQ(run.emitted[lane].size(), 3u);
    for (uint32_t v = 0; v < 3; ++v) {
      const auto& outputs = run.emitted[lane][v].outputs;
      EXPECT_EQ(outputs[0][0], number(v, position));
      EXPECT_EQ(outputs[0][3], number(v, position) + 0.75f);
      const Vec4& o = outputs[output_at(program, 0)];
      EXPECT_EQ(o, (Vec4{number(v, t), number(v, t) + 0.25f, number(2, a) + 0.5f, number(2, a) + 0.25f}));
      const Vec4& p = outputs[output_at(program, 1)];
      EXPECT_EQ(p, (Vec4{number(lane % 3, m1), number(lane % 3, m1) + 0.25f, static_cast<float>(7 + lane),
                         number(2, size)}));
    }
  }
  run.buffers[{0, 0, 0}] = {9, 0};  // no such vertex: zeros
  run(program);
  EXPECT_EQ(run.emitted[1][0].outputs[output_at(program, 0)][2], 0);
  EXPECT_EQ(run.emitted[1][0].outputs[output_at(program, 1)][0], number(1, m0));
}

// Values computed for the next vertex before an emission do not appear in the current vertex.
TEST(GeometryShader, EachVertexHasTheOutputsOfItsTime) {
  const isa::Program program = compile_glsl(Stage::kGeometry, R"(
    layout(lines) in; layout(triangle_strip, max_vertices=4) out;
    layout(location=0) in vec4 c[]; layout(location=0) out vec4 o;
    void main() {
      vec4 first = c[0] * 2.0, second = c[1] * 3.0, third = sqrt(c[0] + c[1]);
      gl_Position = vec4(1); o = first; EmitVertex();
      gl_Position = vec4(2); o = second; EmitVertex();
      EndPrimitive();
      if (c[0].x > 0.5) { gl_Position = vec4(3); o = third; EmitVertex(); }
      gl_Position = first + second; o = second - first; EmitVertex();
    })");
  Execution run;
  for (const float x : {0.0f, 1.0f}) {
    run.vertices = {{{x, 1, 4, 9}}, {{1, 2, 3, 4}}};
    run(program);
    const uint32_t o = output_at(program, 0);
    const auto& emitted = run.emitted[2];
    ASSERT_EQ(emitted.size(), x == 0 ? 4u : 5u);
    EXPECT_EQ(emitted[0].outputs[0], (Vec4{1, 1, 1, 1}));
    EXPECT_EQ(emitted[0].outputs[o], (Vec4{2 * x, 2, 8, 18}));
    EXPECT_EQ(emitted[1].outputs[0], (Vec4{2, 2, 2, 2}));
    EXPECT_EQ(emitted[1].outputs[o], (Vec4{3, 6, 9, 12}));
    EXPECT_TRUE(emitted[2].outputs.empty());
    if (x != 0) {
      EXPECT_EQ(emitted[3].outputs[0], (Vec4{3, 3, 3, 3}));
      const float sums[] = {2, 3, 7, 13};
      for (uint32_t c = 0; c < 4; ++c) EXPECT_FLOAT_EQ(emitted[3].outputs[o][c], std::sqrt(sums[c]));
    }
    EXPECT_EQ(emitted.back().outputs[0], (Vec4{2 * x + 3, 8, 17, 30}));
    EXPECT_EQ(emitted.back().outputs[o], (Vec4{3 - 2 * x, 4, 1, -6}));
  }
}

TEST(GeometryShader, WritesWhatTheRasteriserReads) {
  const isa::Program program = compile_glsl(Stage::kGeometry, R"(
    layout(points) in; layout(points, max_vertices=2) out;
    in gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; float gl_CullDistance[1]; } gl_in[];
    out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[3]; float gl_CullDistance[2]; };
    void main() {
      gl_Position = gl_in[0].gl_Position; gl_PointSize = 3.0;
      gl_Layer = 5; gl_ViewportIndex = 6; gl_PrimitiveID = gl_PrimitiveIDIn + 1;
      gl_CullDistance[1] = 10.0 + gl_in[0].gl_CullDistance[0];
      EmitVertex();
      gl_ClipDistance[2] = gl_in[0].gl_ClipDistance[1]; gl_ClipDistance[0] = 8.0; gl_CullDistance[0] = 9.0;
      EmitVertex();
    })");
  EXPECT_EQ(program.clip_distances, 3u);
  EXPECT_EQ(program.cull_distances, 2u);
  Execution run;
  number_vertices(run, program, 1);
  run.inputs[arch::kInputPrimitive] = {};
  run(program);
  const auto& first = run.emitted[0].at(0).outputs;
  const auto& second = run.emitted[0].at(1).outputs;
  EXPECT_EQ(first[program.point_size][0], 3);
  EXPECT_EQ(bits(first[program.layer])[0], 5u);
  EXPECT_EQ(bits(first[program.viewport_index])[0], 6u);
  EXPECT_EQ(bits(first[program.primitive_id])[0], 1u);
  const float cull = static_cast<float>(input_at(program, isa::kCullLocation));
  EXPECT_EQ(first[program.clip_distance + 1][0], 10 + cull);  // the fifth of all
  const float clip = static_cast<float>(input_at(program, isa::kClipLocation)) + 0.25f;
  EXPECT_EQ(second[program.clip_distance], (Vec4{8, second[program.clip_distance][1], clip, 9}));
  EXPECT_EQ(second[program.clip_distance + 1][0], 10 + cull);
}

TEST(GeometryShader, CapturesItsStreams) {
  const isa::Program program = compile_glsl(Stage::kGeometry, R"(
    layout(points) in; layout(points, max_vertices=2) out;
    layout(location=0, stream=0, xfb_buffer=0, xfb_offset=4, xfb_stride=8) out float a;
    layout(location=1, stream=2, xfb_buffer=1, xfb_offset=0, xfb_stride=8) out vec2 b;
    void main() { a = 1.0; EmitStreamVertex(0); EndStreamPrimitive(0);
                  b = vec2(2, 3); EmitStreamVertex(2); a = 4.0; EmitStreamVertex(0); EndStreamPrimitive(2); })");
  Execution run;
  run.vertices = {{}};
  run(program);
  const auto& emitted = run.emitted[0];
  ASSERT_EQ(emitted.size(), 5u);
  const uint32_t streams[] = {0, 0, 2, 0, 2};
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(emitted[i].stream, streams[i]) << i;
  const uint32_t a = output_at(program, 0), b = output_at(program, 1);
  EXPECT_EQ(emitted[0].outputs[a][0], 1);
  EXPECT_EQ(emitted[2].outputs[b][1], 3);
  EXPECT_EQ(emitted[3].outputs[a][0], 4);
  ASSERT_EQ(program.feedback.size(), 3u);
  EXPECT_EQ(program.feedback[0].word, arch::FeedbackOutput::make(a, 0, 0, 4, 0).word);
  EXPECT_EQ(program.feedback[1].word, arch::FeedbackOutput::make(b, 0, 1, 0, 2).word);
  EXPECT_EQ(program.feedback[2].word, arch::FeedbackOutput::make(b, 1, 1, 4, 2).word);
}

TEST(GeometryShader, FragmentsReadLayersAndViewports) {
  const isa::Program program = compile_glsl(Stage::kFragment, R"(
    layout(location=3) in vec4 c; layout(location=0) out vec4 o;
    void main() { o = c + vec4(gl_Layer, gl_ViewportIndex, 0, 0); })");
  ASSERT_EQ(program.inputs.size(), 3u);
  EXPECT_EQ(input_at(program, 3), 0u);
  Execution run;
  run.set(0, {1, 1, 1, 1});
  for (Bits4& lane : run.inputs[input_at(program, isa::kViewportLocation)]) lane = {7, 0, 0, 0};
  for (Bits4& lane : run.inputs[input_at(program, isa::kLayerLocation)]) lane = {5, 0, 0, 0};
  run(program);
  EXPECT_EQ(run.output(0), (Vec4{6, 8, 1, 1}));
  for (const isa::Varying& v : program.inputs)
    EXPECT_EQ(v.mode == arch::Interpolation::kFlat, v.location != 3) << v.location;
}

// The error text for an execution mode with this single operand.
std::string refusal(spv::ExecutionMode mode, uint32_t value) {
  std::vector<uint32_t> spirv =
      glsl_to_spirv(Stage::kGeometry,
                    "layout(points, invocations=2) in; layout(points, max_vertices=1) out; void main() {}");
  for (size_t at = 5; at < spirv.size(); at += spirv[at] >> 16)
    if ((spirv[at] & 0xffff) == spv::OpExecutionMode && spirv[at + 2] == mode) spirv[at + 3] = value;
  try {
    compile({.stage = Stage::kGeometry, .spirv = spirv, .entry = "main"});
  } catch (const UserError& error) { return error.what(); }
  return "no refusal";
}

TEST(GeometryShader, RefusesExcessiveLimits) {
  EXPECT_THAT(refusal(spv::ExecutionModeOutputVertices, 257), HasSubstr("OutputVertices 257"));
  EXPECT_EQ(refusal(spv::ExecutionModeOutputVertices, 256), "no refusal");
  EXPECT_THAT(refusal(spv::ExecutionModeInvocations, 33), HasSubstr("Invocations 33"));
  EXPECT_EQ(refusal(spv::ExecutionModeInvocations, 32), "no refusal");
}

}  // namespace
}  // namespace cutaway::compiler
