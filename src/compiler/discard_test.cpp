#include <gtest/gtest.h>
#include <limits>

#include "compiler/testing/run_shader.h"

// Tests programs that discard fragments.
namespace cutaway::compiler {
namespace {

TEST(Discard, EndsLanesAndLoops) {
  const isa::Program program = compile_glsl(arch::Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o;
    void main() {
      float s = 0.0;
      for (int i = 0; ; ++i) {
        for (int j = 0; ; ++j) { s += 1.0; if (a.x > 2.0) discard; if (j > 2) break; }
        if (i > int(a.y)) break;
      }
      if (a.z > 5.0) discard;
      o = vec4(s);
    })");
  EXPECT_TRUE(program.flags & arch::kShaderKills);
  Execution run;
  run.set_lanes(0, {Vec4{0, 0, 0, 0}, {3, 0, 0, 0}, {0, 1, 9, 0}, {1, 2, 0, 0}});
  run(program);
  EXPECT_EQ(run.survivors, 9u);
  EXPECT_EQ(run.output(0, 0)[0], 8);
  EXPECT_EQ(run.output(0, 3)[0], 16);
}

TEST(Discard, AShortOneIsOneInstruction) {
  const isa::Program program = compile_glsl(arch::Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o;
    void main() { if (a.x < 0.5) discard; o = a; })");
  EXPECT_EQ(program.code.size(), 4u) << isa::disassemble(program.code);
}

TEST(Discard, InACalledFunctionIsOneInstruction) {
  const isa::Program program = compile_glsl(arch::Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o;
    void drop() { discard; }
    void main() { if (!(a.x >= 0.5)) drop(); o = a; })");
  EXPECT_EQ(program.code.size(), 4u) << isa::disassemble(program.code);
  Execution run;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  run.set_lanes(0, {Vec4{0, 0, 0, 0}, {1, 0, 0, 0}, {nan, 0, 0, 0}, {0.5f, 0, 0, 0}});
  run(program);
  EXPECT_EQ(run.survivors, 10u);
}

TEST(Discard, InTheOtherArmTakesTheOppositeCondition) {
  const isa::Program program = compile_glsl(arch::Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o;
    void drop() { discard; }
    void main() { float s = 1.0; if (a.x >= 0.5) s = 2.0; else drop(); o = vec4(s); })");
  for (const isa::Instruction& i : program.code) EXPECT_NE(i.op, isa::Opcode::kIf);
  Execution run;
  run.set_lanes(0, {Vec4{0, 0, 0, 0}, {1, 0, 0, 0}, {0.25f, 0, 0, 0}, {0.5f, 0, 0, 0}});
  run(program);
  EXPECT_EQ(run.survivors, 10u);
  EXPECT_EQ(run.output(0, 1)[0], 2);
}

}  // namespace
}  // namespace cutaway::compiler
