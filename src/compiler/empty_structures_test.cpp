#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/testing/run_text.h"

// Structures without members: they are loaded, stored, copied, passed and returned like others.
namespace cutaway::compiler::empty_structures_test {
namespace {

using testing::ElementsAreArray;

constexpr const char* kTypes = R"(
%empty = OpTypeStruct
%holder = OpTypeStruct %u32 %empty %u32
%several = OpTypeArray %empty %c4
%empty_ptr = OpTypePointer Function %empty
%holder_ptr = OpTypePointer Function %holder
%several_ptr = OpTypePointer Function %several
%u32_ptr = OpTypePointer Function %u32
%null = OpConstantNull %empty
%made = OpConstantComposite %empty
%undefined = OpUndef %empty
%holder_null = OpConstantNull %holder
%other_empty = OpTypeStruct
%give_type = OpTypeFunction %empty
%pass_type = OpTypeFunction %holder %empty %u32
%yes = OpConstantTrue %bool
)";

std::vector<uint32_t> run(const std::string& body, const std::string& variables = "",
                          const std::string& functions = "") {
  TextModule module;
  module.globals = kTypes;
  module.body = body;
  module.variables = variables;
  module.functions = functions;
  return module.run({});
}

std::vector<uint32_t> each(std::vector<uint32_t> words) {
  std::vector<uint32_t> all;
  for (int lane = 0; lane < 4; ++lane) all.insert(all.end(), words.begin(), words.end());
  return all;
}

TEST(EmptyStructures, AreVariables) {
  EXPECT_THAT(run(R"(
OpStore %var %made
%e = OpLoad %empty %var
OpStore %other %e
OpCopyMemory %other %var
%p = OpAccessChain %empty_ptr %many %i
OpStore %p %e
%f = OpLoad %empty %p
%all = OpLoad %several %many
%g = OpCompositeExtract %empty %all 2
%again = OpCompositeInsert %several %f %all 1
%h = OpCompositeConstruct %holder %c5 %g %c7
%k = OpCompositeInsert %holder %null %h 1
%v = OpCompositeExtract %u32 %k 2
OpStore %out0 %v
OpStore %out1 %c1
OpStore %out2 %c2
OpStore %out3 %c3
)",
                  "%var = OpVariable %empty_ptr Function\n%other = OpVariable %empty_ptr Function %null\n"
                  "%many = OpVariable %several_ptr Function"),
              ElementsAreArray(each({7, 1, 2, 3})));
}

TEST(EmptyStructures, ArePassedAndReturned) {
  EXPECT_THAT(
      run(R"(
%e = OpFunctionCall %empty %give
OpStore %var %e
%copy = OpCopyObject %empty %e
%h = OpFunctionCall %holder %pass %copy %c6
OpStore %whole %h
%p = OpAccessChain %empty_ptr %whole %c1
%l = OpLoad %empty %p
OpStore %p %l
%q = OpAccessChain %u32_ptr %whole %c2
%v = OpLoad %u32 %q
OpStore %out0 %v
%w = OpCompositeExtract %u32 %h 0
OpStore %out1 %w
OpStore %out2 %c2
OpStore %out3 %c3
)",
          "%var = OpVariable %empty_ptr Function\n%whole = OpVariable %holder_ptr Function %holder_null",
          R"(
%give = OpFunction %empty None %give_type
%give_entry = OpLabel
OpReturnValue %undefined
OpFunctionEnd
%pass = OpFunction %holder None %pass_type
%given = OpFunctionParameter %empty
%number = OpFunctionParameter %u32
%pass_entry = OpLabel
%made_holder = OpCompositeConstruct %holder %number %given %c8
OpReturnValue %made_holder
OpFunctionEnd)"),
      ElementsAreArray(each({8, 6, 2, 3})));
}

TEST(EmptyStructures, AreChosen) {
  EXPECT_THAT(run(R"(
%c = OpIEqual %bool %i %c1
%s = OpSelect %empty %c %null %made
%h = OpCompositeConstruct %holder %c1 %s %c4
%n = OpCompositeConstruct %holder %c2 %null %c5
%t = OpSelect %holder %yes %h %n
OpSelectionMerge %merge None
OpBranchConditional %c %left %right
%left = OpLabel
%l = OpCopyLogical %other_empty %s
OpBranch %merge
%right = OpLabel
OpBranch %merge
%merge = OpLabel
%phi = OpPhi %empty %s %left %null %right
%phi2 = OpPhi %holder %t %left %n %right
%v = OpCompositeExtract %u32 %phi2 2
OpStore %out0 %v
OpStore %out1 %c1
OpStore %out2 %c2
OpStore %out3 %c3
)"),
              ElementsAreArray({5, 1, 2, 3, 4, 1, 2, 3, 5, 1, 2, 3, 5, 1, 2, 3}));
}

}  // namespace
}  // namespace cutaway::compiler::empty_structures_test
