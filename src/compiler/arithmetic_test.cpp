#include <bit>
#include <cmath>
#include <gtest/gtest.h>

#include "compiler/testing/run_shader.h"

// Tests single operations and functions against C++.
namespace cutaway::compiler {
namespace {

// Evaluates `expression` (a vec4) of vec4 a, b (inputs 0 and 1) and ivec4 i, j, uvec4 u, v (their bits).
Vec4 evaluate(const std::string& expression, const Vec4& a, const Vec4& b = {},
              isa::Program* code = nullptr) {
  const isa::Program program = compile_glsl(arch::Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=1) in vec4 b; layout(location=0) out vec4 o;
    void main() {
      ivec4 i = floatBitsToInt(a), j = floatBitsToInt(b); uvec4 u = uvec4(i), v = uvec4(j);
      o = )" + expression + "; }");
  Execution run;
  for (const isa::Varying& input : program.inputs) run.set(input.reg, input.location == 0 ? a : b);
  run(program);
  if (code) *code = program;
  return run.output(0);
}

Vec4 ints(int x, int y, int z, int w) { return std::bit_cast<Vec4>(std::array<int, 4>{x, y, z, w}); }
std::array<int, 4> as_ints(const Vec4& v) { return std::bit_cast<std::array<int, 4>>(v); }

// For inexact functions: relative error, or absolute below 1, like Vulkan's bounds.
void expect_near(const std::string& expression, const Vec4& a, const Vec4& b,
                 float (*reference)(float, float), float bound) {
  const Vec4 got = evaluate(expression, a, b);
  for (int c = 0; c < 4; ++c) {
    const float expected = reference(a[c], b[c]);
    EXPECT_NEAR(got[c], expected, bound * std::max(1.0f, std::fabs(expected)))
        << expression << " of " << a[c] << ", " << b[c];
  }
}

const Vec4 kA = {0.3f, -0.75f, 0.9f, -0.02f}, kB = {1.5f, 2.5f, -3.5f, 0.25f};

TEST(Arithmetic, Functions) {
  expect_near(
      "sinh(a)", kA, kB, [](float x, float) { return std::sinh(x); }, 1e-6f);
  expect_near(
      "cosh(a)", kA, kB, [](float x, float) { return std::cosh(x); }, 1e-6f);
  expect_near(
      "tanh(a)", kA, kB, [](float x, float) { return std::tanh(x); }, 1e-6f);
  expect_near(
      "asinh(a)", kA, kB, [](float x, float) { return std::asinh(x); }, 1e-6f);
  expect_near(
      "acosh(a * a + 1.25)", kA, kB, [](float x, float) { return std::acosh(x * x + 1.25f); }, 1e-6f);
  expect_near(
      "atanh(a)", kA, kB, [](float x, float) { return std::atanh(x); }, 2e-6f);
  expect_near(
      "asin(a)", kA, kB, [](float x, float) { return std::asin(x); }, 1e-6f);
  expect_near(
      "acos(a)", kA, kB, [](float x, float) { return std::acos(x); }, 2e-6f);
  expect_near(
      "atan(b)", kA, kB, [](float, float y) { return std::atan(y); }, 1e-6f);
  expect_near(
      "atan(a, b)", kA, kB, [](float x, float y) { return std::atan2(x, y); }, 1e-6f);
  expect_near(
      "tan(a)", kA, kB, [](float x, float) { return std::tan(x); }, 2e-6f);
  expect_near(
      "exp(a)", kA, kB, [](float x, float) { return std::exp(x); }, 1e-6f);
  expect_near(
      "log(abs(a))", kA, kB, [](float x, float) { return std::log(std::fabs(x)); }, 1e-6f);
  expect_near(
      "pow(abs(a), b)", kA, kB, [](float x, float y) { return std::pow(std::fabs(x), y); }, 4e-6f);
  expect_near(
      "mod(a, b)", kA, kB, [](float x, float y) { return x - y * std::floor(x / y); }, 1e-6f);
  expect_near(
      "mix(a, b, 0.25)", kA, kB, [](float x, float y) { return x * 0.75f + y * 0.25f; }, 1e-6f);
  expect_near(
      "smoothstep(vec4(-1.0), vec4(1.0), a)", kA, kB,
      [](float x, float) {
        const float t = (x + 1) / 2;
        return t * t * (3 - 2 * t);
      },
      1e-6f);
  expect_near(
      "a / b", kA, kB, [](float x, float y) { return x / y; }, 3e-7f);
  expect_near(
      "clamp(b, a - 0.5, a + 0.5)", kA, kB,
      [](float x, float y) { return std::min(std::max(y, x - 0.5f), x + 0.5f); }, 0);
  expect_near(
      "radians(b) + degrees(a)", kA, kB,
      [](float x, float y) { return y * 0.01745329252f + x * 57.29577951f; }, 1e-6f);
}

TEST(Arithmetic, AsinAcosAtanOverTheirRange) {
  for (int k = -100; k <= 100; k += 4) {
    Vec4 x;
    for (int c = 0; c < 4; ++c) x[c] = static_cast<float>(k + c) / 103.0f;
    expect_near(
        "asin(a)", x, kB, [](float v, float) { return std::asin(v); }, 5e-7f);
    expect_near(
        "acos(a)", x, kB, [](float v, float) { return std::acos(v); }, 1e-6f);
    expect_near(
        "atan(a * 20.0)", x, kB, [](float v, float) { return std::atan(v * 20.0f); }, 5e-7f);
  }
  EXPECT_EQ(evaluate("atan(a)", {0, -0.0f, 1e30f, -1e30f})[0], 0);
  EXPECT_FLOAT_EQ(evaluate("atan(a)", {0, -0.0f, 1e30f, -1e30f})[2], 1.5707963f);
  EXPECT_FLOAT_EQ(evaluate("atan(a, b)", {1, -1, 0, -3}, {0, 0, -1, -4})[2], 3.14159265f);
}

TEST(Arithmetic, RoundsAndSigns) {
  const Vec4 x = {1.5f, -2.5f, 0.4f, -0.0f};
  EXPECT_EQ(evaluate("floor(a)", x), (Vec4{1, -3, 0, 0}));
  EXPECT_EQ(evaluate("ceil(a)", x), (Vec4{2, -2, 1, 0}));
  EXPECT_EQ(evaluate("trunc(a)", x), (Vec4{1, -2, 0, 0}));
  EXPECT_EQ(evaluate("roundEven(a)", x), (Vec4{2, -2, 0, 0}));
  EXPECT_EQ(evaluate("fract(a)", x), (Vec4{0.5f, 0.5f, 0.4f, 0}));
  EXPECT_EQ(evaluate("sign(a)", x), (Vec4{1, -1, 1, 0}));
  EXPECT_EQ(evaluate("abs(a) - a", x), (Vec4{0, 5, 0, 0}));
  EXPECT_EQ(evaluate("step(0.4, a)", x), (Vec4{1, 0, 1, 0}));
  EXPECT_EQ(evaluate("min(max(a, 0.0), 1.0)", x), (Vec4{1, 0, 0.4f, 0}));
}

TEST(Arithmetic, Integers) {
  const Vec4 a = ints(7, -7, 100, -1), b = ints(3, 3, -8, 5);
  auto eval = [&](const char* e) {
    return as_ints(evaluate(std::string("intBitsToFloat(") + e + ")", a, b));
  };
  using I = std::array<int, 4>;
  EXPECT_EQ(eval("i + j"), (I{10, -4, 92, 4}));
  EXPECT_EQ(eval("i - j"), (I{4, -10, 108, -6}));
  EXPECT_EQ(eval("-i * j"), (I{-21, 21, 800, 5}));
  EXPECT_EQ(eval("i / j"), (I{2, -2, -12, 0}));
  EXPECT_EQ(eval("abs(i) + sign(j)"), (I{8, 8, 99, 2}));
  EXPECT_EQ(eval("min(i, j) ^ max(i, j)"), (I{7 ^ 3, -7 ^ 3, 100 ^ -8, -1 ^ 5}));
  EXPECT_EQ(eval("(i << 3) | (j >> 1)"), (I{57, -56 | 1, 800 | -4, -8 | 2}));
  EXPECT_EQ(eval("~i & j"), (I{~7 & 3, 6 & 3, ~100 & -8, 0}));
  EXPECT_EQ(eval("bitfieldExtract(i, 1, 5)"), (I{3, -4, -14, -1}));
  EXPECT_EQ(eval("bitfieldInsert(i, j, 4, 8)"),
            (I{0x37, -7 - (0xff0 & -7) + 0x30, 0xf84, -1 - 0xff0 + 0x50}));
  EXPECT_EQ(eval("bitCount(i)"), (I{3, 30, 3, 32}));
  EXPECT_EQ(eval("findLSB(i)"), (I{0, 0, 2, 0}));
  EXPECT_EQ(eval("findMSB(i)"), (I{2, 2, 6, -1}));
  EXPECT_EQ(eval("bitfieldReverse(i)"),
            (I{static_cast<int>(0xe0000000u), static_cast<int>(0x9fffffffu), 0x26000000, -1}));
  EXPECT_EQ(eval("ivec4(u / v)"), (I{2, static_cast<int>((0u - 7) / 3), 0, static_cast<int>(~0u / 5)}));
  EXPECT_EQ(eval("ivec4(u % v)"), (I{1, static_cast<int>((0u - 7) % 3), 100, 0}));
  EXPECT_EQ(eval("ivec4(lessThan(i, j)) * 2 + ivec4(greaterThanEqual(u, v))"), (I{1, 3, 0, 3}));
}

TEST(Arithmetic, Conversions) {
  EXPECT_EQ(evaluate("vec4(ivec4(a * 10.0)) + vec4(uvec4(abs(a)))", {1.26f, -1.26f, 0, 3}),
            (Vec4{13, -11, 0, 33}));
  EXPECT_EQ(evaluate("vec4(unpackHalf2x16(packHalf2x16(a.xy)), unpackSnorm2x16(packSnorm2x16(a.zw)))",
                     {1.5f, -0.25f, 1, -2}),
            (Vec4{1.5f, -0.25f, 1, -1}));
  EXPECT_EQ(evaluate("unpackUnorm4x8(packUnorm4x8(a))", {0, 1, 0.2f, 7}), (Vec4{0, 1, 51 * (1 / 255.0f), 1}));
  EXPECT_EQ(evaluate("vec4(isnan(a.x), isinf(a.y), isnan(a.z), isinf(a.w))", {NAN, -INFINITY, 0, NAN}),
            (Vec4{1, 1, 0, 0}));
}

TEST(Arithmetic, Geometry) {
  const Vec4 a = {3, 4, 0, 1}, b = {1, 0, 2, 1};
  EXPECT_EQ(evaluate("vec4(length(a.xy), distance(a, b), dot(a, b), dot(a.xyz, b.zyx))", a, b),
            (Vec4{5, std::sqrt(24.0f), 4, 6}));
  EXPECT_EQ(evaluate("vec4(cross(a.xyz, b.xyz), 0.0)", a, b), (Vec4{8, -6, -4, 0}));
  EXPECT_EQ(evaluate("reflect(a, vec4(0, 1, 0, 0))", a, b), (Vec4{3, -4, 0, 1}));
  EXPECT_EQ(evaluate("faceforward(a, b, a)", a, b), (Vec4{-3, -4, 0, -1}));
  const Vec4 n = evaluate("vec4(normalize(a.xy), 0.0, 0.0)", a);
  EXPECT_FLOAT_EQ(n[0], 0.6f);
  EXPECT_FLOAT_EQ(n[1], 0.8f);
  EXPECT_EQ(evaluate("refract(vec4(0, -1, 0, 0), vec4(0, 1, 0, 0), 0.5 + 0.0 * a.x)", a),
            (Vec4{0, -1, 0, 0}));
}

TEST(Arithmetic, Matrices) {
  const Vec4 a = {1, 2, 3, 4}, b = {2, 0, 1, 1};
  // m = columns a, b, (1,0,0,0), (0,0,0,1)
  const std::string m = "mat4(a, b, vec4(1, 0, 0, 0), vec4(0, 0, 0, 1))";
  EXPECT_EQ(evaluate(m + " * vec4(1, 2, 3, 4)", a, b), (Vec4{8, 2, 5, 10}));
  EXPECT_EQ(evaluate("vec4(1, 2, 3, 4) * " + m, a, b), (Vec4{30, 9, 1, 4}));
  EXPECT_EQ(evaluate("(transpose(" + m + "))[1]", a, b), (Vec4{2, 0, 0, 0}));
  EXPECT_EQ(evaluate("(" + m + " * " + m + ")[0]", a, b), (Vec4{1 + 4 + 3, 2, 3 + 2, 4 + 2 + 4}));
  EXPECT_EQ(evaluate("outerProduct(a, b)[2] + vec4(determinant(" + m + "))", a, b), (Vec4{3, 4, 5, 6}));
  const Vec4 i = evaluate("(inverse(" + m + ") * " + m + ")[1]", a, b);
  for (int c = 0; c < 4; ++c) EXPECT_NEAR(i[c], c == 1, 1e-6f);
  EXPECT_EQ(
      evaluate(
          "vec4(inverse(mat2(a.xy, b.xy)) * vec2(1, 2), determinant(mat3(a.xyz, b.xyz, vec3(0, 1, 0))), 0)",
          a, b),
      (Vec4{1, 0, 5, 0}));
}

TEST(Arithmetic, Parts) {
  EXPECT_EQ(evaluate("vec4(ldexp(a.x, 3), ldexp(a.y, -2), 0, 0)", {1.5f, -4, 0, 0}), (Vec4{12, -1, 0, 0}));
  const isa::Program program = compile_glsl(arch::Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o;
    void main() { int e; float whole; float f = modf(a.x, whole); float s = frexp(a.y, e); o = vec4(f, whole, s, e); })");
  Execution run;
  run.set(0, {-2.75f, 20, 0, 0});
  run(program);
  EXPECT_EQ(run.output(0), (Vec4{-0.75f, -2, 0.625f, 5}));
}

// The result is exact if it is a normal number; below the range it is zero, above it infinite.
TEST(Arithmetic, LdexpFarBelowAndAboveTheRange) {
  const auto expected = [](float x, int e) {
    const float r = std::ldexp(x, e);
    return std::fabs(r) < 0x1p-126f ? 0.0f : r;
  };
  const float numbers[] = {1, -1.5f, 0x1.8p127f, 0x1.2p-126f, 0};
  for (int e : {-2147483647, -1000, -300, -280, -254, -253, -252, -251, -150, -127, -126,      -1,
                0,           1,     127,  128,  200,  252,  253,  254,  255,  300,  2147483647})
    for (float x : numbers) {
      SCOPED_TRACE(testing::Message() << x << ", " << e);
      EXPECT_EQ(evaluate("vec4(ldexp(a.x, j.x), 0, 0, 0)", {x, 0, 0, 0}, ints(e, 0, 0, 0))[0],
                expected(x, e));
      EXPECT_EQ(evaluate("vec4(ldexp(a.x, " + std::to_string(e) + "), 0, 0, 0)", {x, 0, 0, 0})[0],
                expected(x, e));
    }
}

TEST(Arithmetic, AtanOfNumbersWhoseReciprocalIsNone) {
  const float values[] = {0x1.8p127f, -0x1.8p127f, 0x1p126f, 0x1.4p126f, -3e37f, 1, 0x1p-126f, -0x1.8p-125f};
  for (float y : values)
    for (float x : values)
      EXPECT_NEAR(evaluate("vec4(atan(a.x, b.x), 0, 0, 0)", {y, 0, 0, 0}, {x, 0, 0, 0})[0], std::atan2(y, x),
                  2e-6f)
          << y << ", " << x;
}

TEST(Arithmetic, CarriesAndWideProducts) {
  const isa::Program program = compile_glsl(arch::Stage::kFragment, R"(
    layout(location=0) flat in uvec4 u; layout(location=0) out uvec4 o;
    void main() { uint c, h, l; uint s = uaddCarry(u.x, u.y, c); uint d = usubBorrow(u.z, u.w, h); umulExtended(u.x, u.y, h, l);
      int sh, sl; imulExtended(int(u.x), int(u.z), sh, sl); o = uvec4(s + c, d, h ^ l, uint(sh)); })");
  EXPECT_EQ(program.inputs.at(0).mode, arch::Interpolation::kFlat);
  Execution run;
  const uint32_t x = 0xfffffff0, y = 0x20, z = 5, w = 7;
  for (Bits4& lane : run.inputs[0]) lane = {x, y, z, w};
  run(program);
  const uint64_t product = uint64_t{x} * y;
  EXPECT_EQ(
      run.outputs[0][0],
      (Bits4{x + y + 1, z - w, static_cast<uint32_t>(product >> 32) ^ static_cast<uint32_t>(product), ~0u}));
}

TEST(Arithmetic, Derivatives) {
  const isa::Program program = compile_glsl(arch::Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o; layout(location=1) out vec4 fine;
    void main() {
      o = vec4(dFdx(a.x), dFdy(a.x), fwidth(a.x), 0);
      fine = vec4(dFdxFine(a.x), dFdyFine(a.x), fwidthFine(a.x), 0);
    })");
  EXPECT_TRUE(program.flags & arch::kShaderDerivatives);
  Execution run;
  run.set_lanes(0, {Vec4{1, 0, 0, 0}, {3, 0, 0, 0}, {-4, 0, 0, 0}, {9, 0, 0, 0}});
  run(program);
  for (uint32_t lane : {0, 3}) EXPECT_EQ(run.output(0, lane), (Vec4{2, -5, 7, 0}));
  EXPECT_EQ(run.output(1, 0), (Vec4{2, -5, 7, 0}));
  EXPECT_EQ(run.output(1, 3), (Vec4{13, 6, 19, 0}));
}

}  // namespace
}  // namespace cutaway::compiler
