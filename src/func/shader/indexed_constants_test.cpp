#include "func/shader/indexed_constants.h"

#include <gtest/gtest.h>

#include "func/shader/micro_program.h"

namespace cutaway::func {
namespace {

constexpr uint32_t kWidth = 8;

// A group with constants c[n] = (10 n, 10 n + 1, ...) in 16 registers, and an index for each lane in r0.x.
struct ConstantBank {
  std::vector<uint32_t> temporary = std::vector<uint32_t>(2 * 4 * kWidth, 7), constant;
  explicit ConstantBank(const std::array<int32_t, kWidth>& index) {
    for (uint32_t n = 0; n < 16; ++n)
      for (uint32_t c = 0; c < 4; ++c) constant.push_back(10 * n + c);
    for (uint32_t lane = 0; lane < kWidth; ++lane) temporary[lane] = static_cast<uint32_t>(index[lane]);
  }
  void run(const char* text, const uint32_t* mask = nullptr) {
    std::vector<isa::Instruction> code = isa::assemble(text);
    code.push_back({.op = isa::Opcode::kEnd});
    const MicroProgram program(code, kWidth);
    Registers registers;
    registers.temporary = temporary.data();
    registers.constant = constant.data();
    program[0].execute(program[0], registers, kWidth, mask);
  }
  uint32_t result(uint32_t component, uint32_t lane) const {
    return temporary[register_word(kWidth, 1, component, lane)];
  }
};

TEST(IndexedConstants, EachLaneReadsItsOwnRegister) {
  ConstantBank bank({0, 1, 2, 3, 5, 8, -2, 1});
  bank.run("LDC r1.xz, c4.wzyx, r0.x, WINDOW(2, 12)");
  const uint32_t at[kWidth] = {4, 5, 6, 7, 9, 12, 2, 5};
  for (uint32_t lane = 0; lane < kWidth; ++lane) {
    EXPECT_EQ(bank.result(0, lane), 10 * at[lane] + 3) << lane;
    EXPECT_EQ(bank.result(2, lane), 10 * at[lane] + 1) << lane;
    EXPECT_EQ(bank.result(1, lane), 7u) << lane;
  }
}

TEST(IndexedConstants, OutsideTheWindowAreZeros) {
  ConstantBank bank({-3, -2, 9, 10, 1 << 30, INT32_MIN, INT32_MAX, 0});
  bank.run("LDC r1, c4, r0.x, WINDOW(2, 12)");
  const uint32_t want[kWidth] = {0, 21, 131, 0, 0, 0, 0, 41};
  for (uint32_t lane = 0; lane < kWidth; ++lane) EXPECT_EQ(bank.result(1, lane), want[lane]) << lane;
}

TEST(IndexedConstants, LanesThatAreOffKeepTheirs) {
  ConstantBank bank({0, 1, 2, 3, 4, 5, 6, 7});
  const uint32_t mask[kWidth] = {0, ~0u, 0, 0, 0, ~0u, 0, 0};
  bank.run("LDC r1, -c2, r0.x, WINDOW(0, 16)", mask);
  for (uint32_t lane = 0; lane < kWidth; ++lane)
    EXPECT_EQ(bank.result(0, lane), mask[lane] ? (10 * (2 + lane)) ^ 0x80000000 : 7u) << lane;
}

}  // namespace
}  // namespace cutaway::func
