#include <cmath>
#include <gtest/gtest.h>

#include "compiler/testing/run_shader.h"

// Tests programs with divergent lanes against the same function in C++.
namespace cutaway::compiler {
namespace {

using Reference = std::function<Vec4(const Vec4&)>;

// `body` computes vec4 o from vec4 a (input 0) and may use the functions in `before`.
void check(const std::string& body, const Reference& reference, const std::string& before = "",
           const std::string& version = "#version 450\n") {
  const std::string source = version + "layout(location=0) in vec4 a; layout(location=0) out vec4 o;\n" +
                             before + "\nvoid main() {\n" + body + "\n}\n";
  isa::Program program;
  ASSERT_NO_THROW(program = compile_glsl(arch::Stage::kFragment, source)) << source;
  for (int set = 0; set < 6; ++set) {
    Execution run;
    std::array<Vec4, 4> in;
    for (int lane = 0; lane < 4; ++lane) {
      const int k = set * 4 + lane;
      in[lane] = {static_cast<float>(k % 7), static_cast<float>((k * 5) % 9) - 2,
                  0.25f * static_cast<float>(k), static_cast<float>(k % 3)};
    }
    run.set_lanes(0, in);
    ASSERT_NO_THROW(run(program)) << isa::disassemble(program.code);
    for (uint32_t lane = 0; lane < 4; ++lane) {
      const Vec4 expected = reference(in[lane]);
      for (int c = 0; c < 4; ++c)
        ASSERT_FLOAT_EQ(run.output(0, lane)[c], expected[c])
            << "component " << c << " of lane " << lane << " of set " << set << "\n"
            << isa::disassemble(program.code);
    }
  }
}

TEST(ControlFlow, If) {
  check("o = a; if (a.x > 3.0) { o.y = a.z + 1.0; o.w = 7.0; }", [](Vec4 a) {
    Vec4 o = a;
    if (a[0] > 3) o[1] = a[2] + 1, o[3] = 7;
    return o;
  });
}

TEST(ControlFlow, IfElseTooLongForSelects) {
  check(R"(vec4 r = a;
    if (a.x > 3.0) { for (int i = 0; i < int(a.w) + 1; ++i) r = r * 1.5 + vec4(i); }
    else { r = -a; if (a.y > 0.0) r.xz = a.zx; else r.w = sin(0.0) + 3.0; }
    o = r;)",
        [](Vec4 a) {
          Vec4 r = a;
          if (a[0] > 3) {
            for (int i = 0; i < static_cast<int>(a[3]) + 1; ++i)
              for (float& x : r) x = x * 1.5f + static_cast<float>(i);
          } else {
            for (float& x : r) x = -x;
            if (a[1] > 0) r[0] = a[2], r[2] = a[0];
            else r[3] = 3;
          }
          return r;
        });
}

TEST(ControlFlow, LoopWithBreakAndContinue) {
  check(R"(float s = 0.0; int i = 0;
    for (; i < 20; ++i) { if (float(i) > a.x + 4.0) break; if ((i & 1) == int(a.w)) continue; s += float(i) * a.z; }
    o = vec4(s, float(i), s + 1.0, 0.0);)",
        [](Vec4 a) {
          float s = 0;
          int i = 0;
          for (; i < 20; ++i) {
            if (static_cast<float>(i) > a[0] + 4) break;
            if ((i & 1) == static_cast<int>(a[3])) continue;
            s += static_cast<float>(i) * a[2];
          }
          return Vec4{s, static_cast<float>(i), s + 1, 0};
        });
}

TEST(ControlFlow, SwapInALoop) {
  check(R"(float x = a.x, y = a.y; int n = int(a.w) + 3;
    for (int i = 0; i < n; ++i) { float t = x; x = y; y = t; }
    o = vec4(x, y, a.z, float(n));)",
        [](Vec4 a) {
          float x = a[0], y = a[1];
          const int n = static_cast<int>(a[3]) + 3;
          for (int i = 0; i < n; ++i) std::swap(x, y);
          return Vec4{x, y, a[2], static_cast<float>(n)};
        });
}

TEST(ControlFlow, RotationOfThreeVectors) {
  check(R"(vec4 p = a, q = a.yzwx, r = a * 2.0; int n = int(a.x) + 1;
    for (int i = 0; i < n; ++i) { vec4 t = p; p = q; q = r; r = t; if (p.x > 5.0) p.y += 1.0; }
    o = p + q * 10.0 + r * 100.0;)",
        [](Vec4 a) {
          Vec4 p = a, q = {a[1], a[2], a[3], a[0]}, r = a, o;
          for (float& x : r) x *= 2;
          const int n = static_cast<int>(a[0]) + 1;
          for (int i = 0; i < n; ++i) {
            const Vec4 t = p;
            p = q, q = r, r = t;
            if (p[0] > 5) p[1] += 1;
          }
          for (int c = 0; c < 4; ++c) {
            o[c] = p[c] + q[c] * 10;
            o[c] = o[c] + r[c] * 100;
          }
          return o;
        });
}

