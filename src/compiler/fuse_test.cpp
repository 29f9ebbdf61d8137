#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "compiler/pipeline.h"
#include "compiler/testing/run_shader.h"

// Tests fused instructions when a removed one has other readers, modifiers or saturation: results equal those
// without the passes, and C++'s.
namespace cutaway::compiler::fuse_test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// `body` writes vec4 o and vec4 p from vec4 a and b; `expected` gives both.
void check(const std::string& body, const std::function<void(Vec4 a, Vec4 b, Vec4& o, Vec4& p)>& expected) {
  const auto spirv = glsl_to_spirv(arch::Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=1) in vec4 b;
    layout(location=0) out vec4 o; layout(location=1) out vec4 p;
    void main() { o = p = vec4(0); )" + body + "}");
  const Vec4 as[] = {{0.25f, -0.5f, 2, 0}, {-3, 1, 0.75f, -0.125f}, {1, 2, 3, 4}, {-1, -2, -0.75f, 8}};
  const Vec4 bs[] = {{1, 1, 1, 1}, {-0.5f, 4, 2, -1}, {0.5f, 0.25f, 3, -2}, {2, -3, -0.25f, 0.5f}};
  for (bool optimized : {false, true}) {
    const isa::Program program =
        compile({.stage = arch::Stage::kFragment, .spirv = spirv, .entry = "main"}, {.optimized = optimized});
    Execution run;
    for (uint32_t lane = 0; lane < 4; ++lane)
      for (const isa::Varying& input : program.inputs)
        run.inputs[input.reg][lane] = bits((input.location ? bs : as)[lane]);
    run(program);
    for (uint32_t lane = 0; lane < 4; ++lane) {
      Vec4 o{}, p{};
      expected(as[lane], bs[lane], o, p);
      EXPECT_EQ(run.output(0, lane), o) << body << "\n" << isa::disassemble(program.code);
      EXPECT_EQ(run.output(1, lane), p) << body << "\n" << isa::disassemble(program.code);
    }
  }
}

float clamped(float x) { return std::min(std::max(x, 0.0f), 1.0f); }

TEST(Fuse, SaturationOfAResultWithOtherReaders) {
  check("vec4 s = a * b; o = clamp(s, 0.0, 1.0); p = s;", [](Vec4 a, Vec4 b, Vec4& o, Vec4& p) {
    for (int c = 0; c < 4; ++c) p[c] = a[c] * b[c], o[c] = clamped(p[c]);
  });
  check("vec4 s = a + b; o.xy = clamp(s.xy, 0.0, 1.0); p.zw = s.xy; p.x = s.z;",
        [](Vec4 a, Vec4 b, Vec4& o, Vec4& p) {
          for (int c = 0; c < 2; ++c) p[2 + c] = a[c] + b[c], o[c] = clamped(p[2 + c]);
          p[0] = a[2] + b[2];
        });
}

TEST(Fuse, SaturatedProductsAndRootsStaySaturated) {
  check("vec4 s = clamp(a * b, 0.0, 1.0); o = s + b; p = max(s - a, 0.0);",
        [](Vec4 a, Vec4 b, Vec4& o, Vec4& p) {
          for (int c = 0; c < 4; ++c) {
            const float s = clamped(a[c] * b[c]);
            o[c] = s + b[c], p[c] = std::max(s - a[c], 0.0f);
          }
        });
  check("float r = clamp(sqrt(abs(a.z) * 4.0), 0.0, 1.0); o.x = 1.0 / r; o.y = 1.0 / sqrt(b.x * b.x * 4.0);",
        [](Vec4 a, Vec4 b, Vec4& o, Vec4&) {
          o[0] = 1 / clamped(std::sqrt(std::fabs(a[2]) * 4));
          o[1] = 1 / std::sqrt(b[0] * b[0] * 4);
        });
}

