#include <algorithm>
#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/testing/run_shader.h"

// Tests doubles passed between the stages before the rasteriser: through memory of patches, of vertices and
// of transform feedback, at any index.
namespace cutaway::compiler {
namespace {

using arch::Stage;
using testing::ElementsAre;

// Component n of a vertex, counted in doubles from location 0 on: two to a location.
double of_vertex(uint32_t vertex, uint32_t n) { return 0.1 * (100 * vertex + n + 1); }

Vec4 two_doubles(double x, double y) {
  const auto a = std::bit_cast<std::array<float, 2>>(x), b = std::bit_cast<std::array<float, 2>>(y);
  return {a[0], a[1], b[0], b[1]};
}

// Vertices whose registers all hold two doubles.
std::vector<std::vector<Vec4>> vertices_for(const isa::Program& program, uint32_t count) {
  std::vector<std::vector<Vec4>> all(count, std::vector<Vec4>(program.inputs.size()));
  for (uint32_t v = 0; v < count; ++v)
    for (const isa::Varying& in : program.inputs)
      all[v][in.reg] = two_doubles(of_vertex(v, 2 * in.location), of_vertex(v, 2 * in.location + 1));
  return all;
}

// The doubles of outputs from a location on.
std::vector<double> outputs_at(const isa::Program& program, uint32_t location, size_t count,
                               const std::function<Vec4(uint32_t)>& output) {
  std::vector<double> all;
  for (uint32_t n = 0; n < count; ++n)
    for (const isa::Varying& v : program.outputs) {
      if (v.location != location + n / 2) continue;
      const Vec4 words = output(v.reg);
      all.push_back(std::bit_cast<double>(std::array{words[n % 2 * 2], words[n % 2 * 2 + 1]}));
    }
  return all;
}

TEST(DoubleStages, PassFlatInterpolants) {
  const isa::Program vertex = compile_glsl(Stage::kVertex, R"(#version 460
    layout(location=0) in vec4 a;
    layout(location=1) out flat dvec3 v; layout(location=3) out flat double d; layout(location=4) out flat dmat2x3 m;
    void main() { v = dvec3(a.xyz) * 0.1lf; d = -double(a.w); m = dmat2x3(1, 2, 3, 4, 5, d); gl_Position = vec4(0); })");
  const isa::Program fragment = compile_glsl(Stage::kFragment, R"(#version 460
    layout(location=1) in flat dvec3 v; layout(location=3) in flat double d; layout(location=4) in flat dmat2x3 m;
    layout(location=0) out vec4 o; layout(location=1) out vec4 p;
    void main() { o = vec4(v * 10.0lf, d); p = vec4(m[0].z, m[1]); })");
  Execution before;
  before.set(0, {1, 2, 3, 4});
  before(vertex);
  Execution after;
  for (const isa::Varying& in : fragment.inputs) {
    const auto out = std::find_if(vertex.outputs.begin(), vertex.outputs.end(),
                                  [&](const isa::Varying& v) { return v.location == in.location; });
    ASSERT_NE(out, vertex.outputs.end()) << in.location;
    EXPECT_EQ(in.mode, arch::Interpolation::kFlat);
    after.inputs[in.reg] = before.outputs.at(out->reg);
  }
  after(fragment);
  EXPECT_EQ(after.output(0), (Vec4{1, 2, 3, -4}));
  EXPECT_EQ(after.output(1), (Vec4{3, 4, 5, -4}));
}

TEST(DoubleStages, MeetInThePatch) {
  const isa::Program control = compile_glsl(Stage::kTessControl, R"(#version 460
    layout(vertices=4) out;
    layout(location=1) in dvec3 a[]; layout(location=3) in B { double k; dmat2x3 m; } b[];
    layout(location=2) out dvec3 va[]; layout(location=4) out C { double f; dmat2x3 m; dvec2 l[2]; } vb[];
    layout(location=12) patch out dvec4 pa[2]; layout(location=16) patch out D { double r; dvec2 q; } pb;
    layout(binding=0) uniform U { int one, two; };
    void main() {
      int i = gl_InvocationID;
      va[gl_InvocationID] = a[3 - i];
      va[gl_InvocationID][two] = b[i].k;
      vb[gl_InvocationID].f = -b[i].m[one][two];
      vb[gl_InvocationID].m = b[i].m;
      vb[gl_InvocationID].m[one].y = 7.5lf;
      vb[gl_InvocationID].l[one] = a[two].zy; vb[gl_InvocationID].l[0] = dvec2(i);
      pa[one][i] = double(i) + 0.1lf;
      barrier();
      if (i == 0) { pa[0] = dvec4(va[two], vb[3].f); pb.r = va[1][two]; pb.q = vb[two].l[one]; gl_TessLevelOuter[0] = 1.0; }
    })");
  Execution run;
  run.buffers[{0, 0, 0}] = {1, 2};
  run.vertices = vertices_for(control, 4);
  for (uint32_t lane = 0; lane < 4; ++lane) run.inputs[arch::kInputPrimitive][lane] = {9, lane, 4, 0};
  run(control);

  const auto spirv = glsl_to_spirv(Stage::kTessEvaluation, R"(#version 460
    layout(quads) in;
    layout(location=2) in dvec3 va[]; layout(location=4) in C { double f; dmat2x3 m; dvec2 l[2]; } vb[];
    layout(location=12) patch in dvec4 pa[2]; layout(location=16) patch in D { double r; dvec2 q; } pb;
    layout(location=0) out dvec4 o[6];
    layout(binding=0) uniform U { int one, two; };
    void main() {
      gl_Position = vec4(0);
      o[0] = dvec4(va[one], va[two][two]);
      o[1] = dvec4(vb[one].f, vb[two].m[one]);
      o[2] = dvec4(vb[two].m[0], vb[3].m[one][one]);
      o[3] = dvec4(vb[one].l[one], vb[two].l[0]);
      o[4] = pa[one];
      o[5] = dvec4(pa[0][two], pa[0].w, pb.r, pb.q[one]);
    })");
  const isa::Program evaluation =
      compile({.stage = Stage::kTessEvaluation, .spirv = spirv, .entry = "main", .patch = &control.patch});
  Execution point;
  point.buffers[{0, 0, 0}] = {1, 2};
  point.patch = run.shared;
  point(evaluation);
  const auto o = [&](uint32_t n) {
    return outputs_at(evaluation, 2 * n, 4, [&](uint32_t reg) { return point.output(reg); });
  };
  // a begins at component 2, k at 6, m's columns at 8 and 12.
  EXPECT_THAT(o(0), ElementsAre(of_vertex(2, 2), of_vertex(2, 3), of_vertex(1, 6), of_vertex(2, 6)));
  EXPECT_THAT(o(1), ElementsAre(-of_vertex(1, 14), of_vertex(2, 12), 7.5, of_vertex(2, 14)));
  EXPECT_THAT(o(2), ElementsAre(of_vertex(2, 8), of_vertex(2, 9), of_vertex(2, 10), 7.5));
  EXPECT_THAT(o(3), ElementsAre(of_vertex(2, 4), of_vertex(2, 3), 2, 2));
  EXPECT_THAT(o(4), ElementsAre(0.1, 1.1, 2.1, 3.1));
  EXPECT_THAT(o(5), ElementsAre(of_vertex(2, 6), -of_vertex(3, 14), of_vertex(1, 6), of_vertex(2, 3)));
}

TEST(DoubleStages, OfPrimitivesAreReadAtAnyIndexAndCaptured) {
  const isa::Program program = compile_glsl(Stage::kGeometry, R"(#version 460
    layout(triangles) in; layout(points, max_vertices=3) out;
    layout(location=1) in flat dvec3 a[]; layout(location=3) in B { flat double k; flat dmat2x3 m; } b[];
    layout(xfb_buffer=1, xfb_stride=48) out;
    layout(location=0, xfb_offset=16) out dvec3 o; layout(location=2, xfb_offset=0) out double p;
    layout(location=3) out dvec2 q[2];
    layout(binding=0) uniform U { int one, two; };
    void main() {
      for (int i = 0; i < 3; i++) {
        gl_Position = vec4(0);
        o = a[i] - a[two]; o[one] = b[two].m[one][two];
        p = b[i].k * 3.0lf; q[one] = b[one].m[0].xz; q[0] = dvec2(a[i][two], i);
        EmitVertex();
      }
    })");
  Execution run;
  run.buffers[{0, 0, 0}] = {1, 2};
  run.vertices = vertices_for(program, 3);
  run(program);
  ASSERT_EQ(run.emitted[0].size(), 3u);
  for (uint32_t i = 0; i < 3; ++i) {
    const auto at = [&](uint32_t location, size_t count) {
      return outputs_at(program, location, count,
                        [&](uint32_t reg) { return run.emitted[0][i].outputs[reg]; });
    };
    EXPECT_THAT(at(0, 3), ElementsAre(of_vertex(i, 2) - of_vertex(2, 2), of_vertex(2, 14),
                                      of_vertex(i, 4) - of_vertex(2, 4)));
    EXPECT_THAT(at(2, 1), ElementsAre(of_vertex(i, 6) * 3));
    EXPECT_THAT(at(3, 4), ElementsAre(of_vertex(i, 4), i, of_vertex(1, 8), of_vertex(1, 10)));
  }
  // By offset: each word's location and component.
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> captured;
  for (const arch::FeedbackOutput& word : program.feedback) {
    EXPECT_EQ(word.buffer(), 1u);
    for (const isa::Varying& v : program.outputs)
      if (v.reg == word.source()) captured[word.offset()] = {v.location, word.component()};
  }
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> expected = {{0, {2, 0}}, {4, {2, 1}}};
  for (uint32_t i = 0; i < 6; ++i) expected[16 + 4 * i] = {i / 4, i % 4};
  EXPECT_EQ(captured, expected);
}

}  // namespace
}  // namespace cutaway::compiler