TEST(ControlFlow, ValueOfTheRoundBeforeIsUsedAfterTheLoop) {
  check(R"(float now = a.x, before = 0.0;
    do { before = now; now = now * 0.5 + 1.0; } while (now > a.w + 2.0);
    o = vec4(now, before, now + before, 1.0);)",
        [](Vec4 a) {
          float now = a[0], before = 0;
          do before = now, now = now * 0.5f + 1;
          while (now > a[3] + 2);
          return Vec4{now, before, now + before, 1};
        });
}

TEST(ControlFlow, NestedLoops) {
  check(R"(float s = 0.0;
    for (int i = 0; i < int(a.x); ++i) {
      for (int j = 0; j < 8; ++j) { if (j > i) break; if (j == int(a.w)) continue; s += float(i * 10 + j); }
      if (s > 100.0) break;
      s += 0.5;
    }
    o = vec4(s);)",
        [](Vec4 a) {
          float s = 0;
          for (int i = 0; i < static_cast<int>(a[0]); ++i) {
            for (int j = 0; j < 8; ++j) {
              if (j > i) break;
              if (j == static_cast<int>(a[3])) continue;
              s += static_cast<float>(i * 10 + j);
            }
            if (s > 100) break;
            s += 0.5f;
          }
          return Vec4{s, s, s, s};
        });
}

TEST(ControlFlow, Switch) {
  check(R"(vec4 r = vec4(1.0);
    switch (int(a.x)) {
      case 0: r = a; break;
      case 2: r.x = 5.0;
      case 3: r.y = r.x + a.y; break;
      case 4: if (a.w > 0.0) { r.z = 9.0; break; } r.z = 8.0; r.w = a.z;
      default: r.x += 20.0; break;
      case 6: r = -a;
    }
    o = r;)",
        [](Vec4 a) {
          Vec4 r = {1, 1, 1, 1};
          switch (static_cast<int>(a[0])) {
            case 0:
              r = a;
              break;
            case 2:
              r[0] = 5;
              [[fallthrough]];
            case 3:
              r[1] = r[0] + a[1];
              break;
            case 4:
              if (a[3] > 0) {
                r[2] = 9;
                break;
              }
              r[2] = 8, r[3] = a[2];
              [[fallthrough]];
            default:
              r[0] += 20;
              break;
            case 6:
              for (int c = 0; c < 4; ++c) r[c] = -a[c];
          }
          return r;
        });
}

TEST(ControlFlow, DefaultBetweenCasesThatFallThroughIt) {
  check(R"(vec4 r = a;
    switch (int(a.x)) { case 1: r.x += 1.0; default: r.y += r.x; case 2: r.z += r.y; break; case 5: r.w = 9.0; }
    o = r;)",
        [](Vec4 r) {
          switch (static_cast<int>(r[0])) {
            case 1:
              r[0] += 1;
              [[fallthrough]];
            default:
              r[1] += r[0];
              [[fallthrough]];
            case 2:
              r[2] += r[1];
              break;
            case 5:
              r[3] = 9;
          }
          return r;
        });
}

TEST(ControlFlow, SwitchInALoopThatContinuesAndBreaks) {
  check(R"(float s = 0.0;
    for (int i = 0; i < 12; ++i) {
      switch ((i + int(a.x)) % 4) {
        case 0: continue;
        case 1: s += 1.0; break;
        case 2: if (s > 6.0 + a.y) { s += 100.0; break; } s += 3.0; break;
        default: s += a.z; if (s > 8.0) continue; s += 0.25;
      }
      s *= 1.5;
      if (s > 300.0) break;
    }
    o = vec4(s, -s, s * 2.0, 0.0);)",
        [](Vec4 a) {
          float s = 0;
          for (int i = 0; i < 12; ++i) {
            switch ((i + static_cast<int>(a[0])) % 4) {
              case 0:
                continue;
              case 1:
                s += 1;
                break;
              case 2:
                if (s > 6 + a[1]) {
                  s += 100;
                  break;
                }
                s += 3;
                break;
              default:
                s += a[2];
                if (s > 8) continue;
                s += 0.25f;
            }
            s *= 1.5f;
            if (s > 300) break;
          }
          return Vec4{s, -s, s * 2, 0};
        });
}

TEST(ControlFlow, EarlyReturns) {
  check(
      "o = f(a) + f(a.wzyx) * 100.0;",
      [](Vec4 a) {
        auto f = [](Vec4 v) {
          if (v[0] > 4) return Vec4{1, 2, 3, 4};
          if (v[1] < 0) {
            if (v[2] > 1) return Vec4{-1, v[2], v[2], 0};
            v[3] += 1;
          } else if (v[3] == 2) {
            return Vec4{v[3], v[2], v[1], v[0]};
          }
          v[0] += 0.5f;
          return v;
        };
        const Vec4 x = f(a), y = f({a[3], a[2], a[1], a[0]});
        Vec4 o;
        for (int c = 0; c < 4; ++c) o[c] = x[c] + y[c] * 100;
        return o;
      },
      R"(vec4 f(vec4 v) {
          if (v.x > 4.0) return vec4(1, 2, 3, 4);
          if (v.y < 0.0) { if (v.z > 1.0) return vec4(-1, v.z, v.z, 0); v.w += 1.0; }
          else if (v.w == 2.0) { return v.wzyx; }
          v.x += 0.5; return v; })");
}

