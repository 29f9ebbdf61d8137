#include <gtest/gtest.h>

#include "compiler/testing/run_shader.h"

// Lengths of programs, including END. They decide every shader-bound result, so they may only shrink.
namespace cutaway::compiler {
namespace {

isa::Program from_text(const std::string& name) {
  const arch::Stage stage = name.find(".vert") != name.npos ? arch::Stage::kVertex : arch::Stage::kFragment;
  return compile({.stage = stage, .spirv = assemble_spirv(testdata(name)), .entry = "main"});
}

struct Golden {
  const char* file;
  size_t instructions;
  uint32_t temporaries;
};

class Length : public testing::TestWithParam<Golden> {};

TEST_P(Length, IsNoWorseThanRecorded) {
  const isa::Program program = from_text(GetParam().file);
  EXPECT_LE(program.code.size(), GetParam().instructions) << isa::disassemble(program.code);
  EXPECT_LE(program.temporaries, GetParam().temporaries) << isa::disassemble(program.code);
}

INSTANTIATE_TEST_SUITE_P(
    Programs, Length,
    testing::Values(Golden{"glxgears_flat.vert.spvasm", 16, 2}, Golden{"glxgears_smooth.vert.spvasm", 16, 2},
                    Golden{"glxgears.frag.spvasm", 9, 0}, Golden{"vkcube.vert.spvasm", 11, 2},
                    Golden{"vkcube.frag.spvasm", 12, 3}, Golden{"ff_lit_textured.vert.spvasm", 63, 5},
                    Golden{"ff_textured.frag.spvasm", 26, 2}, Golden{"ff_multitexture.frag.spvasm", 21, 2},
                    Golden{"ff_alpha_test.frag.spvasm", 11, 1}));

TEST(Length, AttachmentsThatDoNotExistCostNothing) {
  const isa::Program program = compile({.stage = arch::Stage::kFragment,
                                        .spirv = assemble_spirv(testdata("glxgears.frag.spvasm")),
                                        .entry = "main",
                                        .live_outputs = 1});
  EXPECT_EQ(program.code.size(), 2u) << isa::disassemble(program.code);
}

}  // namespace
}  // namespace cutaway::compiler
