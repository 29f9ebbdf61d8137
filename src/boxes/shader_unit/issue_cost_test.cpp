#include "boxes/shader_unit/issue_cost.h"

#include <gtest/gtest.h>

#include "func/shader/micro_program.h"

namespace cutaway::boxes {
namespace {

uint32_t passes(IssueMode mode, const char* text) {
  const func::MicroProgram program(isa::assemble(std::string(text) + "\nEND\n"), 4);
  return issue_passes(mode, program[0]);
}

TEST(IssueCost, VectorInstructionsPassOnce) {
  for (const char* text : {"MOV r0, c0", "ADD r0.x, c0, c0", "DP4 r0, c0, c0", "RCP r0, c0.x", "NOP",
                           "TEX r0, i0, t0, s0, 2D", "LDS r0, c0.x"})
    EXPECT_EQ(passes(IssueMode::kVector, text), 1u) << text;
}

TEST(IssueCost, ScalarInstructionsPassOnceForEachComponent) {
  for (const auto& [text, expected] : {std::pair{"MOV r0.y, c0", 1u},
                                       {"ADD r0.xw, c0, c0", 2u},
                                       {"MAD o0.xyz, c0, c0, c0", 3u},
                                       {"MUL r0, c0, c0", 4u},
                                       {"DP2 r0.x, c0, c0", 2u},
                                       {"DP3 r0, c0, c0", 3u},
                                       {"DP4 r0.xy, c0, c0", 4u},
                                       {"RCP r0, c0.x", 1u},
                                       {"RSQ r0.xy, c0.x", 1u},
                                       {"LDS r0.xyz, c0.x", 3u},
                                       {"STS _.xy, c0.x, r0", 2u},
                                       {"TEX r0, i0, t0, s0, 2D", 1u},
                                       {"NOP", 1u}})
    EXPECT_EQ(passes(IssueMode::kScalar, text), expected) << text;
}

}  // namespace
}  // namespace cutaway::boxes
