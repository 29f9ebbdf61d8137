#include "compiler/source_name.h"

#include <gtest/gtest.h>
#include <vector>

#include "compiler/testing/run_shader.h"

namespace cutaway::compiler {
namespace {

std::vector<uint32_t> module_with(const std::string& debug, const std::string& line = "") {
  return assemble_spirv(R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
)" + debug + R"(
%void = OpTypeVoid
%type = OpTypeFunction %void
%main = OpFunction %void None %type
)" + line + R"(
%begin = OpLabel
OpReturn
OpFunctionEnd
)");
}

TEST(SourceName, IsTheFileOfTheSource) {
  EXPECT_EQ(source_name(module_with("%file = OpString \"glass.frag\"\nOpSource GLSL 450 %file"), "main"),
            "glass.frag");
}

TEST(SourceName, IsElseTheFileOfTheFirstLine) {
  EXPECT_EQ(source_name(
                module_with("%note = OpString \"no file\"\n%file = OpString \"blur.hlsl\"\nOpSource HLSL 500",
                            "OpLine %file 3 1"),
                "main"),
            "blur.hlsl");
}

TEST(SourceName, IsElseTheEntryPoint) {
  const std::vector<uint32_t> module = module_with("");
  EXPECT_EQ(source_name(module, "main"), "");
  EXPECT_EQ(source_name(module, "shadow_ps"), "shadow_ps");
}

TEST(SourceName, IsBounded) {
  EXPECT_EQ(
      source_name(module_with("%file = OpString \"" + std::string(5000, 'a') + "\"\nOpSource GLSL 450 %file"),
                  "main"),
      std::string(256, 'a'));
}

TEST(SourceName, TakesDamagedModules) {
  const std::vector<uint32_t> module =
      module_with("%file = OpString \"glass.frag\"\nOpSource GLSL 450 %file");
  for (size_t words = 0; words <= module.size(); words++) source_name(std::span(module).first(words), "main");
  for (size_t word = 0; word < module.size(); word++)
    for (const uint32_t wrong : {0u, ~0u, 0x30007u, 0x40003u}) {
      std::vector<uint32_t> damaged = module;
      damaged[word] = wrong;
      source_name(damaged, "main");
    }
}

}  // namespace
}  // namespace cutaway::compiler
