#include <bit>
#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "compiler/builder.h"
#include "compiler/testing/run_arrays.h"

// Tests integers of 8, 16 and 64 bits and halves against C++.
namespace cutaway::compiler::widths_test {
namespace {

using arch::Stage;
using testing::ElementsAre;

constexpr uint32_t kCases = 256;

template <class T>
std::vector<T> random_integers(std::mt19937_64& random, bool no_zero = false) {
  std::vector<T> values;
  for (uint32_t i = 0; i < kCases; ++i) {
    T value = static_cast<T>(random() >> random() % 64);
    if (i % 7 == 0) value = static_cast<T>(std::numeric_limits<T>::min() + static_cast<T>(i % 3));
    if (i % 11 == 0) value = static_cast<T>(std::numeric_limits<T>::max() - static_cast<T>(i % 3));
    if (random() % 2) value = static_cast<T>(0 - value);
    values.push_back(no_zero && value == 0 ? T{3} : value);
  }
  return values;
}

template <class T>
void check_integers(const std::string& type) {
  using U = std::make_unsigned_t<T>;
  constexpr uint32_t kBits = sizeof(T) * 8;
  std::mt19937_64 random(kBits + std::is_signed_v<T>);
  const std::vector<T> x = random_integers<T>(random), y = random_integers<T>(random, true);
  const std::string bits = std::to_string(kBits - 1);
  const std::vector<T> got =
      run_on<T>(type, type,
                "r[0] = x + y; r[1] = x - y; r[2] = x * y; r[3] = -x; r[4] = ~x; r[5] = x & y; r[6] = x | y;"
                "r[7] = x ^ y; r[8] = x << (uint(y) & " +
                    bits + "u); r[9] = x >> (uint(y) & " + bits +
                    "u); r[10] = x / y; r[11] = x % y; r[12] = min(x, y); r[13] = max(x, y);"
                    "r[14] = clamp(x, min(y, " +
                    type + "(5)), max(y, " + type +
                    "(5)));"
                    "r[15] = " +
                    type + "(x < y) | " + type + "(x <= y) << 1 | " + type + "(x == y) << 2 | " + type +
                    "(x > y) << 3 | " + type + "(x >= y) << 4 | " + type + "(x != y) << 5;",
                16, x, y);
  for (uint32_t i = 0; i < kCases; ++i) {
    const T a = x[i], b = y[i];
    const U ua = static_cast<U>(a), ub = static_cast<U>(b);
    const auto wide_a = static_cast<uint64_t>(ua), wide_b = static_cast<uint64_t>(ub);
    const uint32_t by = static_cast<uint32_t>(ub) & (kBits - 1);
    const bool overflows = std::is_signed_v<T> && b == static_cast<T>(-1);
    const bool division_is_defined = !std::is_signed_v<T> || (a >= 0 && b > 0);  // of the remainder
    const T low = std::min(b, T{5}), high = std::max(b, T{5});
    const T expected[16] = {static_cast<T>(wide_a + wide_b),
                            static_cast<T>(wide_a - wide_b),
                            static_cast<T>(wide_a * wide_b),
                            static_cast<T>(0 - wide_a),
                            static_cast<T>(~wide_a),
                            static_cast<T>(a & b),
                            static_cast<T>(a | b),
                            static_cast<T>(a ^ b),
                            static_cast<T>(wide_a << by),
                            static_cast<T>(a >> by),
                            overflows ? static_cast<T>(0 - wide_a) : static_cast<T>(a / b),
                            division_is_defined ? static_cast<T>(a % b) : got[i * 16 + 11],
                            std::min(a, b),
                            std::max(a, b),
                            std::min(std::max(a, low), high),
                            static_cast<T>((a < b) | (a <= b) << 1 | (a == b) << 2 | (a > b) << 3 |
                                           (a >= b) << 4 | (a != b) << 5)};
    for (uint32_t k = 0; k < 16; ++k)
      ASSERT_EQ(+got[i * 16 + k], +expected[k]) << type << " " << +a << ", " << +b << ": result " << k;
  }
}

TEST(Widths, IntegersOf8Bits) {
  check_integers<int8_t>("int8_t");
  check_integers<uint8_t>("uint8_t");
}

TEST(Widths, IntegersOf16Bits) {
  check_integers<int16_t>("int16_t");
  check_integers<uint16_t>("uint16_t");
}

TEST(Widths, IntegersOf64Bits) {
  check_integers<int64_t>("int64_t");
  check_integers<uint64_t>("uint64_t");
}

TEST(Widths, AbsoluteValuesAndSigns) {
  std::mt19937_64 random(3);
  const auto x = random_integers<int64_t>(random), y = random_integers<int64_t>(random);
  const auto wide = run_on<int64_t>("int64_t", "int64_t", "r[0] = abs(x); r[1] = sign(x);", 2, x, y);
  const auto narrow_x = random_integers<int16_t>(random);
  const auto narrow =
      run_on<int16_t>("int16_t", "int16_t", "r[0] = abs(x); r[1] = sign(x);", 2, narrow_x, narrow_x);
  for (uint32_t i = 0; i < kCases; ++i) {
    ASSERT_EQ(wide[2 * i], static_cast<int64_t>(x[i] < 0 ? 0 - static_cast<uint64_t>(x[i]) : x[i]));
    ASSERT_EQ(wide[2 * i + 1], (x[i] > 0) - (x[i] < 0));
    ASSERT_EQ(narrow[2 * i], static_cast<int16_t>(std::abs(narrow_x[i])));
    ASSERT_EQ(narrow[2 * i + 1], (narrow_x[i] > 0) - (narrow_x[i] < 0));
  }
}

TEST(Widths, ConversionsBetweenSizes) {
  std::mt19937_64 random(4);
  const auto x = random_integers<int64_t>(random);
  const auto got =
      run_on<int64_t>("int64_t", "int64_t",
                      "r[0] = int64_t(int8_t(x)); r[1] = int64_t(uint8_t(x));"
                      "r[2] = int64_t(int16_t(x)); r[3] = int64_t(uint16_t(x));"
                      "r[4] = int64_t(int(x)); r[5] = int64_t(uint(x));"
                      "r[6] = int64_t(int16_t(int8_t(x))); r[7] = int64_t(int(int8_t(int16_t(x))));",
                      8, x, x);
  for (uint32_t i = 0; i < kCases; ++i) {
    const int64_t v = x[i];
    const int64_t expected[8] = {static_cast<int8_t>(v),   static_cast<uint8_t>(v), static_cast<int16_t>(v),
                                 static_cast<uint16_t>(v), static_cast<int32_t>(v), static_cast<uint32_t>(v),
                                 static_cast<int8_t>(v),   static_cast<int8_t>(v)};
    for (uint32_t k = 0; k < 8; ++k) ASSERT_EQ(got[i * 8 + k], expected[k]) << v << ": result " << k;
  }
}

TEST(Widths, IntegersOf64BitsToFloatsRoundOnce) {
  std::mt19937_64 random(5);
  auto x = random_integers<int64_t>(random);
  x[0] = 0, x[1] = 0x1000001, x[2] = int64_t{0x1000001} << 20, x[3] = (int64_t{0x1000001} << 30) + 1;
  const auto got =
      run_on<int64_t, float>("int64_t", "float", "r[0] = float(x); r[1] = float(uint64_t(x));", 2, x, x);
  for (uint32_t i = 0; i < kCases; ++i) {
    ASSERT_EQ(got[2 * i], static_cast<float>(x[i])) << x[i];
    ASSERT_EQ(got[2 * i + 1], static_cast<float>(static_cast<uint64_t>(x[i]))) << x[i];
  }
  std::vector<float> f;
  for (const int64_t v : x) f.push_back(static_cast<float>(v >> 1) * 0.9f);
  f[5] = 0.75f, f[6] = -0.75f, f[7] = 0x1p62f;
  const auto back = run_on<float, int64_t>("float", "int64_t",
                                           "r[0] = int64_t(x); r[1] = int64_t(uint64_t(abs(x)));", 2, f, f);
  for (uint32_t i = 0; i < kCases; ++i) {
    ASSERT_EQ(back[2 * i], static_cast<int64_t>(f[i])) << f[i];
    ASSERT_EQ(back[2 * i + 1], static_cast<int64_t>(std::fabs(f[i]))) << f[i];
  }
}

// Every operation on halves equals C++'s, which rounds once.
TEST(Widths, HalvesRoundOnce) {
  std::mt19937 random(6);
  std::vector<uint16_t> x, y;
  for (uint32_t i = 0; i < kCases; ++i) {
    x.push_back(static_cast<uint16_t>(random()));
    y.push_back(static_cast<uint16_t>(random()));
    if (i % 3 == 0) y.back() = static_cast<uint16_t>((x.back() & 0x7c00) | (y.back() & 0x83ff));
  }
  x[0] = 1, y[0] = 0x8001, x[1] = 0x03ff, y[1] = 1, x[2] = 0x7bff, y[2] = 0x7bff, x[3] = 0x0400,
  y[3] = 0x3800;
  const auto got = run_on<uint16_t>(
      "float16_t", "float16_t",
      "r[0] = x + y; r[1] = x - y; r[2] = x * y; r[3] = sqrt(abs(x)); r[4] = float16_t(float(x) * 3.0);"
      "r[5] = -x; r[6] = abs(x); r[7] = max(x, y);",
      8, x, y);
  const auto value = [](uint16_t bits) { return static_cast<float>(std::bit_cast<_Float16>(bits)); };
  for (uint32_t i = 0; i < kCases; ++i) {
    const float a = value(x[i]), b = value(y[i]);
    const double exact[8] = {
        double{a} + b, double{a} - b,  double{a} * b, std::sqrt(std::fabs(double{a})), double{a * 3.0f}, -a,
        std::fabs(a),  std::fmax(a, b)};
    for (uint32_t k = 0; k < 8; ++k) {
      const auto expected = static_cast<_Float16>(exact[k]);
      const uint16_t bits = got[i * 8 + k];
      if (expected != expected) ASSERT_EQ(bits & 0x7fff, 0x7e00) << a << ", " << b << ": result " << k;
      else ASSERT_EQ(value(bits), static_cast<float>(expected)) << a << ", " << b << ": result " << k;
    }
  }
}

TEST(Widths, AllHalvesAreFoldedAsTheMachineRounds) {
  for (uint32_t half = 0; half < 0x10000; ++half) {
    const auto expected = static_cast<float>(std::bit_cast<_Float16>(static_cast<uint16_t>(half)));
    if (expected != expected) continue;
    ASSERT_EQ(float_of_half(half), std::bit_cast<uint32_t>(expected)) << half;
    ASSERT_EQ(nearest_half(float_of_half(half)), half);
  }
  std::mt19937 random(7);
  for (int i = 0; i < 100000; ++i) {
    const uint32_t bits = random();
    const float value = std::bit_cast<float>(bits);
    if (value != value) continue;
    ASSERT_EQ(nearest_half(bits), std::bit_cast<uint16_t>(static_cast<_Float16>(value))) << value;
  }
}

// Stores of parts of words keep neighbouring parts, at constant and at dynamic addresses.
TEST(Widths, StoresLeaveTheirNeighbours) {
  const isa::Program program = compile_glsl(Stage::kCompute, R"(#version 450
    #extension GL_EXT_shader_explicit_arithmetic_types : require
    #extension GL_EXT_shader_16bit_storage : require
    #extension GL_EXT_shader_8bit_storage : require
    layout(local_size_x = 4) in;
    struct S { uint8_t a; uint8_t b; int16_t c; float16_t d; u8vec3 e; f16vec2 f; i64vec2 g; };
    layout(std430, set=0, binding=0) buffer X { uint8_t bytes[16]; uint16_t halves[8]; S s; };
    layout(std430, set=0, binding=1) readonly buffer Y { S t; };
    void main() {
      uint i = gl_LocalInvocationIndex;
      bytes[i * 3] = uint8_t(0x70 + i);
      halves[7 - 2 * i] = uint16_t(0x1230 + i);
      if (i == 2) { s.b = uint8_t(5); s.e = u8vec3(1, 2, 3); s.f = f16vec2(1, -2) + t.f; s.g.y = -2l; s.d = t.d * float16_t(2); s.c = t.c; }
    })");
  Execution run = workgroup();
  run.buffers[{0, 0, 0}] = std::vector<uint32_t>(64, 0xeeeeeeee);
  std::vector<uint32_t>& t = run.buffers[{0, 1, 0}] = std::vector<uint32_t>(64);
  t[0] = 0xfffe0000;  // c = -2
  t[1] = 0x00003e00;  // d = 1.5
  t[3] = 0x3c003800;  // f = 0.5, 1
  run(program);
  const std::vector<uint32_t>& x = run.buffers[{0, 0, 0}];
  EXPECT_THAT(std::vector(x.begin(), x.begin() + 8),
              ElementsAre(0x71eeee70, 0xee72eeee, 0xeeee73ee, 0xeeeeeeee, 0x1233eeee, 0x1232eeee, 0x1231eeee,
                          0x1230eeee));
  EXPECT_EQ(x[8], 0xfffe05eeu);
  EXPECT_EQ(x[9], 0xeeee4200u);  // 3
  EXPECT_EQ(x[10], 0xee030201u);
  EXPECT_EQ(x[11], 0xbc003e00u);  // 1.5, -1
  EXPECT_THAT(std::vector(x.begin() + 12, x.begin() + 16),
              ElementsAre(0xeeeeeeee, 0xeeeeeeee, 0xfffffffe, 0xffffffff));
}

TEST(Widths, UniformsPushAndSpecializationConstants) {
  const std::string source = R"(#version 450
    #extension GL_EXT_shader_explicit_arithmetic_types : require
    #extension GL_EXT_shader_16bit_storage : require
    #extension GL_EXT_shader_8bit_storage : require
    #extension GL_EXT_scalar_block_layout : require
    layout(local_size_x = 4) in;
    layout(constant_id = 1) const int16_t k = 7s;
    layout(constant_id = 2) const uint64_t w = 0x100000002ul;
    layout(constant_id = 3) const float16_t h = 1.5hf;
    layout(push_constant, std430) uniform P { int8_t p[4]; f16vec2 q; uint64_t r; };
    layout(scalar, set=0, binding=1) uniform U { uint16_t u[5]; };
    layout(std430, set=0, binding=2) buffer O { int o[4][8]; };
    void main() {
      uint i = gl_LocalInvocationIndex;
      o[i][0] = int(p[i]); o[i][1] = int(float(q.y) * 4.0); o[i][2] = int(r >> 32); o[i][3] = int(u[i + 1]);
      o[i][4] = int(k + int16_t(i >> 4)); o[i][5] = int((w >> 31) + r - r); o[i][6] = int(float(h + q.x) * 8.0); o[i][7] = int(u[4]);
    })";
  const auto spirv = glsl_to_spirv(Stage::kCompute, source);
  const auto bytes_of = [](auto value) {
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
  };
  const isa::Program program = compile(
      {.stage = Stage::kCompute,
       .spirv = spirv,
       .entry = "main",
       .specializations = {
           {1, bytes_of(int16_t{-9})}, {2, bytes_of(uint64_t{5} << 31)}, {3, bytes_of(uint16_t{0x4000})}}});
  Execution run = workgroup();
  run.push_constants = {0x80ff0302, 0xc1003800, 4, 77};  // p = 2, 3, -1, -128; q = 0.5, -2.5
  run.buffers[{0, 1, 0}] = {0xffff0001, 0x00030002, 0xfffe, 0};
  run.buffers[{0, 2, 0}] = std::vector<uint32_t>(32);
  run(program);
  const auto o = values_of<int32_t>(run.buffers[{0, 2, 0}]);
  const int p[4] = {2, 3, -1, -128}, u[4] = {0xffff, 2, 3, 0xfffe};
  for (uint32_t i = 0; i < 4; ++i)
    EXPECT_THAT(std::vector(o.begin() + 8 * i, o.begin() + 8 * i + 8),
                ElementsAre(p[i], -10, 77, u[i], -9, 5, 20, 0xfffe));
}

TEST(Widths, BitsOfOneSizeAreThoseOfAnother) {
  const std::vector<uint64_t> x = {0x0123456789abcdef, 0x3c00bc0042008001, 0x7adcba9876543210, 7};
  const auto got =
      run_on<uint64_t>("uint64_t", "uint64_t",
                       "r[0] = pack64(unpack32(x)); r[1] = pack64(unpack16(x));"
                       "u8vec4 q = unpack8(unpack32(x).x); r[2] = uint64_t(q.x) << 24 | uint64_t(q.y) << 16 "
                       "| uint64_t(q.z) << 8 | q.w;"
                       "f16vec4 f = f16vec4(unpackFloat2x16(unpack32(x).x), unpackFloat2x16(unpack32(x).y));"
                       "r[3] = uint64_t(packFloat2x16(f.xy)) | uint64_t(packFloat2x16(f.zw)) << 32;"
                       "uint64_t sum = 0; u64vec3 v = u64vec3(x, x + 1, x + 2); for (uint j = 0; j <= uint(x "
                       "& 1); j++) sum += v[j + 1];"
                       "r[4] = sum;",
                       5, x, x);
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(got[5 * i], x[i]);
    EXPECT_EQ(got[5 * i + 1], x[i]);
    EXPECT_EQ(got[5 * i + 2], __builtin_bswap32(static_cast<uint32_t>(x[i])));
    EXPECT_EQ(got[5 * i + 3], x[i]);
    EXPECT_EQ(got[5 * i + 4], x[i] & 1 ? 2 * x[i] + 3 : x[i] + 1);
  }
}

