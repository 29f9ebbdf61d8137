#include <bit>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "compiler/builder.h"
#include "compiler/testing/run_arrays.h"
#include "isa/operands.h"

// Tests floats of 64 bits against C++.
namespace cutaway::compiler::doubles_test {
namespace {

using arch::Stage;
using testing::ElementsAre;

uint64_t bits_of(double value) {
  return std::isnan(value) ? 0x7ff8000000000000 : std::bit_cast<uint64_t>(value);
}

// Values of all magnitudes, near each other, and at the edges.
std::vector<double> values(std::mt19937_64& random, bool finite = false) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<double> all = {0.0, -0.0, 1.0,       -1.0,       0.5,        -0.5, 1.5,
                             2.5, -3.5, 0x1p-1074, -0x1p-1022, 0x1p52 + 1, 1e300};
  if (!finite) all.insert(all.end(), {kInfinity, -kInfinity, std::nan("")});
  while (all.size() < 256) {
    const uint64_t any = random();
    const double value = std::bit_cast<double>(any);
    if (all.size() % 4 == 0 && (!finite || std::isfinite(value))) all.push_back(value);
    else
      all.push_back(
          std::ldexp(static_cast<double>(static_cast<int64_t>(any)), static_cast<int>(any % 24) - 70));
  }
  return all;
}

// Each expression of x and y, with its C++ model.
using Model = double (*)(double x, double y);
void check(const std::vector<std::pair<std::string, Model>>& cases, bool finite = false) {
  std::mt19937_64 random(7);
  std::vector<double> x = values(random, finite), y = values(random, finite);
  std::shuffle(x.begin(), x.end(), random);
  for (size_t i = 0; i < 24; ++i) x.push_back(x[i]), y.push_back(x[i]);
  std::string body = "int e; double whole;\n";
  for (size_t k = 0; k < cases.size(); ++k)
    body += "r[" + std::to_string(k) + "] = " + cases[k].first + ";\n";
  const std::vector<double> got =
      run_on<double>("double", "double", body, static_cast<uint32_t>(cases.size()), x, y);
  for (size_t i = 0; i < x.size(); ++i)
    for (size_t k = 0; k < cases.size(); ++k)
      ASSERT_EQ(bits_of(got[i * cases.size() + k]), bits_of(cases[k].second(x[i], y[i])))
          << cases[k].first << " of " << std::hexfloat << x[i] << ", " << y[i] << ": "
          << got[i * cases.size() + k];
}

double truth(bool value) { return value ? 1 : 0; }
double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
double least(double x, double y) { return std::isnan(x) ? y : x < y || std::isnan(y) ? x : y; }
double most(double x, double y) { return std::isnan(x) ? y : x > y || std::isnan(y) ? x : y; }

TEST(Doubles, Arithmetic) {
  check({{"x + y", [](double x, double y) { return x + y; }},
         {"x - y", [](double x, double y) { return x - y; }},
         {"x * y", [](double x, double y) { return x * y; }},
         {"x / y", [](double x, double y) { return x / y; }},
         {"-x", [](double x, double) { return -x; }},
         {"-x * y - x", [](double x, double y) { return -x * y - x; }},
         {"abs(x) + y", [](double x, double y) { return std::fabs(x) + y; }},
         {"-abs(x) / -y", [](double x, double y) { return -std::fabs(x) / -y; }},
         {"x * 3.0lf + 0.1lf", [](double x, double) { return x * 3.0 + 0.1; }},
         {"x == y ? -x : abs(y)", [](double x, double y) { return x == y ? -x : std::fabs(y); }}});
}

// A product and a sum are rounded separately, except in fma().
TEST(Doubles, ProductsAreFusedWhereTheProgramSaysSo) {
  check({{"x * y + x",
          [](double x, double y) {
            const volatile double p = x * y;
            return p + x;
          }},
         {"fma(x, y, x)", [](double x, double y) { return std::fma(x, y, x); }},
         {"fma(x, y, -x * y)", [](double x, double y) {
            const volatile double p = -x * y;
            return std::fma(x, y, p);
          }}});
}

TEST(Doubles, Comparisons) {
  check({{"double(x < y)", [](double x, double y) { return truth(x < y); }},
         {"double(x <= y)", [](double x, double y) { return truth(x <= y); }},
         {"double(x > y)", [](double x, double y) { return truth(x > y); }},
         {"double(x >= y)", [](double x, double y) { return truth(x >= y); }},
         {"double(x == y)", [](double x, double y) { return truth(x == y); }},
         {"double(x != y)", [](double x, double y) { return truth(x != y); }},
         {"double(!(x < y))", [](double x, double y) { return truth(!(x < y)); }},
         {"double(isnan(x))", [](double x, double) { return truth(std::isnan(x)); }},
         {"double(isinf(x))", [](double x, double) { return truth(std::isinf(x)); }},
         {"double(all(lessThan(dvec2(x, y), dvec2(y, x + 1.0))))",
          [](double x, double y) { return truth(x < y && y < x + 1); }}});
}

TEST(Doubles, FunctionsOfOneValue) {
  check({{"sqrt(x)", [](double x, double) { return std::sqrt(x); }},
         {"inversesqrt(x)", [](double x, double) { return 1 / std::sqrt(x); }},
         {"floor(x)", [](double x, double) { return std::floor(x); }},
         {"ceil(x)", [](double x, double) { return std::ceil(x); }},
         {"trunc(x)", [](double x, double) { return std::trunc(x); }},
         {"round(x)", [](double x, double) { return std::nearbyint(x); }},
         {"roundEven(x)", [](double x, double) { return std::nearbyint(x); }},
         {"fract(x)", [](double x, double) { return x - std::floor(x); }},
         {"sign(x)", [](double x, double) { return sign_of(x); }},
         {"abs(x)", [](double x, double) { return std::fabs(x); }},
         {"packDouble2x32(unpackDouble2x32(x).yx)", [](double x, double) {
            return std::bit_cast<double>(std::rotl(std::bit_cast<uint64_t>(x), 32));
          }}});
}

TEST(Doubles, FunctionsOfSeveralValues) {
  check({{"min(x, y)", least},
         {"max(x, y)", most},
         {"clamp(x, -1.0lf, y)", [](double x, double y) { return least(most(x, -1), y); }},
         {"mix(x, y, 0.25lf)", [](double x, double y) { return x * 0.75 + y * 0.25; }},
         {"step(x, y)", [](double x, double y) { return truth(y >= x); }},
         {"smoothstep(0.0lf, y, x)",
          [](double x, double y) {
            const double t = least(most((x - 0.0) / (y - 0.0), 0), 1);
            return t * t * (3 - 2 * t);
          }},
         {"mod(x, y)", [](double x, double y) { return x - y * std::floor(x / y); }}});
}

TEST(Doubles, SignificandsAndExponents) {
  check({{"modf(x, whole)", [](double x, double) { return x - std::trunc(x); }},
         {"frexp(x, e)",
          [](double x, double) {
            int e;
            return std::frexp(x, &e);
          }},
         {"(frexp(x, e), double(e))",
          [](double x, double) {
            int e;
            std::frexp(x, &e);
            return double(e);
          }},
         {"ldexp(x, int(clamp(y, -5000.0lf, 5000.0lf)))",
          [](double x, double y) { return std::ldexp(x, static_cast<int>(least(most(y, -5000), 5000))); }},
         {"ldexp(x, -1000)", [](double x, double) { return std::ldexp(x, -1000); }},
         {"ldexp(x, -1040)", [](double x, double) { return std::ldexp(x, -1040); }},
         {"ldexp(x, -1074)", [](double x, double) { return std::ldexp(x, -1074); }},
         {"ldexp(x, -2098)", [](double x, double) { return std::ldexp(x, -2098); }},
         {"ldexp(x, 2098)", [](double x, double) { return std::ldexp(x, 2098); }},
         {"(modf(x, whole), whole)", [](double x, double) { return std::trunc(x); }}},
        true);
}

// A denormal result is rounded once: the sticky last digit decides ties.
TEST(Doubles, LdexpRoundsOnce) {
  std::vector<double> x, y;
  for (int lost = 2; lost < 50; ++lost)
    for (int below = 0; below < 4; ++below) {
      x.push_back(std::ldexp(1 + std::ldexp(1, lost - 1 - 52) + 0x1p-52, -below));
      y.push_back(-1022 - lost + below);
    }
  const auto got = run_on<double>("double", "double", "r[0] = ldexp(x, int(y));", 1, x, y);
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(bits_of(got[i]), bits_of(std::ldexp(x[i], static_cast<int>(y[i]))))
        << std::hexfloat << x[i] << ", " << y[i];
}

TEST(Doubles, VectorsAndMatrices) {
  check({{"dot(dvec3(x, y, 2), dvec3(y, 3, x))", [](double x, double y) { return x * y + y * 3 + 2 * x; }},
         {"length(dvec2(x, y))", [](double x, double y) { return std::sqrt(x * x + y * y); }},
         {"distance(x, y)", [](double x, double y) { return std::fabs(x - y); }},
         {"cross(dvec3(x, y, 1), dvec3(y, 2, x)).z", [](double x, double y) { return x * 2 + -(y * y); }},
         {"normalize(dvec2(x, y)).y", [](double x, double y) { return y * (1 / std::sqrt(x * x + y * y)); }},
         {"faceforward(x, y, -1.0lf)", [](double x, double y) { return -1.0 * y < 0 ? x : -x; }},
         {"reflect(x, y)", [](double x, double y) { return y * x * -2 * y + x; }},
         {"refract(x, y, 0.75lf)",
          [](double x, double y) {
            const double d = y * x, k = 1.0 - 0.75 * 0.75 * (1.0 - d * d);
            return k < 0 ? 0.0 : 0.75 * x - (0.75 * d + std::sqrt(k)) * y;
          }},
         {"determinant(dmat2(x, 1, 2, y))", [](double x, double y) { return x * y - 2 * 1.0; }},
         {"inverse(dmat2(x, 1, 2, y))[1][0]",
          [](double x, double y) { return -2.0 * (1 / (1 * -2.0 + x * y)); }},
         {"(dmat2x3(x, y, 1, y, 2, x) * dvec2(y, x)).z", [](double x, double y) { return x * x + 1 * y; }},
         {"(dvec3(1, x, y) * dmat2x3(x, y, 1, y, 2, x)).y",
          [](double x, double y) { return 1 * y + x * 2 + y * x; }},
         {"(dmat2(x, y, 1, 2) * dmat2(y, 1, x, 3))[1][0]", [](double x, double) { return 3 * 1 + x * x; }},
         {"transpose(dmat3x2(x, y, 1, 2, y, x))[1][2]", [](double x, double) { return x; }},
         {"outerProduct(dvec2(x, 1), dvec3(2, y, 3))[1].x", [](double x, double y) { return x * y; }},
         {"(dmat2(x, y, 1, 2) * 0.5lf)[0].y", [](double, double y) { return y * 0.5; }},
         {"(dmat4(x) / dmat4(y))[2][2]", [](double x, double y) { return x / y; }},
         {"determinant(dmat4(1 + min(abs(x), 8.0lf)))",
          [](double x, double) {
            const double c = 1 + least(std::fabs(x), 8);
            return c * (c * (c * c));
          }}},
        true);
}

TEST(Doubles, ConversionsToAndFromOtherNumbers) {
  std::mt19937_64 random(11);
  const std::vector<double> x = values(random);
  const auto got = run_on<double, uint64_t>(
      "double", "uint64_t",
      "r[0] = floatBitsToUint(float(x)); r[1] = uint64_t(int64_t(x)); r[2] = uint64_t(x); r[3] = "
      "uint64_t(int(x));"
      "r[4] = uint(x); r[5] = packFloat2x16(f16vec2(float16_t(x), 0)); r[6] = uint64_t(int16_t(x));"
      "r[7] = uint64_t(doubleBitsToInt64(double(float(x))));",
      8, x, x);
  for (size_t i = 0; i < x.size(); ++i) {
    SCOPED_TRACE(::testing::Message() << std::hexfloat << x[i]);
    float f = static_cast<float>(x[i]);
    if (std::fpclassify(f) == FP_SUBNORMAL) f = std::copysign(0.0f, f);
    const double whole = std::trunc(x[i]);
    ASSERT_EQ(got[8 * i], std::isnan(f) ? 0x7fc00000 : std::bit_cast<uint32_t>(f));
    if (std::fabs(whole) < 0x1p63) {
      ASSERT_EQ(got[8 * i + 1], static_cast<uint64_t>(static_cast<int64_t>(x[i])));
    }
    if (whole >= 0 && whole < 0x1p64) { ASSERT_EQ(got[8 * i + 2], static_cast<uint64_t>(x[i])); }
    if (std::fabs(whole) < 0x1p31) {
      ASSERT_EQ(got[8 * i + 3], static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(x[i]))));
    }
    if (whole >= 0 && whole < 0x1p32) { ASSERT_EQ(got[8 * i + 4], static_cast<uint32_t>(x[i])); }
    if (std::fabs(whole) < 0x1p15) {
      ASSERT_EQ(got[8 * i + 6], static_cast<uint64_t>(static_cast<int64_t>(x[i])));
    }
    ASSERT_EQ(got[8 * i + 7], bits_of(f));
  }
}

