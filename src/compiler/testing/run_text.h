#pragma once

#include <string>
#include <vector>

#include "compiler/testing/run_shader.h"

// For tests: compute programs in SPIR-V text, with types of all widths.
namespace cutaway::compiler {

// A compute program of four invocations with buffers %In (binding 0) and %Out (binding 1) of words.
// Invocation %i finds the words from In[4i] on in %x0 to %x3, and writes through the pointers %out0, %out1
// ... to Out[results * i] on. Types are %u8 %i8 %u16 %i16 %u32 %i32 %u64 %i64 %f16 %f32 %f64 %bool and their
// vectors, as %u8v3; %c0 to %c8 are constants of type %u32.
struct TextModule {
  std::string capabilities, decorations, globals, body, functions;
  std::string variables;        // OpVariable instructions of the entry point
  std::string interface;        // further variables of the entry point's interface
  std::string version = "1.5";  // of SPIR-V: 1.0, 1.5 or 1.6
  std::string memory_model = "Logical GLSL450";
  uint32_t results = 4;  // words of an invocation

  std::string text() const;
  // Runs a program of this text, and returns the words of Out.
  std::vector<uint32_t> run(const isa::Program& program, const std::vector<uint32_t>& in) const;
  std::vector<uint32_t> run(const std::vector<uint32_t>& in) const;
};

// Instructions that store a value of one of these types to the words from %out<first> on. Moves `first` on.
std::string stored(const std::string& type, const std::string& id, uint32_t& first);

}  // namespace cutaway::compiler
