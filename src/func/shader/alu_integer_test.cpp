#include <gtest/gtest.h>
#include <random>

#include "func/float_mode.h"
#include "func/testing/shader_group.h"

namespace cutaway::func::alu_integer_test {
namespace {

constexpr uint32_t kWidth = 16;

TEST(AluIntegerTest, QuotientsNearIntegersAreExact) {
  const FloatMode mode;
  std::mt19937 random(41);
  const MicroProgram program(isa::assemble("UDIV r2.x, r0, r1\nUMOD r3.x, r0, r1\nEND\n"), kWidth);
  for (uint32_t round = 0; round < 20000; ++round) {
    ShaderGroup g(kWidth);
    uint32_t *a = &g.temporary[0], *b = &g.temporary[size_t{4} * kWidth];
    for (uint32_t lane = 0; lane < kWidth; ++lane) {
      b[lane] = static_cast<uint32_t>(random()) >> random() % 32;
      const uint32_t multiple =
          b[lane] * static_cast<uint32_t>(random() % (b[lane] ? ~0u / b[lane] + 1ull : 1ull));
      a[lane] = multiple - 1 + static_cast<uint32_t>(random()) % 3;
    }
    for (uint32_t pc = 0; pc < 2; ++pc) program[pc].execute(program[pc], g.registers(), kWidth, nullptr);
    for (uint32_t lane = 0; lane < kWidth; ++lane) {
      ASSERT_EQ(g.temporary[size_t{8} * kWidth + lane], b[lane] ? a[lane] / b[lane] : ~0u)
          << a[lane] << " / " << b[lane];
      ASSERT_EQ(g.temporary[size_t{12} * kWidth + lane], b[lane] ? a[lane] % b[lane] : ~0u)
          << a[lane] << " % " << b[lane];
    }
  }
}

}  // namespace
}  // namespace cutaway::func::alu_integer_test
