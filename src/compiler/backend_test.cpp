#include <bit>
#include <gtest/gtest.h>

#include "compiler/pipeline.h"
#include "compiler/testing/run_shader.h"
#include "isa/operands.h"

// Tests how operands are brought into registers that one instruction can read.
namespace cutaway::compiler {
namespace {

using arch::Stage;

// The same mixture of registers in two arms: an operand gathered in one arm is not available in the other.
TEST(Legalize, OperandsAreGatheredInEveryBlock) {
  const isa::Program program = compile_glsl(Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=1) in vec4 b; layout(location=2) in vec4 c;
    layout(location=0) out vec4 o;
    void main() {
      float s = 0.0;
      if (a.w > 0.0) { for (int i = 0; i < int(a.w); ++i) s += 1.0; s += dot(vec4(a.x, b.y, c.z, 1.0), c); }
      else { for (int i = 0; i < 2; ++i) s -= a.w; for (int i = 0; i > int(a.w); --i) s -= 1.0;
        s -= dot(vec4(a.x, b.y, c.z, 1.0), c); }
      o = vec4(s);
    })");
  Execution run;
  for (const isa::Varying& input : program.inputs) {
    const auto base = static_cast<float>(input.location * 4);
    for (uint32_t lane = 0; lane < 4; ++lane)
      run.inputs[input.reg][lane] =
          bits({base + 1, base + 2, base + 3, input.location ? base + 4 : static_cast<float>(lane) - 1.5f});
  }
  run(program);
  // a = (1, 2, 3, w), b = (5, 6, 7, 8), c = (9, 10, 11, 12).
  const float dot = 1 * 9 + 6 * 10 + 11 * 11 + 12;
  EXPECT_EQ(run.output(0, 0)[0], 3 - 1 - dot) << isa::disassemble(program.code);
  EXPECT_EQ(run.output(0, 1)[0], 1 - dot);
  EXPECT_EQ(run.output(0, 2)[0], dot);
  EXPECT_EQ(run.output(0, 3)[0], 1 + dot);
}

// Texture units do not apply modifiers to coordinates.
TEST(Legalize, SourcesOfTexturesHaveNoModifiers) {
  const isa::Program program = compile_glsl(Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o; layout(binding=0) uniform sampler2D t;
    void main() { o = texture(t, -a.xy) + textureLod(t, abs(a.zw), -a.x); })");
  uint32_t textures = 0;
  for (const isa::Instruction& i : program.code) {
    if (isa::info(i.op).op_class != isa::OpClass::kTexture) continue;
    ++textures;
    for (uint32_t s = 0; s < isa::source_count(i); ++s)
      EXPECT_FALSE(i.src[s].negate || i.src[s].absolute) << isa::disassemble(i);
  }
  EXPECT_EQ(textures, 2u);
}

// Elements of an array of blocks are in separate buffers.
TEST(Demote, UniformsOfAnArrayOfBlocks) {
  std::string text =
      "layout(set=0, binding=0) uniform U { vec4 u[800]; } b[2];\nlayout(location=0) out vec4 o;\n"
      "void main() { vec4 s = vec4(0);\n";
  for (int i = 0; i < 1600; i++)
    text += "s += b[" + std::to_string(i % 2) + "].u[" + std::to_string(i / 2) + "];\n";
  const isa::Program program = compile_glsl(Stage::kFragment, text + "o = s; }");
  EXPECT_EQ(program.resources.size(), 2u);
  Execution run;
  for (uint32_t i = 0; i < 3200; i++)
    for (uint32_t element : {0u, 1u})
      run.buffers[{0, 0, element}].push_back(
          std::bit_cast<uint32_t>(static_cast<float>(i / 4 % 10 + 100 * element)));
  run(program);
  const float sum = 2 * 80 * 45 + 800 * 100;
  EXPECT_EQ(run.output(0), (Vec4{sum, sum, sum, sum}));
}

// Some components of a texel are spilled, each to its own word.
TEST(Spill, SomeLanesOfATexel) {
  const auto spirv = glsl_to_spirv(Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o; layout(binding=0) uniform sampler2D t;
    void main() {
      vec4 x = texture(t, a.xy), y = texture(t, a.zw);
      float s = 0.0;
      for (int i = 0; i < int(a.w); ++i) s = s * 2.0 + a.x;
      o = vec4(x.y, x.w, y.z, s) + vec4(y.w, 0, 0, 0);
    })");
  const isa::Program program =
      compile({.stage = Stage::kFragment, .spirv = spirv, .entry = "main"}, {.live_lanes = 2});
  EXPECT_GT(program.scratch_bytes, 0u);
  Execution run;
  run.texture = [](const isa::Instruction&, const std::array<Bits4, 3>& s) {
    const float u = floats(s[0])[0];
    return bits({u + 10, u + 20, u + 30, u + 40});
  };
  run.set(0, {1, 2, 3, 4});
  run(program);
  EXPECT_EQ(run.output(0), (Vec4{21 + 43, 41, 33, 15})) << isa::disassemble(program.code);
}

// At a merge of three paths, one leaves some lanes of variables undefined: it stores the others, each to its
// own word.
TEST(Spill, PhisWhoseLanesAreUndefinedOnOneWay) {
  const auto spirv = glsl_to_spirv(Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o;
    void main() {
      vec4 u, v, w;
      for (;;) {
        if (a.x > 1.0) { u = a * 2.0; v = a * 3.0; w = a * 4.0; break; }
        if (a.x < 0.0) { u.yw = a.zy; v.zw = a.yz; w.yz = a.wy; break; }
        u = a + 7.0; v = a + 8.0; w = a + 9.0;
        break;
      }
      float s = 0.0;
      for (int i = 0; i < int(a.w); ++i) s = s * 2.0 + a.y;
      o = vec4(u.y + v.z * 2.0 + w.y * 4.0, u.w + v.w * 2.0 + w.z * 4.0,
               a.x < 0.0 ? -1.0 : u.x + u.z + v.x + v.y + w.x + w.w, s);
    })");
  for (uint32_t live_lanes : {0u, 2u, 4u, 8u}) {
    const isa::Program program =
        compile({.stage = Stage::kFragment, .spirv = spirv, .entry = "main"}, {.live_lanes = live_lanes});
    EXPECT_EQ(program.scratch_bytes > 0, live_lanes > 0);
    Execution run;
    const std::array<Vec4, 4> in = {Vec4{2, 3, 4, 2}, {-1, 5, 7, 1}, {0, 0.5f, 9, 3}, {-2, 1, 6, 0}};
    run.set_lanes(0, in);
    run(program);
    for (uint32_t lane = 0; lane < 4; ++lane) {
      const Vec4& a = in[lane];
      Vec4 u, v, w;
      for (int c = 0; c < 4; ++c) {
        u[c] = a[0] > 1 ? a[c] * 2 : a[c] + 7;
        v[c] = a[0] > 1 ? a[c] * 3 : a[c] + 8;
        w[c] = a[0] > 1 ? a[c] * 4 : a[c] + 9;
      }
      if (a[0] < 0) u = {0, a[2], 0, a[1]}, v = {0, 0, a[1], a[2]}, w = {0, a[3], a[1], 0};
      float s = 0;
      for (int i = 0; i < static_cast<int>(a[3]); ++i) s = s * 2 + a[1];
      const Vec4 expected = {u[1] + v[2] * 2 + w[1] * 4, u[3] + v[3] * 2 + w[2] * 4,
                             a[0] < 0 ? -1 : u[0] + u[2] + v[0] + v[1] + w[0] + w[3], s};
      EXPECT_EQ(run.output(0, lane), expected) << isa::disassemble(program.code);
    }
  }
}

}  // namespace
}  // namespace cutaway::compiler
