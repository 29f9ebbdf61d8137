#include <gtest/gtest.h>

#include "compiler/testing/run_shader.h"

// Tests loops: initial values of their variables, and loops that do not repeat.
namespace cutaway::compiler {
namespace {

std::array<Vec4, 4> lanes() { return {Vec4{1, 5, 7, 3}, {-2, 6, 0.5f, 0}, {3, -1, 9, 2}, {0, 0, 4, 1}}; }

// Runs a program whose only input is `a`, in any register, and expects out(a) in every lane.
void expect(const std::string& body, const std::function<Vec4(const Vec4&)>& out) {
  const isa::Program program =
      compile_glsl(arch::Stage::kFragment,
                   "layout(location=0) in vec4 a; layout(location=0) out vec4 o; void main() {" + body + "}");
  Execution run;
  run.set_lanes(0, lanes());
  run(program);
  for (uint32_t lane = 0; lane < 4; ++lane)
    EXPECT_EQ(run.output(0, lane), out(lanes()[lane])) << isa::disassemble(program.code);
}

TEST(Loop, AnInputThatOnlyStartsAVariableIsRead) {
  const isa::Program program = compile_glsl(arch::Stage::kFragment, R"(
    layout(location=3) flat in int n; layout(location=9) in vec2 start; layout(location=5) in float by;
    layout(location=0) out vec4 o;
    void main() { vec2 x = start; for (int i = 0; i < n; ++i) x += by; o = vec4(x, by, 1); })");
  ASSERT_EQ(program.inputs.size(), 3u);
  Execution run;
  for (const isa::Varying& input : program.inputs) {
    if (input.location == 9) {
      EXPECT_EQ(input.mask, 3u);
      run.set(input.reg, {10, 20, 0, 0});
    } else if (input.location == 5) {
      run.set(input.reg, {0.5f, 0, 0, 0});
    } else {
      for (uint32_t lane = 0; lane < 4; ++lane) run.inputs[input.reg][lane] = {lane};
    }
  }
  run(program);
  for (uint32_t lane = 0; lane < 4; ++lane) {
    const float by = 0.5f * static_cast<float>(lane);
    EXPECT_EQ(run.output(0, lane), (Vec4{10 + by, 20 + by, 0.5f, 1})) << lane;
  }
}

// A variable without a value from before the loop keeps its value of the previous iteration.
TEST(Loop, AVariableKeepsWhatAnEarlierTurnStored) {
  expect(R"(float s; float sum = 0.0;
    for (int i = 0; i < int(a.w) + 4; ++i) {
      float t = a.x + float(i), u = t * a.y + 1.0;
      if (i < 2) s = u;
      sum += s - t;
    }
    o = vec4(sum, a.xyz);)",
         [](Vec4 a) {
           float s = 0, sum = 0;
           for (int i = 0; i < static_cast<int>(a[3]) + 4; ++i) {
             const float t = a[0] + static_cast<float>(i), u = t * a[1] + 1;
             if (i < 2) s = u;
             sum += s - t;
           }
           return Vec4{sum, a[0], a[1], a[2]};
         });
}

TEST(Loop, AVariableOfTheTurnBeforeIsNotThatOfThisTurn) {
  expect(R"(float last; float sum = 0.0;
    for (int i = 0; i < int(a.w) + 3; ++i) {
      float now = a.x * float(i) + a.y;
      if (i > 0) sum += now * 3.0 - last;
      last = now;
    }
    o = vec4(sum, last, a.xy);)",
         [](Vec4 a) {
           float last = 0, sum = 0;
           for (int i = 0; i < static_cast<int>(a[3]) + 3; ++i) {
             const float now = a[0] * static_cast<float>(i) + a[1];
             if (i > 0) sum += now * 3 - last;
             last = now;
           }
           return Vec4{sum, last, a[0], a[1]};
         });
}

// The same if the whole loop body precedes its first branch.
TEST(Loop, FirstBlockMayComputeALoopCarriedVariable) {
  expect(R"(float last; float sum = 0.0; int i = 0;
    do {
      float now = a.x * float(i) + a.y;
      sum += i > 0 ? now * 3.0 - last : 0.0;
      last = now;
    } while (++i < int(a.w) + 3);
    o = vec4(sum, last, a.xy);)",
         [](Vec4 a) {
           float last = 0, sum = 0;
           int i = 0;
           do {
             const float now = a[0] * static_cast<float>(i) + a[1];
             sum += i > 0 ? now * 3 - last : 0;
             last = now;
           } while (++i < static_cast<int>(a[3]) + 3);
           return Vec4{sum, last, a[0], a[1]};
         });
}

TEST(Loop, LeavingOnAllPathsDoesNotRepeat) {
  expect("float s = 0.0; for (;;) { if (a.x > 0.0) { s = a.y; break; } s = a.z; break; } o = vec4(s);",
         [](Vec4 a) {
           const float s = a[0] > 0 ? a[1] : a[2];
           return Vec4{s, s, s, s};
         });
  expect(
      "float s = 0.0; for (;;) { if (a.x > 0.0) { s = a.y; break; } else { s = a.z; break; } } o = vec4(s, "
      "a.w, 0, 1);",
      [](Vec4 a) {
        return Vec4{a[0] > 0 ? a[1] : a[2], a[3], 0, 1};
      });
}

TEST(Loop, NonRepeatingInsideARepeatingLoop) {
  expect(R"(float s = 0.0;
    for (int i = 0; i < int(a.w); ++i) {
      for (;;) { if (a.x + s > 2.0) { s += a.y; break; } else { s += 1.0; break; } }
      if (s > 20.0) break;
    }
    o = vec4(s, a.xyz);)",
         [](Vec4 a) {
           float s = 0;
           for (int i = 0; i < static_cast<int>(a[3]); ++i) {
             s += a[0] + s > 2 ? a[1] : 1;
             if (s > 20) break;
           }
           return Vec4{s, a[0], a[1], a[2]};
         });
}

TEST(Loop, ContinuingOnAllPathsRepeats) {
  expect(R"(float s = 0.0; int i = 0;
    for (; i < int(a.w) + 2; ++i) { if (a.x > 0.0) { s += a.y; continue; } else { s -= a.z; continue; } }
    o = vec4(s, float(i), 0, 1);)",
         [](Vec4 a) {
           float s = 0;
           int i = 0;
           for (; i < static_cast<int>(a[3]) + 2; ++i) s += a[0] > 0 ? a[1] : -a[2];
           return Vec4{s, static_cast<float>(i), 0, 1};
         });
}

// Consecutive constructs are not nested.
TEST(Loop, AnyNumberOfConstructsMayFollowOneAnother) {
  std::string body = "float s = a.y;\n";
  for (int i = 0; i < 65; ++i)
    body +=
        "if (s < 40.0) { int n = int(a.w); while (n-- > 0) s += 1.0; } else { s -= a.x; }\n"
        "switch (int(s) & 3) { case 1: s += 2.0; break; case 2: s -= 0.5; }\n";
  expect(body + "o = vec4(s, 0, 0, 1);", [](Vec4 a) {
    float s = a[1];
    for (int i = 0; i < 65; ++i) {
      if (s < 40) s += std::max(0.0f, a[3]);
      else s -= a[0];
      const int choice = static_cast<int>(s) & 3;
      s += choice == 1 ? 2.0f : choice == 2 ? -0.5f : 0.0f;
    }
    return Vec4{s, 0, 0, 1};
  });
}

}  // namespace
}  // namespace cutaway::compiler