// The half nearest to a double, by its distances to all halves.
uint32_t nearest_half_of(double value) {
  const uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return 0x7e00;
  const double magnitude = std::fabs(value);
  if (magnitude >= 65520) return sign | 0x7c00;
  uint32_t low = 0, high = 0x7c00;  // the largest half not above it, and the next
  const auto half = [](uint32_t bits) { return double{std::bit_cast<float>(float_of_half(bits))}; };
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    (half(middle) <= magnitude ? low : high) = middle;
  }
  const double below = magnitude - half(low), above = (high == 0x7c00 ? 65536.0 : half(high)) - magnitude;
  return sign | (below < above || (below == above && low % 2 == 0) ? low : high);
}

TEST(Doubles, AreRoundedToHalvesOnce) {
  std::mt19937_64 random(13);
  std::vector<double> x = values(random);
  for (uint32_t h = 0; h < 0x7c00; h += 97) {
    const double here = std::bit_cast<float>(float_of_half(h)),
                 next = std::bit_cast<float>(float_of_half(h + 1));
    const double tie = std::isinf(next) ? 65520 : (here + next) / 2;
    for (const double near :
         {tie, std::nextafter(tie, 0), std::nextafter(tie, 1e9), -std::nextafter(tie, 1e9)})
      x.push_back(near);
  }
  const auto got = run_on<double, uint32_t>("double", "uint32_t",
                                            "r[0] = packFloat2x16(f16vec2(float16_t(x), 0));", 1, x, x);
  for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(got[i], nearest_half_of(x[i])) << std::hexfloat << x[i];
}