TEST(Widths, SwitchesOver16And64Bits) {
  for (const bool wide : {false, true}) {
    const std::string type = wide ? "64" : "16";
    const std::string first = wide ? "0x100000007" : "-2", second = "7";
    const auto spirv = assemble_spirv(R"(
      OpCapability Shader
      OpCapability Int)" + type + R"(
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %main "main" %id %buffer
      OpExecutionMode %main LocalSize 4 1 1
      OpDecorate %block Block
      OpMemberDecorate %block 0 Offset 0
      OpDecorate %array ArrayStride 4
      OpDecorate %buffer DescriptorSet 0
      OpDecorate %buffer Binding 0
      OpDecorate %id BuiltIn LocalInvocationIndex
      %void = OpTypeVoid
      %main_type = OpTypeFunction %void
      %uint = OpTypeInt 32 0
      %sized = OpTypeInt )" + type + R"( 1
      %array = OpTypeRuntimeArray %uint
      %block = OpTypeStruct %array
      %block_pointer = OpTypePointer StorageBuffer %block
      %pointer = OpTypePointer StorageBuffer %uint
      %input = OpTypePointer Input %uint
      %buffer = OpVariable %block_pointer StorageBuffer
      %id = OpVariable %input Input
      %u0 = OpConstant %uint 0
      %u1 = OpConstant %uint 1
      %u10 = OpConstant %uint 10
      %u20 = OpConstant %uint 20
      %u30 = OpConstant %uint 30
      %a = OpConstant %sized )" + first +
                                      R"(
      %b = OpConstant %sized 7
      %c = OpConstant %sized 6
      %bool = OpTypeBool
      %main = OpFunction %void None %main_type
      %entry = OpLabel
      %i = OpLoad %uint %id
      %is0 = OpIEqual %bool %i %u0
      %is1 = OpIEqual %bool %i %u1
      %bc = OpSelect %sized %is1 %b %c
      %selector = OpSelect %sized %is0 %a %bc
      OpSelectionMerge %merge None
      OpSwitch %selector %default )" + first +
                                      " %first " + second + R"( %second
      %first = OpLabel
      OpBranch %merge
      %second = OpLabel
      OpBranch %merge
      %default = OpLabel
      OpBranch %merge
      %merge = OpLabel
      %result = OpPhi %uint %u10 %first %u20 %second %u30 %default
      %to = OpAccessChain %pointer %buffer %u0 %i
      OpStore %to %result
      OpReturn
      OpFunctionEnd)");
    Execution run = workgroup();
    run.buffers[{0, 0, 0}] = std::vector<uint32_t>(4);
    run(compile({.stage = Stage::kCompute, .spirv = spirv, .entry = "main"}));
    EXPECT_THAT(run.buffers.begin()->second, ElementsAre(10, 20, 30, 30)) << type;
  }
}

