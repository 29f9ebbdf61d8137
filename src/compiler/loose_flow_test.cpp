#include <gtest/gtest.h>

#include "compiler/refusal.h"
#include "compiler/testing/run_shader.h"

// Control flow that today's rules of structure forbid and that engines of 2017 to 2020 shipped: its meaning
// is clear (docs/compiler.md "Who judges a module").
namespace cutaway::compiler {
namespace {

isa::Program program_of(const std::string& functions) {
  return compile({.stage = arch::Stage::kFragment,
                  .spirv = assemble_spirv(R"(; Version: 1.0
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint Fragment %main "main" %a %o
    OpExecutionMode %main OriginUpperLeft
    OpDecorate %a Location 0
    OpDecorate %o Location 0
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %bool = OpTypeBool
    %int = OpTypeInt 32 1
    %float = OpTypeFloat 32
    %vec4 = OpTypeVector %float 4
    %in = OpTypePointer Input %vec4
    %out = OpTypePointer Output %vec4
    %local = OpTypePointer Function %int
    %a = OpVariable %in Input
    %o = OpVariable %out Output
    %c0 = OpConstant %int 0
    %c1 = OpConstant %int 1
    %c2 = OpConstant %int 2
    %c3 = OpConstant %int 3
    %c4 = OpConstant %int 4
    %c10 = OpConstant %int 10
    %c100 = OpConstant %int 100
    %c1000 = OpConstant %int 1000
    %main = OpFunction %void None %fn
    %entry = OpLabel
    %i = OpVariable %local Function
    %r = OpVariable %local Function
    %av = OpLoad %vec4 %a
    %ax = OpCompositeExtract %float %av 0
    %x = OpConvertFToS %int %ax
    OpStore %i %c0
    OpStore %r %c0
)" + functions + R"(
    %last = OpLoad %int %r
    %result = OpConvertSToF %float %last
    %all = OpCompositeConstruct %vec4 %result %result %result %result
    OpStore %o %all
    OpReturn
    OpFunctionEnd)"),
                  .entry = "main"});
}

void check(const std::string& functions, const std::function<int(int)>& expected) {
  const isa::Program program = program_of(functions);
  for (int first = -4; first < 12; first += 4) {
    Execution run;
    std::array<Vec4, 4> in;
    for (int lane = 0; lane < 4; ++lane) in[static_cast<size_t>(lane)] = {static_cast<float>(first + lane)};
    run.set_lanes(0, in);
    run(program);
    for (int lane = 0; lane < 4; ++lane)
      EXPECT_EQ(run.output(0, static_cast<uint32_t>(lane))[0], static_cast<float>(expected(first + lane)))
          << "x = " << first + lane << "\n"
          << isa::disassemble(program.code);
  }
}

// Adds to %r; `name` makes the ids unique.
std::string add(const std::string& name, const std::string& value) {
  return "%l" + name + " = OpLoad %int %r\n%s" + name + " = OpIAdd %int %l" + name + " " + value +
         "\nOpStore %r %s" + name + "\n";
}

constexpr const char* kLoopHead = R"(
    OpBranch %head
    %head = OpLabel
    OpLoopMerge %end %continue None
    OpBranch %test
    %test = OpLabel
    %n = OpLoad %int %i
    %more = OpSLessThan %bool %n %c4
    OpBranchConditional %more %body %end
    %body = OpLabel
    %greater = OpSGreaterThan %bool %n %x
)";
constexpr const char* kLoopEnd = R"(
    %continue = OpLabel
    %m = OpLoad %int %i
    %m1 = OpIAdd %int %m %c1
    OpStore %i %m1
    OpBranch %head
    %end = OpLabel
)";

TEST(LooseFlow, ASelectionMergesAtTheContinueTarget) {
  check(std::string(kLoopHead) +
            "OpSelectionMerge %continue None\nOpBranchConditional %greater %yes %no\n%yes = OpLabel\n" +
            add("y", "%c1") + "OpBranch %continue\n%no = OpLabel\n" + add("n", "%c10") +
            "OpBranch %continue\n" + kLoopEnd,
        [](int x) {
          int r = 0;
          for (int i = 0; i < 4; ++i) r += i > x ? 1 : 10;
          return r;
        });
}

TEST(LooseFlow, ASelectionOfOneArmMergesAtTheContinueTarget) {
  check(std::string(kLoopHead) +
            "OpSelectionMerge %continue None\nOpBranchConditional %greater %yes %continue\n%yes = OpLabel\n" +
            add("y", "%c1") + "OpBranch %continue\n" + kLoopEnd,
        [](int x) {
          int r = 0;
          for (int i = 0; i < 4; ++i) r += i > x;
          return r;
        });
}

TEST(LooseFlow, ASwitchMergesAtTheContinueTarget) {
  check(std::string(kLoopHead) + R"(
    OpSelectionMerge %continue None
    OpSwitch %n %continue 0 %zero 2 %two
    %zero = OpLabel
)" + add("z", "%c1") +
            "OpBranch %two\n%two = OpLabel\n" + add("t", "%c10") + "OpBranch %continue\n" + kLoopEnd,
        [](int) { return 1 + 10 + 10; });
}

TEST(LooseFlow, ABranchInALoopHasNoMerge) {
  check(std::string(kLoopHead) + "OpBranchConditional %greater %yes %no\n%yes = OpLabel\n" + add("y", "%c1") +
            "OpBranch %join\n%no = OpLabel\n" + add("n", "%c10") + "OpBranch %join\n%join = OpLabel\n" +
            add("j", "%c100") + "OpBranch %continue\n" + kLoopEnd,
        [](int x) {
          int r = 0;
          for (int i = 0; i < 4; ++i) r += (i > x ? 1 : 10) + 100;
          return r;
        });
}

