#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/refusal.h"
#include "compiler/testing/run_shader.h"

// Tests tessellation control and evaluation programs: their writes to and reads from patch memory.
namespace cutaway::compiler {
namespace {

using arch::Stage;

TEST(Tessellation, SaysItsModes) {
  const isa::Program control = compile_glsl(Stage::kTessControl, R"(
    layout(vertices=5) out;
    void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; })");
  EXPECT_EQ(control.modes.max_vertices, 5u);
  EXPECT_EQ(control.modes.domain, isa::PrimitiveModes::kUnsaid);
  const auto modes = [](const std::string& layout) {
    return compile_glsl(Stage::kTessEvaluation,
                        "layout(" + layout + ") in; void main() { gl_Position = vec4(1); }")
        .modes;
  };
  const auto number = [](auto value) { return static_cast<uint32_t>(value); };
  EXPECT_EQ(modes("triangles, fractional_odd_spacing, cw").domain, number(arch::TessDomain::kTriangles));
  EXPECT_EQ(modes("triangles, fractional_odd_spacing, cw").spacing,
            number(arch::TessSpacing::kFractionalOdd));
  EXPECT_EQ(modes("triangles, fractional_odd_spacing, cw").clockwise, 1u);
  EXPECT_EQ(modes("quads, fractional_even_spacing, ccw").domain, number(arch::TessDomain::kQuads));
  EXPECT_EQ(modes("quads, fractional_even_spacing, ccw").spacing, number(arch::TessSpacing::kFractionalEven));
  EXPECT_EQ(modes("quads, fractional_even_spacing, ccw").clockwise, 0u);
  EXPECT_EQ(modes("isolines, equal_spacing, point_mode").domain, number(arch::TessDomain::kIsolines));
  EXPECT_EQ(modes("isolines, equal_spacing, point_mode").point_mode, 1u);
}

// The evaluation program reads everything that a control program writes, of each kind and at any index,
// through patch memory; unwritten inputs read as zero.
TEST(Tessellation, ProgramsMeetInThePatch) {
  const isa::Program control = compile_glsl(Stage::kTessControl, R"(
    layout(vertices=4) out;
    layout(location=1) in vec4 a[]; layout(location=3) in vec2 b[];
    layout(location=2) out vec3 va[]; layout(location=4) out Block { float f; mat2 m; vec2 l[2]; } vb[];
    layout(location=10) patch out vec4 pa[3]; layout(location=13) patch out Patch { vec2 q; float r; } pb;
    layout(binding=0) uniform U { int one, two; };
    void main() {
      int i = gl_InvocationID;
      gl_out[gl_InvocationID].gl_Position = gl_in[i].gl_Position * 2.0;
      va[gl_InvocationID] = a[3 - i].xyz;
      vb[gl_InvocationID].f = float(gl_PatchVerticesIn);
      vb[gl_InvocationID].m = mat2(a[i].xy, b[i]);
      vb[gl_InvocationID].l[one] = b[i].yx;
      pa[gl_InvocationID % 3][one] = float(i);
      barrier();
      if (i == 0) {
        gl_TessLevelOuter[two] = 7.0; gl_TessLevelOuter[0] = 3.0; gl_TessLevelInner[one] = 5.0;
        pb.q = va[1].xy + va[two].yz; pb.r = float(gl_PrimitiveID);
      }
    })");
  ASSERT_GT(control.patch.bytes, 0u);
  Execution run;
  run.buffers[{0, 0, 0}] = {1, 2};
  const auto vertex_value = [](uint32_t v, uint32_t location, uint32_t c) {
    return static_cast<float>(100 * v + 10 * location + c);
  };
  for (uint32_t v = 0; v < 4; ++v) {
    run.vertices.emplace_back(control.inputs.size());
    for (const isa::Varying& input : control.inputs)
      for (uint32_t c = 0; c < 4; ++c)
        run.vertices[v][input.reg][c] = vertex_value(v, input.location % 16, c);
  }
  for (uint32_t lane = 0; lane < 4; ++lane) run.inputs[arch::kInputPrimitive][lane] = {9, lane, 4, 0};
  run(control);
  const auto word = [&](uint32_t byte) { return std::bit_cast<float>(run.shared.at(byte / 4)); };
  EXPECT_EQ(word(arch::kPatchOuter), 3);
  EXPECT_EQ(word(arch::kPatchOuter + 8), 7);
  EXPECT_EQ(word(arch::kPatchInner + 4), 5);

  const auto spirv = glsl_to_spirv(Stage::kTessEvaluation, R"(
    layout(quads) in;
    layout(location=2) in vec3 va[]; layout(location=4) in Block { float f; mat2 m; vec2 l[2]; } vb[];
    layout(location=10) patch in vec4 pa[3]; layout(location=13) patch in Patch { vec2 q; float r; } pb;
    layout(location=20) in vec4 nobody[];
    layout(location=0) out vec4 o[6];
    layout(binding=0) uniform U { int one, two; };
    void main() {
      gl_Position = gl_in[two].gl_Position + nobody[1];
      o[0] = vec4(va[3], vb[one].f);
      o[1] = vec4(vb[two].m[one], vb[two].m[0]);
      o[2] = vec4(vb[3].l[1], pb.q);
      o[3] = pa[two];
      o[4] = vec4(pb.r, gl_TessLevelOuter[two], gl_TessLevelInner[1], gl_PatchVerticesIn);
      o[5] = vec4(gl_TessCoord, gl_PrimitiveID);
    })");
  const isa::Program evaluation =
      compile({.stage = Stage::kTessEvaluation, .spirv = spirv, .entry = "main", .patch = &control.patch});
  Execution point;
  point.buffers[{0, 0, 0}] = {1, 2};
  point.patch = run.shared;
  for (Bits4& lane : point.inputs[arch::kInputPrimitive]) lane = {9, 0, 4, 0};
  point.set(arch::kInputTessCoord, {0.25f, 0.5f, 0, 0});
  point(evaluation);
  const auto o = [&](uint32_t location) {
    for (const isa::Varying& v : evaluation.outputs)
      if (v.location == location) return point.output(v.reg);
    return Vec4{-1, -1, -1, -1};
  };
  const uint32_t position = isa::kPositionLocation % 16;
  EXPECT_EQ(point.output(0)[1], 2 * vertex_value(2, position, 1));
  EXPECT_EQ(o(0), (Vec4{vertex_value(0, 1, 0), vertex_value(0, 1, 1), vertex_value(0, 1, 2), 4}));
  EXPECT_EQ(o(1), (Vec4{vertex_value(2, 3, 0), vertex_value(2, 3, 1), vertex_value(2, 1, 0),
                        vertex_value(2, 1, 1)}));
  EXPECT_EQ(o(2),
            (Vec4{vertex_value(3, 3, 1), vertex_value(3, 3, 0), vertex_value(2, 1, 0) + vertex_value(1, 1, 1),
                  vertex_value(2, 1, 1) + vertex_value(1, 1, 2)}));
  EXPECT_EQ(o(3)[1], 2);
  EXPECT_EQ(o(4), (Vec4{9, 7, 5, 4}));
  EXPECT_EQ(o(5), (Vec4{0.25f, 0.5f, 0, 9}));
}

}  // namespace
}  // namespace cutaway::compiler
