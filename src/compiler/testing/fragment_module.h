#pragma once

#include <cstdint>
#include <gtest/gtest.h>
#include <spirv/unified1/spirv.hpp>
#include <string>
#include <vector>

#include "compiler/refusal.h"
#include "compiler/testing/run_shader.h"

// A fragment module in text, with parts that a test adds and words that it changes.
namespace cutaway::compiler::fragment_module {

using arch::Stage;

// The value that a fragment program stores; `declarations` go where the debug instructions stand, `types`
// behind the types, `body` before the store of %value.
struct Parts {
  std::string extensions, modes, declarations, types, body;
};

inline std::vector<uint32_t> module_of(const Parts& parts = {}) {
  return assemble_spirv("; Version: 1.0\nOpCapability Shader\n" + parts.extensions + R"(
    OpMemoryModel Logical GLSL450
    OpEntryPoint Fragment %main "main" %o
    OpExecutionMode %main OriginUpperLeft
)" + parts.modes + parts.declarations +
                        R"(
    OpDecorate %o Location 0
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %float = OpTypeFloat 32
    %vec4 = OpTypeVector %float 4
    %out = OpTypePointer Output %vec4
    %o = OpVariable %out Output
    %c = OpConstant %float 77
    %value = OpConstantComposite %vec4 %c %c %c %c
)" + parts.types + "%main = OpFunction %void None %fn\n%entry = OpLabel\n" +
                        parts.body + "\nOpStore %o %value\nOpReturn\nOpFunctionEnd\n");
}

// Position of the first instruction with an operation.
inline size_t find(const std::vector<uint32_t>& words, uint32_t op) {
  for (size_t at = 5; at < words.size(); at += words[at] >> 16)
    if ((words[at] & 0xffff) == op) return at;
  ADD_FAILURE() << "no instruction " << op;
  return 5;
}

inline void insert(std::vector<uint32_t>& words, size_t at, std::vector<uint32_t> instruction) {
  instruction[0] |= static_cast<uint32_t>(instruction.size()) << 16;
  words.insert(words.begin() + static_cast<ptrdiff_t>(at), instruction.begin(), instruction.end());
}

inline void expect_77(const std::vector<uint32_t>& words) {
  Execution run;
  run(compile({.stage = Stage::kFragment, .spirv = words, .entry = "main"}));
  EXPECT_EQ(run.output(0), (Vec4{77, 77, 77, 77}));
}

inline std::string refusal(Stage stage, const std::vector<uint32_t>& words) {
  try {
    compile({.stage = stage, .spirv = words, .entry = "main"});
  } catch (const UserError& error) { return error.what(); }
  return "taken";
}

}  // namespace cutaway::compiler::fragment_module