TEST(Doubles, IntegersAreRoundedOnce) {
  std::mt19937_64 random(17);
  std::vector<int64_t> x = {0,
                            1,
                            -1,
                            INT64_MAX,
                            INT64_MIN,
                            (int64_t{1} << 53) + 1,
                            (int64_t{1} << 54) + 2,
                            -(int64_t{1} << 54) - 6};
  while (x.size() < 256) x.push_back(static_cast<int64_t>(random()) >> random() % 64);
  const auto got = run_on<int64_t, double>(
      "int64_t", "double",
      "r[0] = double(x); r[1] = double(uint64_t(x)); r[2] = double(int(x)); r[3] = double(uint(x));"
      "r[4] = double(int8_t(x)); r[5] = double(uint16_t(x)); r[6] = double(int16_t(x) != 0s);",
      7, x, x);
  for (size_t i = 0; i < x.size(); ++i) {
    const double expected[] = {static_cast<double>(x[i]),
                               static_cast<double>(static_cast<uint64_t>(x[i])),
                               static_cast<double>(static_cast<int32_t>(x[i])),
                               static_cast<double>(static_cast<uint32_t>(x[i])),
                               static_cast<double>(static_cast<int8_t>(x[i])),
                               static_cast<double>(static_cast<uint16_t>(x[i])),
                               truth(static_cast<int16_t>(x[i]) != 0)};
    for (size_t k = 0; k < 7; ++k)
      ASSERT_EQ(bits_of(got[7 * i + k]), bits_of(expected[k])) << x[i] << ", " << k;
  }
}

