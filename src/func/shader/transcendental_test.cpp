#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "func/float_mode.h"
#include "func/testing/shader_group.h"

// Tests the transcendental functions against the host's double precision. By default over a stride of inputs
// and the ends of every binade; with CUTAWAY_EXHAUSTIVE=1 (ctest -C Exhaustive -L exhaustive) over all 2^32.
namespace cutaway::func {
namespace {

constexpr uint32_t kBatch = 64;
constexpr double kSmallestNormal = std::numeric_limits<float>::min();

// One scalar function of one input on batches of lanes.
class Function {
 public:
  Function(const std::string& mnemonic, AluPath path)
      : program_(isa::assemble(mnemonic + " r0.x, i0.x\nEND"), kBatch, path) {}

  void operator()(const uint32_t* in, uint32_t* out) const {
    program_[0].execute(program_[0], {.input = in, .temporary = out}, kBatch, nullptr);
  }

 private:
  MicroProgram program_;
};

bool exhaustive() { return std::getenv("CUTAWAY_EXHAUSTIVE") != nullptr; }

// Calls visit(batch of inputs) for all inputs of the test.
template <class Visit>
void for_all_inputs(Visit visit) {
  uint32_t batch[kBatch];
  const uint64_t stride = exhaustive() ? 1 : 1021;
  for (uint64_t base = 0; base < uint64_t{1} << 32; base += kBatch * stride) {
    for (uint32_t n = 0; n < kBatch; ++n) batch[n] = static_cast<uint32_t>(base + n * stride);
    visit(batch);
  }
  if (exhaustive()) return;
  for (uint32_t binade = 0; binade < 512; ++binade) {
    for (uint32_t n = 0; n < kBatch; ++n) batch[n] = (binade << 23) - kBatch / 2 + n;
    visit(batch);
  }
}

struct Errors {
  double worst = 0;  // in units of the last place
  uint32_t worst_input = 0;
  uint64_t inputs = 0, misrounded = 0, differing_paths = 0;
  uint32_t differing_input = 0;
};

// Error in units of the last place of the exact result. Zero if the result is correct for a flushed, infinite
// or invalid exact result.
double error_in_ulps(uint32_t bits, double exact) {
  const double result = std::bit_cast<float>(bits);
  if (std::isnan(exact)) return bits == 0x7fc00000 ? 0 : INFINITY;
  const double magnitude = std::fabs(exact);
  if (std::isinf(exact) || magnitude >= 0x1.ffffffp127)
    return result == std::copysign(INFINITY, exact) ? 0 : INFINITY;
  if (magnitude < kSmallestNormal) {
    // Results just below the smallest normal may round up to it.
    const bool zero = result == 0 && std::signbit(result) == std::signbit(exact);
    return zero || (std::fabs(result) == kSmallestNormal && magnitude > kSmallestNormal * (1 - 0x1p-24))
               ? 0
               : INFINITY;
  }
  return std::fabs(result - exact) / std::ldexp(1.0, std::ilogb(magnitude) - 23);
}

Errors measure(const std::string& mnemonic, double (*reference)(double)) {
  const FloatMode mode;
  const Function portable(mnemonic, AluPath::kPortable), best(mnemonic, AluPath::kBest);
  Errors e;
  uint32_t out[4 * kBatch], other[4 * kBatch];
  for_all_inputs([&](const uint32_t* in) {
    best(in, out);
    portable(in, other);
    for (uint32_t n = 0; n < kBatch; ++n) {
      if (out[n] != other[n]) {
        ++e.differing_paths;
        e.differing_input = in[n];
      }
      const bool denormal = (in[n] & 0x7f800000) == 0;
      const double x = std::bit_cast<float>(denormal ? in[n] & 0x80000000 : in[n]);
      const double error = error_in_ulps(out[n], reference(x));
      ++e.inputs;
      if (error > 0.5) ++e.misrounded;
      if (error > e.worst) {
        e.worst = error;
        e.worst_input = in[n];
      }
    }
  });
  std::printf("%s: %llu inputs, worst error %.9f ulp at 0x%08x, %llu not correctly rounded\n",
              mnemonic.c_str(), static_cast<unsigned long long>(e.inputs), e.worst, e.worst_input,
              static_cast<unsigned long long>(e.misrounded));
  return e;
}

void expect_nearly_correct(const std::string& mnemonic, double (*reference)(double)) {
  const Errors e = measure(mnemonic, reference);
  EXPECT_LT(e.worst, 0.50001) << mnemonic << " at 0x" << std::hex << e.worst_input;
  EXPECT_EQ(e.differing_paths, 0u) << mnemonic << " at 0x" << std::hex << e.differing_input;
  EXPECT_LT(static_cast<double>(e.misrounded), 1e-5 * static_cast<double>(e.inputs)) << mnemonic;
}

TEST(TranscendentalTest, Ex2) {
  expect_nearly_correct("EX2", [](double x) { return std::exp2(x); });
}
TEST(TranscendentalTest, Lg2) {
  expect_nearly_correct("LG2", [](double x) { return std::log2(x); });
}
TEST(TranscendentalTest, Sin) {
  expect_nearly_correct("SIN", [](double x) { return std::sin(x); });
}
TEST(TranscendentalTest, Cos) {
  expect_nearly_correct("COS", [](double x) { return std::cos(x); });
}
TEST(TranscendentalTest, Rcp) {
  expect_nearly_correct("RCP", [](double x) { return 1 / x; });
}
TEST(TranscendentalTest, Sqrt) {
  expect_nearly_correct("SQRT", [](double x) { return std::sqrt(x); });
}

// Two roundings: Vulkan requires 2 ulp for inversesqrt.
TEST(TranscendentalTest, Rsq) {
  const Errors e = measure("RSQ", [](double x) { return 1 / std::sqrt(x); });
  EXPECT_LT(e.worst, 1.5) << std::hex << e.worst_input;
  EXPECT_EQ(e.differing_paths, 0u);
}

uint32_t pow_bits(float a, float b) {
  const FloatMode mode;
  const MicroProgram program(isa::assemble("POW r0.x, i0.x, i0.y\nEND"), 4);
  uint32_t in[16], out[16];
  std::fill_n(in, 4, std::bit_cast<uint32_t>(a));
  std::fill_n(in + 4, 4, std::bit_cast<uint32_t>(b));
  program[0].execute(program[0], {.input = in, .temporary = out}, 4, nullptr);
  return out[0];
}

float power(float a, float b) { return std::bit_cast<float>(pow_bits(a, b)); }

TEST(TranscendentalTest, PowersAndTheirSpecialCases) {
  EXPECT_EQ(power(2, 10), 1024);
  EXPECT_EQ(power(0.5f, 3), 0.125f);
  EXPECT_NEAR(power(10, 3), 1000, 1000 * 0x1p-20);
  EXPECT_EQ(power(0, 2), 0);
  EXPECT_EQ(power(0, -2), INFINITY);
  EXPECT_EQ(power(0, 0), 1);
  EXPECT_EQ(power(-0.0f, 0), 1);
  EXPECT_EQ(power(INFINITY, 0), 1);
  EXPECT_EQ(power(INFINITY, 2), INFINITY);
  EXPECT_EQ(power(INFINITY, -2), 0);
  EXPECT_EQ(power(2, INFINITY), INFINITY);
  EXPECT_EQ(power(2, -INFINITY), 0);
  EXPECT_EQ(pow_bits(-2, 2), 0x7fc00000u);
  EXPECT_EQ(pow_bits(-2, 0), 0x7fc00000u);
  EXPECT_EQ(pow_bits(1, INFINITY), 0x7fc00000u);
  EXPECT_EQ(pow_bits(NAN, 0), 0x7fc00000u);
  EXPECT_EQ(pow_bits(2, NAN), 0x7fc00000u);
}

}  // namespace
}  // namespace cutaway::func
