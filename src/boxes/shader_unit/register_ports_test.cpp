#include "boxes/shader_unit/register_ports.h"

#include <gtest/gtest.h>
#include <vector>

#include "func/shader/micro_program.h"

namespace cutaway::boxes::register_ports_test {
namespace {

func::MicroProgram assemble(const std::string& text) { return {isa::assemble(text + "\nEND\n"), 4}; }

uint32_t passes(unsigned registers, const char* text) {
  return RegisterPorts(registers).passes(assemble(text)[0]);
}

TEST(RegisterPorts, AnInstructionReadsSoManyTemporariesInAPass) {
  for (const auto& [text, temporaries] : {std::pair{"MAD r0, r1, r2, r3", 3u},
                                          {"MAD r0, r1, r2, r1", 2u},
                                          {"MAD r0, r1.x, r1.y, r1", 1u},
                                          {"MAD r0, r1, c0, i0", 1u},
                                          {"MOV r0, c0", 0u},
                                          {"RCP r0, r5.x", 1u}}) {
    EXPECT_EQ(passes(0, text), 1u) << text;
    for (unsigned registers = 1; registers <= 4; registers++)
      EXPECT_EQ(passes(registers, text), std::max(1u, (temporaries + registers - 1) / registers)) << text;
  }
}

// Two of halves occupy the port of one; both halves of a register, or a half of a whole that is read, too.
TEST(RegisterPorts, HalvesCountHalf) {
  EXPECT_EQ(passes(1, "MUL r0, h2, h4"), 1u);
  EXPECT_EQ(passes(1, "MUL r0, h2, h3"), 1u);
  EXPECT_EQ(passes(1, "MUL r0, h2, r2"), 2u);
  EXPECT_EQ(passes(1, "MUL r0, h2, r1"), 1u);
  EXPECT_EQ(passes(1, "MAD r0, h2, h5, h6"), 2u);
}

// True if the last instruction of a program finds ports beside all others.
bool fits(unsigned registers, const char* text, bool forwards = false) {
  const func::MicroProgram program = assemble(text);
  IssueBundle bundle;
  uint32_t next = 0;
  for (; program[next + 1].op != isa::Opcode::kEnd; next++) bundle.add(program[next]);
  return RegisterPorts(registers).fit(bundle, program[next], forwards);
}

TEST(RegisterPorts, InstructionsOfAPassShareThePorts) {
  const char* const four = "MUL r0, r1, r2\nMUL r5, r3, r4";
  EXPECT_FALSE(fits(3, four));
  EXPECT_TRUE(fits(4, four));
  EXPECT_TRUE(fits(0, four));
  EXPECT_TRUE(fits(2, "MUL r0, r1, r2\nMUL r5, r2, r1")) << "a temporary is read once";
  EXPECT_FALSE(fits(2, "MUL r0, r1, r1\nMUL r5, r2, r2\nMOV r6, r3"));
  EXPECT_TRUE(fits(3, "MUL r0, r1, r1\nMUL r5, r2, r2\nMOV r6, r3"));
}

TEST(RegisterPorts, ForwardedResultsAreNotRead) {
  const char* const chained = "MUL r0, r1, r2\nMAD r3, r0, c0, r1";
  EXPECT_FALSE(fits(2, chained));
  EXPECT_TRUE(fits(2, chained, true));
  EXPECT_FALSE(fits(2, "MUL r0.xy, r1, r2\nMAD r3, r0, c0, r1", true)) << "zw are read";
  EXPECT_TRUE(fits(2, "MUL r0.xy, r1, r2\nMAD r3, r0.xyxy, c0, r1", true));
}

}  // namespace
}  // namespace cutaway::boxes::register_ports_test