// Folded operations and those of the machine give the same bits.
TEST(Doubles, AreFoldedToWhatTheMachineComputes) {
  std::mt19937_64 random(19);
  const std::vector<double> x = values(random);
  uint32_t folded = 0;
  for (uint32_t n = 0; n < isa::kOpcodes; ++n) {
    const auto op = static_cast<Opcode>(n);
    if (!isa::is_double(op)) continue;
    for (int round = 0; round < 400; ++round) {
      std::array<uint64_t, 3> in{};
      for (uint64_t& value : in)
        value = isa::reads_doubles(op) ? std::bit_cast<uint64_t>(x[random() % (round % 2 ? 16 : x.size())])
                                       : random() >> 32;
      uint64_t compiled = 0;
      if (!fold_doubles(op, in, compiled)) continue;
      ++folded;
      isa::Program program;
      program.stage = Stage::kFragment;
      isa::Instruction i{.op = op, .dst = {.file = isa::File::kOutput}};
      Execution run;
      for (uint16_t s = 0; s < isa::info(op).sources; ++s) {
        i.src[s] = {.file = isa::File::kInput, .index = s};
        run.inputs[s].fill({static_cast<uint32_t>(in[s]), static_cast<uint32_t>(in[s] >> 32), 0, 0});
      }
      program.code = {i, {.op = Opcode::kEnd}};
      run(program);
      const Bits4 machine = run.outputs.at(0)[0];
      ASSERT_EQ(static_cast<uint32_t>(compiled), machine[0])
          << isa::info(op).mnemonic << std::hex << " of " << in[0] << ", " << in[1];
      if (isa::gives_double(op)) {
        ASSERT_EQ(compiled >> 32, machine[1])
            << isa::info(op).mnemonic << std::hex << " of " << in[0] << ", " << in[1];
      }
    }
  }
  EXPECT_GT(folded, 3000u);
}