TEST(Fuse, ModifiersOfProductsThatAreAdded) {
  check("vec4 s = a * b; o = b - s; p = abs(s) + b;", [](Vec4 a, Vec4 b, Vec4& o, Vec4& p) {
    for (int c = 0; c < 4; ++c) o[c] = b[c] - a[c] * b[c], p[c] = std::fabs(a[c] * b[c]) + b[c];
  });
  check("vec4 s = -abs(a) * b; o = a - s; p = vec4(s.x, -s.y, s.z, -s.w) + a;",
        [](Vec4 a, Vec4 b, Vec4& o, Vec4& p) {
          for (int c = 0; c < 4; ++c) {
            const float s = -std::fabs(a[c]) * b[c];
            o[c] = a[c] - s, p[c] = (c & 1 ? -s : s) + a[c];
          }
        });
  check("vec4 s = a * b; o = s + s; p = s * a + b;", [](Vec4 a, Vec4 b, Vec4& o, Vec4& p) {
    for (int c = 0; c < 4; ++c) o[c] = 2 * (a[c] * b[c]), p[c] = a[c] * b[c] * a[c] + b[c];
  });
}

TEST(Fuse, ComparisonsAndSelections) {
  check(
      R"(o = vec4(a.x < 0.0 ? b.x : b.y, 0.0 < a.x ? b.x : b.y, a.y > 0.0 ? 1.0 : 0.0, a.y == b.y ? 1.0 : 0.0);
           p = vec4(a.x >= b.x ? 1.0 : 0.0, a.x != b.x ? 1.0 : 0.0, !(a.z < b.z) ? b.x : b.y, a.x < b.x ? 0.0 : 1.0);)",
      [](Vec4 a, Vec4 b, Vec4& o, Vec4& p) {
        o = {a[0] < 0 ? b[0] : b[1], 0 < a[0] ? b[0] : b[1], a[1] > 0 ? 1.0f : 0, a[1] == b[1] ? 1.0f : 0};
        p = {a[0] >= b[0] ? 1.0f : 0, a[0] != b[0] ? 1.0f : 0, !(a[2] < b[2]) ? b[0] : b[1],
             a[0] < b[0] ? 0.0f : 1};
      });
  check(R"(bvec4 l = lessThan(a, b); bvec4 e = equal(ivec4(a), ivec4(b));
           o = mix(a, b, not(l)); p = vec4(not(e)) + vec4(uvec4(ivec4(a)) != uvec4(3) && !l.x);)",
        [](Vec4 a, Vec4 b, Vec4& o, Vec4& p) {
          bool threes = true;
          for (int c = 0; c < 4; ++c) threes = threes && static_cast<int>(a[c]) == 3;
          for (int c = 0; c < 4; ++c) {
            o[c] = a[c] < b[c] ? a[c] : b[c];
            p[c] = (static_cast<int>(a[c]) != static_cast<int>(b[c]) ? 1.0f : 0) +
                   (!threes && !(a[0] < b[0]) ? 1.0f : 0);
          }
        });
}

TEST(Fuse, ComparisonsWithNoNumberAreNotInverted) {
  const isa::Program program = compile_glsl(arch::Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o;
    void main() { o = vec4(!(a.x < 1.0) ? 1.0 : 0.0, !(a.x >= 1.0) ? 1.0 : 0.0, !(a.x == 1.0) ? 1.0 : 0.0, clamp(a.x, 0.0, 1.0)); })");
  Execution run;
  run.set_lanes(0, {Vec4{kNan}, Vec4{0}, Vec4{1}, Vec4{2}});
  run(program);
  EXPECT_EQ(run.output(0, 0), (Vec4{1, 1, 1, 0}));
  EXPECT_EQ(run.output(0, 1), (Vec4{0, 1, 1, 0}));
  EXPECT_EQ(run.output(0, 2), (Vec4{1, 0, 0, 1}));
  EXPECT_EQ(run.output(0, 3), (Vec4{1, 0, 1, 1}));
}

TEST(Fuse, NegatedIntegers) {
  check(R"(ivec4 i = ivec4(a * 8.0), j = ivec4(b * 8.0); ivec4 k = -i; ivec4 m = j - i;
           o = vec4(k + j); p = vec4(m - k) + vec4(~i & j) + vec4(7 - i);)",
        [](Vec4 a, Vec4 b, Vec4& o, Vec4& p) {
          for (int c = 0; c < 4; ++c) {
            const int i = static_cast<int>(a[c] * 8), j = static_cast<int>(b[c] * 8);
            o[c] = static_cast<float>(j - i);
            p[c] = static_cast<float>(j - i + i) + static_cast<float>(~i & j) + static_cast<float>(7 - i);
          }
        });
}

}  // namespace
}  // namespace cutaway::compiler::fuse_test
