#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "command_stream/program.h"
#include "isa/instruction.h"

namespace cutaway::boxes::testing {

// A legal program of a stage, prepared for groups of 4 threads.
inline std::shared_ptr<const command_stream::Program> make_program(arch::Stage stage, std::string_view text) {
  std::vector<isa::EncodedInstruction> words;
  for (const auto& instruction : isa::assemble(text)) words.push_back(isa::encode(instruction));
  std::string error;
  const auto program = command_stream::make_program(stage, std::move(words), 1, 0, 4, error);
  EXPECT_EQ(error, "");
  return program;
}

// A fragment program of this length.
inline std::shared_ptr<const command_stream::Program> make_program(unsigned instructions) {
  std::string text;
  for (unsigned i = 1; i < instructions; i++) text += "MOV r0, c0\n";
  return make_program(arch::Stage::kFragment, text + "END\n");
}

}  // namespace cutaway::boxes::testing