TEST(Doubles, LieInMemoryOfAllKinds) {
  const std::string source = R"(#version 460
    #extension GL_EXT_scalar_block_layout : require
    layout(local_size_x = 4) in;
    layout(constant_id = 2) const double w = 0.1lf;
    layout(push_constant, std430) uniform P { float f; double p; dvec3 q; };
    layout(std140, set=0, binding=1) uniform U { dvec2 u[2]; layout(row_major) dmat2x3 m; };
    layout(scalar, set=0, binding=2) buffer O { float before; double o[4][7]; };
    shared double s[4];
    double scattered(int i, double v) { double local[96]; local[i * 7] = v; local[i * 5 + 1] = 2 * v; return local[i * 7 + (i > 9 ? 1 : 0)]; }
    void main() {
      int i = int(gl_LocalInvocationIndex);
      s[3 - i] = double(i) + w;
      barrier();
      o[i][0] = s[i]; o[i][1] = p + q[i % 3]; o[i][2] = u[i & 1].y; o[i][3] = m[i & 1][2];
      o[i][4] = scattered(i + 1, p); o[i][5] = w; o[i][6] = double(f);
    })";
  const auto spirv = glsl_to_spirv(Stage::kCompute, source);
  for (const bool specialized : {false, true}) {
    const double w = specialized ? 0x1p-1074 : 0.1;
    std::vector<std::byte> bytes(8);
    std::memcpy(bytes.data(), &w, 8);
    Request request{.stage = Stage::kCompute, .spirv = spirv, .entry = "main"};
    if (specialized) request.specializations = {{2, bytes}};
    const isa::Program program = compile(request);
    Execution run = workgroup();
    const double p[8] = {std::bit_cast<double>(uint64_t{0x3fc00000}), -2.25, 0, 0, 1e-300, 3, 0x1p60, 0};
    run.push_constants = words_of(std::vector<double>(p, p + 8));
    const std::vector<double> u = {1, 2, 3, 4, 10, 11, 12, 13, 14, 15};
    run.buffers[{0, 1, 0}] = words_of(u);
    run.buffers[{0, 2, 0}] = std::vector<uint32_t>(2 + 2 * 28);
    run(program);
    std::vector<uint32_t> written = run.buffers[{0, 2, 0}];
    written.erase(written.begin(), written.begin() + 2);
    const auto o = values_of<double>(written);
    const double q[3] = {1e-300, 3, 0x1p60};
    for (int i = 0; i < 4; ++i)
      EXPECT_THAT(std::vector(o.begin() + 7 * i, o.begin() + 7 * i + 7),
                  ElementsAre(3 - i + w, -2.25 + q[i % 3], i & 1 ? 4 : 2, i & 1 ? 15 : 14, -2.25, w, 1.5))
          << i;
  }
}

