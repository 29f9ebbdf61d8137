#include <gtest/gtest.h>

#include "compiler/testing/run_shader.h"

// Ladders: longer chains of arms than the machine's constructs nest.
namespace cutaway::compiler {
namespace {

// Runs a program with the whole number in a.x, from 0 to `rungs`, and compares o.x with expected(a.x).
void check(int rungs, const std::string& before, const std::string& body,
           const std::function<float(int)>& expected) {
  const isa::Program program =
      compile_glsl(arch::Stage::kFragment, "layout(location=0) in vec4 a; layout(location=0) out vec4 o;\n" +
                                               before + "\nvoid main() { int x = int(a.x); float r = 0.0;\n" +
                                               body + "\no = vec4(r, a.yzw); }");
  // Lanes that end on the first, the last and other rungs together, and beyond the last.
  std::vector<int> inputs = {0, rungs - 1, rungs, rungs / 2, 1, 2, rungs - 2, 31, 32, 33, 63, 64};
  for (int i = 0; i < rungs; i += 1 + rungs / 16) inputs.push_back(i);
  while (inputs.size() % 4) inputs.push_back(3);
  for (size_t first = 0; first < inputs.size(); first += 4) {
    Execution run;
    std::array<Vec4, 4> in;
    for (size_t lane = 0; lane < 4; ++lane) in[lane] = {static_cast<float>(inputs[first + lane]), 5, 6, 7};
    run.set_lanes(0, in);
    run(program);
    for (uint32_t lane = 0; lane < 4; ++lane)
      EXPECT_EQ(run.output(0, lane), (Vec4{expected(inputs[first + lane]), 5, 6, 7}))
          << inputs[first + lane] << " of " << rungs;
  }
}

class Ladder : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(, Ladder, testing::Values(64, 100, 300, 1000));

TEST_P(Ladder, ElseIf) {
  std::string body;
  for (int i = 0; i < GetParam(); ++i)
    body += fmt::format("{}if (x <= {}) r = a.y * {}.0;\n", i ? "else " : "", i, i + 1);
  check(GetParam(), "", body + "else r = -1.0;",
        [&](int x) { return x < GetParam() ? static_cast<float>(5 * (x + 1)) : -1; });
}

// Arms that are too long to become selections, with a loop in some.
TEST_P(Ladder, ElseIfWithLongArms) {
  std::string body;
  for (int i = 0; i < GetParam(); ++i)
    body += fmt::format(
        "{}if (x == {}) {{ for (int k = 0; k <= x % 3; ++k) r += a.z * float(k + 1); r += {}.0; }}\n",
        i ? "else " : "", i, i);
  if (GetParam() == 1000) return;  // as before, but for a longer program than there can be
  check(GetParam(), "", body + "else { r = -2.0; }", [&](int x) -> float {
    if (x >= GetParam()) return -2;
    const int n = x % 3 + 1;
    return static_cast<float>(6 * n * (n + 1) / 2 + x);
  });
}

TEST_P(Ladder, TheFirstArmIsTheLongOne) {
  std::string body;
  for (int i = 0; i < GetParam(); ++i) {
    body += fmt::format("if (x != {}) {{ r += 1.0;\n", i);
    if (i + 1 == GetParam()) body += "r = -3.0;\n";
  }
  std::string arms;
  for (int i = GetParam(); i-- > 0;) arms += fmt::format("}} else r += {}.0;\n", 1000 * (i % 2 + 1));
  check(GetParam(), "", body + arms,
        [&](int x) -> float { return x < GetParam() ? static_cast<float>(x + 1000 * (x % 2 + 1)) : -3; });
}

TEST_P(Ladder, ConditionalOperators) {
  if (GetParam() == 1000) return;  // glslang's values go through as many variables: too large once laid out
  std::string body = "r = ";
  for (int i = 0; i < GetParam(); ++i) body += fmt::format("x == {} ? f({}.0) : (", i, i);
  check(GetParam(), "float f(float v) { return v * a.z + a.y; }",
        body + "-4.0" + std::string(static_cast<size_t>(GetParam()), ')') + ";",
        [&](int x) { return x < GetParam() ? static_cast<float>(6 * x + 5) : -4; });
}

TEST_P(Ladder, EarlyReturns) {
  std::string before = "float f(int x) { float k = a.y;\n";
  for (int i = 0; i < GetParam(); ++i)
    before += fmt::format("if (x == {}) return k + {}.0;\nk += a.z;\n", i, i);
  check(GetParam(), before + "return -k; }", "r = f(x);", [&](int x) {
    return x < GetParam() ? static_cast<float>(5 + 7 * x) : -static_cast<float>(5 + 6 * GetParam());
  });
}

TEST_P(Ladder, EarlyReturnsOfMainFromALoop) {
  std::string before = "float f(int x) { for (int k = 0; k < 3; ++k) {\n";
  for (int i = 0; i < GetParam(); ++i) before += fmt::format("if (x + k == {}) return {}.0;\n", i + 2, 2 * i);
  if (GetParam() == 1000) return;  // a longer program than there can be
  check(GetParam(), before + "} return -5.0; }", "r = f(x);", [&](int x) -> float {
    for (int k = 0; k < 3; ++k)
      if (x + k >= 2 && x + k < GetParam() + 2) return static_cast<float>(2 * (x + k - 2));
    return -5;
  });
}

TEST_P(Ladder, SwitchesWithinOneAnother) {
  const int depth = GetParam() / 10;
  std::string body, end;
  for (int i = 0; i < depth; ++i) {
    body += fmt::format("switch (x - {}) {{ case 0: r += {}.0; break; case -1: r += 0.5; default:\n", i, i);
    end += "}\n";
  }
  check(depth, "", body + "r -= 1.0;\n" + end, [&](int x) -> float {
    float r = 0;
    for (int i = 0; i < depth; ++i) {
      if (x == i) return r + static_cast<float>(i);
      if (x - i == -1) r += 0.5f;
    }
    return r - 1;
  });
}

// Two nested in one another multiply; loops stand within.
TEST(Ladders, OfLoopsAndTests) {
  std::string body, end;
  for (int i = 0; i < 12; ++i) {
    body += fmt::format(
        "if (x > {}) {{ for (int k{} = 0; k{} < 2; ++k{}) {{ if (x + k{} > 6 + {}) break; r += 1.0;\n", i, i,
        i, i, i, i);
    end += "} } else { r += 0.25; }\n";
  }
  const std::function<void(int, int, float&)> turn = [&](int x, int i, float& r) {
    if (i == 12) return;
    if (x <= i) {
      r += 0.25f;
      return;
    }
    for (int k = 0; k < 2; ++k) {
      if (x + k > 6 + i) break;
      r += 1;
      turn(x, i + 1, r);
    }
  };
  check(12, "", body + end, [&](int x) {
    float r = 0;
    turn(x, 0, r);
    return r;
  });
}

}  // namespace
}  // namespace cutaway::compiler