TEST(LooseFlow, ABranchWithoutMergeBreaksAndContinues) {
  check(std::string(kLoopHead) + R"(
    OpBranchConditional %greater %yes %no
    %yes = OpLabel
)" + add("y", "%c1") +
            R"(
    %three = OpIEqual %bool %n %c3
    OpBranchConditional %three %end %continue
    %no = OpLabel
)" + add("n", "%c10") +
            R"(
    %one = OpIEqual %bool %n %c1
    OpBranchConditional %one %continue %more_of_it
    %more_of_it = OpLabel
)" + add("m", "%c100") +
            "OpBranch %continue\n" + kLoopEnd,
        [](int x) {
          int r = 0;
          for (int i = 0; i < 4; ++i) {
            if (i > x) {
              r += 1;
              if (i == 3) break;
              continue;
            }
            r += 10;
            if (i == 1) continue;
            r += 100;
          }
          return r;
        });
}

// The same outside of loops, with a phi, and with arms that meet in two places.
TEST(LooseFlow, BranchesWithoutMerge) {
  check(R"(
    %low = OpSLessThan %bool %x %c1
    %high = OpSGreaterThan %bool %x %c4
    OpBranchConditional %low %first %second
    %first = OpLabel
    %f = OpIAdd %int %x %c100
    OpBranchConditional %high %third %fourth
    %second = OpLabel
    %s = OpISub %int %x %c10
    OpBranchConditional %high %third %fourth
    %third = OpLabel
    %t = OpPhi %int %f %first %s %second
    %t1 = OpIMul %int %t %c2
    OpBranch %fifth
    %fourth = OpLabel
    %u = OpPhi %int %f %first %s %second
    OpBranch %fifth
    %fifth = OpLabel
    %v = OpPhi %int %t1 %third %u %fourth
    OpStore %r %v
)",
        [](int x) {
          const int v = x < 1 ? x + 100 : x - 10;
          return x > 4 ? 2 * v : v;
        });
}

TEST(LooseFlow, ALoopHeaderBranchesIntoItsBody) {
  check(R"(
    OpBranch %head
    %head = OpLabel
    %n = OpLoad %int %i
    %greater = OpSGreaterThan %bool %n %x
    OpLoopMerge %end %continue None
    OpBranchConditional %greater %yes %no
    %yes = OpLabel
)" + add("y", "%c1") +
            R"(
    %three = OpIEqual %bool %n %c3
    OpBranchConditional %three %end %join
    %no = OpLabel
)" + add("n", "%c10") +
            R"(
    OpBranch %join
    %join = OpLabel
)" + add("j", "%c100") +
            R"(
    %over = OpSGreaterThan %bool %n %c4
    OpBranchConditional %over %end %continue
)" + kLoopEnd,
        [](int x) {
          int r = 0;
          for (int i = 0;; ++i) {
            if (i > x) {
              r += 1;
              if (i == 3) break;
            } else {
              r += 10;
            }
            r += 100;
            if (i > 4) break;
          }
          return r;
        });
}

TEST(LooseFlow, CasesFallThroughOutOfOrder) {
  // 3 goes on into 1, 1 into the default, 2 into 3.
  check(R"(
    OpSelectionMerge %end None
    OpSwitch %x %default 1 %one 2 %two 3 %three
    %one = OpLabel
)" + add("a", "%c1") +
            "OpBranch %default\n%two = OpLabel\n" + add("b", "%c10") + "OpBranch %three\n%three = OpLabel\n" +
            add("c", "%c100") + "OpBranch %one\n%default = OpLabel\n" + add("d", "%c1000") +
            "OpBranch %end\n%end = OpLabel\n",
        [](int x) {
          int r = 1000;
          if (x == 1 || x == 2 || x == 3) r += 1;
          if (x == 2 || x == 3) r += 100;
          if (x == 2) r += 10;
          return r;
        });
}

TEST(LooseFlow, ASwitchHasNoMerge) {
  check(R"(
    OpSwitch %x %end 1 %one 2 %two 4 %one
    %one = OpLabel
)" + add("a", "%c1") +
            "OpBranch %two\n%two = OpLabel\n" + add("b", "%c10") + "OpBranch %end\n%end = OpLabel\n",
        [](int x) { return (x == 1 || x == 4) * 11 + (x == 2) * 10; });
}

// A case that ends behind the merge block of an outer selection.
TEST(LooseFlow, AnArmLeavesTwoSelectionsAtOnce) {
  check(R"(
    %low = OpSLessThan %bool %x %c1
    %high = OpSGreaterThan %bool %x %c4
    OpSelectionMerge %outer_end None
    OpBranchConditional %low %outer_end %outer
    %outer = OpLabel
    OpSelectionMerge %inner_end None
    OpBranchConditional %high %leave %stay
    %leave = OpLabel
)" + add("a", "%c1") +
            "OpBranch %outer_end\n%stay = OpLabel\n" + add("b", "%c10") +
            "OpBranch %inner_end\n%inner_end = OpLabel\n" + add("c", "%c100") +
            "OpBranch %outer_end\n%outer_end = OpLabel\n" + add("d", "%c1000"),
        [](int x) {
          return 1000 + (x < 1 ? 0 : x > 4 ? 1 : 110);
        });
}

TEST(LooseFlow, ALoopWithoutItsMergeIsRefused) {
  EXPECT_THROW(program_of(R"(
    OpBranch %head
    %head = OpLabel
    %n = OpLoad %int %i
    %n1 = OpIAdd %int %n %c1
    OpStore %i %n1
    %more = OpSLessThan %bool %n1 %x
    OpBranchConditional %more %head %end
    %end = OpLabel
)"),
               UserError);
}

}  // namespace
}  // namespace cutaway::compiler