TEST(Doubles, OfASubgroup) {
  const isa::Program program = compile_glsl(Stage::kCompute, R"(#version 460
    #extension GL_KHR_shader_subgroup_arithmetic : require
    #extension GL_KHR_shader_subgroup_shuffle : require
    #extension GL_KHR_shader_subgroup_vote : require
    #extension GL_KHR_shader_subgroup_clustered : require
    layout(local_size_x = 4) in;
    layout(std430, set=0, binding=0) buffer I { double x[4]; };
    layout(std430, set=0, binding=1) buffer O { double o[4][9]; };
    void main() {
      uint i = gl_SubgroupInvocationID;
      double v = x[i];
      o[i][0] = subgroupAdd(v); o[i][1] = subgroupMul(v); o[i][2] = subgroupMin(v); o[i][3] = subgroupMax(v);
      o[i][4] = subgroupExclusiveAdd(v); o[i][5] = subgroupInclusiveMul(v); o[i][6] = subgroupShuffleXor(v, 1);
      o[i][7] = subgroupAllEqual(v) ? 1 : subgroupAllEqual(v * 0) ? 2 : 3; o[i][8] = subgroupClusteredMax(v, 2);
    })");
  const std::vector<double> x = {0.1, -1e-310, 3, 0x1p70};
  Execution run = workgroup();
  run.buffers[{0, 0, 0}] = words_of(x);
  run.buffers[{0, 1, 0}] = std::vector<uint32_t>(72);
  run(program);
  const auto o = values_of<double>(run.buffers[{0, 1, 0}]);
  double sum = 0, product = 1;
  for (size_t i = 0; i < 4; ++i) {
    const double before = sum;
    sum += x[i], product *= x[i];
    EXPECT_THAT(std::vector(o.begin() + 9 * i, o.begin() + 9 * i + 9),
                ElementsAre(0.1 + x[1] + 3 + 0x1p70, 0.1 * x[1] * 3 * 0x1p70, x[1], 0x1p70, before, product,
                            x[i ^ 1], 2, std::max(x[i], x[i ^ 1])))
        << i;
  }
}

TEST(Doubles, SpillToScratchMemory) {
  std::string body;
  for (int i = 0; i < 80; ++i)
    body += "double v" + std::to_string(i) + " = x / (y + double(" + std::to_string(i + 1) + "));\n";
  body += "r[0] = 0;\n";
  for (int i = 79; i >= 0; --i) body += "r[0] = r[0] * x + v" + std::to_string(i) + ";\n";
  const std::vector<double> x = {1.25, -3, 0.1, 7}, y = {2, 0.3, 5, 1e-3};
  const auto got = run_on<double>("double", "double", body, 1, x, y);
  for (size_t k = 0; k < x.size(); ++k) {
    double expected = 0;
    for (int i = 79; i >= 0; --i) expected = expected * x[k] + x[k] / (y[k] + (i + 1));
    EXPECT_EQ(got[k], expected);
  }
}

}  // namespace
}  // namespace cutaway::compiler::doubles_test