// A varying of three 64-bit components takes two locations.
TEST(Widths, VaryingsOf64Bits) {
  const std::string head = "#version 450\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n";
  const isa::Program vertex = compile_glsl(Stage::kVertex, head + R"(
    layout(location=1) flat out u64vec3 v; layout(location=3) out vec4 c;
    void main() { v = u64vec3(1ul << 40, 2ul, 3ul << 33); c = vec4(5); gl_Position = vec4(0); })");
  std::vector<uint32_t> locations;
  for (const isa::Varying& output : vertex.outputs) locations.push_back(output.location);
  EXPECT_THAT(locations, ElementsAre(1, 2, 3));
  Execution run;
  run(vertex);
  EXPECT_EQ(bits(run.output(1)), (Bits4{0, 1 << 8, 2, 0}));
  EXPECT_EQ(bits(run.output(2))[1], 6u);
  const isa::Program fragment = compile_glsl(Stage::kFragment, head + R"(
    layout(location=1) flat in u64vec3 v; layout(location=0) out vec4 o;
    void main() { o = vec4(float(v.x), float(v.y), float(v.z), 1); })");
  Execution pixel;
  pixel.inputs[0].fill({0, 1 << 8, 2, 0});
  pixel.inputs[1].fill({0, 6, 0, 0});
  pixel(fragment);
  EXPECT_EQ(pixel.output(0), (Vec4{0x1p40f, 2, 0x1.8p34f, 1}));
}

}  // namespace
}  // namespace cutaway::compiler::widths_test
