#include "command_stream/legal.h"

#include <gtest/gtest.h>

namespace cutaway::command_stream::legal_test {
namespace {

using arch::Compare;
using arch::StencilOp;

// A draw that tests depths and stencils and changes no stencil.
arch::Registers tested() {
  arch::Registers registers{};
  registers.depth.depth_compare = static_cast<uint32_t>(Compare::kLess);
  registers.depth.stencil_test = 1;
  for (arch::StencilFace* face : {&registers.depth.front, &registers.depth.back}) {
    face->write_mask = 255;
    face->fail = face->depth_fail = face->pass = static_cast<uint32_t>(StencilOp::kKeep);
  }
  return registers;
}

TEST(EarlyReject, IsSafeWhereNothingThatFailsLeavesATrace) { EXPECT_TRUE(early_reject_is_safe(tested())); }

TEST(EarlyReject, IsNotWhereEitherFaceChangesStencils) {
  for (const bool front : {true, false})
    for (uint32_t arch::StencilFace::*op :
         {&arch::StencilFace::fail, &arch::StencilFace::depth_fail, &arch::StencilFace::pass}) {
      arch::Registers registers = tested();
      arch::StencilFace& face = front ? registers.depth.front : registers.depth.back;
      face.*op = static_cast<uint32_t>(StencilOp::kInvert);
      EXPECT_FALSE(early_reject_is_safe(registers)) << front;
      face.write_mask = 256;  // of the stencil's bits none
      EXPECT_TRUE(early_reject_is_safe(registers)) << front;
    }
}

TEST(EarlyReject, IsNotWhereStoredDepthsMoveEitherWay) {
  arch::Registers registers = tested();
  registers.depth.depth_compare = static_cast<uint32_t>(Compare::kNotEqual);
  EXPECT_FALSE(early_reject_is_safe(registers));
  registers = tested();
  registers.depth.bounds_test = 1;
  EXPECT_FALSE(early_reject_is_safe(registers));
}

TEST(EarlyReject, IsNotWhereTheProgramMakesDepthsOrStencils) {
  constexpr auto kFragment = static_cast<uint32_t>(arch::Stage::kFragment);
  for (const uint32_t flag : {arch::kShaderWritesDepth, arch::kShaderWritesStencil}) {
    arch::Registers registers = tested();
    registers.shader[kFragment].flags = flag;
    EXPECT_FALSE(early_reject_is_safe(registers));
  }
}

}  // namespace
}  // namespace cutaway::command_stream::legal_test