TEST(ControlFlow, ReturnFromNestedLoops) {
  check(
      "o = vec4(f(a), f(a + 1.0), 0.0, 1.0);",
      [](Vec4 a) {
        auto f = [](Vec4 v) {
          float s = 0;
          for (int i = 0; i < 6; ++i) {
            for (int j = 0; j < 6; ++j) {
              s += v[2] + static_cast<float>(j);
              if (s > 20 + v[1]) return s;
              if (static_cast<float>(i + j) > v[0] + 3) break;
            }
            s += 1;
          }
          return -s;
        };
        return Vec4{f(a), f({a[0] + 1, a[1] + 1, a[2] + 1, a[3] + 1}), 0, 1};
      },
      R"(float f(vec4 v) { float s = 0.0;
          for (int i = 0; i < 6; ++i) {
            for (int j = 0; j < 6; ++j) { s += v.z + float(j); if (s > 20.0 + v.y) return s; if (float(i + j) > v.x + 3.0) break; }
            s += 1.0; }
          return -s; })");
}

TEST(ControlFlow, OutAndInoutParameters) {
  check(
      "vec4 r; float t = a.x; f(r, t, a.y); f(r, t, r.x); o = r + t;",
      [](Vec4 a) {
        auto f = [](Vec4& r, float& t, float k) {
          r = {t, k, t + k, 1};
          if (k > 1) t = k * 2;
          else t += 0.5f;
        };
        Vec4 r;
        float t = a[0];
        f(r, t, a[1]);
        f(r, t, r[0]);
        for (float& x : r) x += t;
        return r;
      },
      "void f(out vec4 r, inout float t, float k) { r = vec4(t, k, t + k, 1); if (k > 1.0) t = k * 2.0; else "
      "t += 0.5; }");
}

TEST(ControlFlow, ArraysWithDynamicIndices) {
  check(R"(float t[5] = float[](1.0, 2.0, 4.0, 8.0, 16.0); vec2 m[3];
    for (int i = 0; i < 3; ++i) m[i] = vec2(i, a.z);
    int k = int(a.x) % 5; t[k] += a.y; m[int(a.w)].y = t[4 - k];
    o = vec4(t[k], t[(k + 1) % 5], m[int(a.w)].y, m[(k + 1) % 3].x);)",
        [](Vec4 a) {
          float t[5] = {1, 2, 4, 8, 16}, m[3][2];
          for (int i = 0; i < 3; ++i) m[i][0] = static_cast<float>(i), m[i][1] = a[2];
          const int k = static_cast<int>(a[0]) % 5, w = static_cast<int>(a[3]);
          t[k] += a[1];
          m[w][1] = t[4 - k];
          return Vec4{t[k], t[(k + 1) % 5], m[w][1], m[(k + 1) % 3][0]};
        });
}

TEST(ControlFlow, DynamicVectorComponents) {
  check("vec4 v = a; int k = int(a.x) & 3; v[k] = 9.0; o = vec4(v[(k + 1) & 3], v[k], v.x, v.w);",
        [](Vec4 a) {
          Vec4 v = a;
          const int k = static_cast<int>(a[0]) & 3;
          v[k] = 9;
          return Vec4{v[(k + 1) & 3], v[k], v[0], v[3]};
        });
}

TEST(ControlFlow, ShortCircuit) {
  check(
      "bool p = a.x > 2.0 && f(a.y) || a.w == 1.0; o = vec4(p ? 1.0 : -1.0, g, 0, 0);",
      [](Vec4 a) {
        float g = 0;
        auto f = [&](float y) {
          g += 1;
          return y > 0;
        };
        const bool p = (a[0] > 2 && f(a[1])) || a[3] == 1;
        return Vec4{p ? 1.0f : -1.0f, g, 0, 0};
      },
      "float g = 0.0; bool f(float y) { g += 1.0; return y > 0.0; }");
}

TEST(ControlFlow, LoopsOfKnownLengthAreLaidOut) {
  const isa::Program program = compile_glsl(arch::Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o;
    void main() { o = vec4(0); for (int i = 0; i < 4; ++i) o += a * float(i + 1); })");
  for (const isa::Instruction& i : program.code) EXPECT_NE(i.op, isa::Opcode::kLoop);
  EXPECT_LE(program.code.size(), 5u) << isa::disassemble(program.code);
}

}  // namespace
}  // namespace cutaway::compiler
