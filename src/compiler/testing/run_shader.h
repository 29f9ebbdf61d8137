#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "compiler/compiler.h"

// For tests: compiles GLSL and SPIR-V text to programs, and runs programs on the interpreter.
namespace cutaway::compiler {

// Compiles Vulkan GLSL (#version is added if missing) or assembles SPIR-V. Errors throw std::runtime_error.
std::vector<uint32_t> glsl_to_spirv(arch::Stage stage, const std::string& source);
std::vector<uint32_t> assemble_spirv(const std::string& text);
std::string testdata(const std::string& name);  // a file's contents

isa::Program compile_glsl(arch::Stage stage, const std::string& source);

using Vec4 = std::array<float, 4>;
using Bits4 = std::array<uint32_t, 4>;
Bits4 bits(const Vec4& v);
Vec4 floats(const Bits4& v);

// A program's inputs and outputs.
struct Execution {
  static constexpr uint32_t kWidth = 4;                              // one quad
  std::map<uint32_t, std::array<Bits4, kWidth>> inputs;              // by input register
  std::map<std::array<uint32_t, 3>, std::vector<uint32_t>> buffers;  // by (set, binding, element)
  std::vector<uint32_t> push_constants;
  uint32_t view = 0;
  // Storage images: the word at (x, y), 64 words per row, by (set, binding, element).
  std::map<std::array<uint32_t, 3>, std::vector<uint32_t>> images;
  std::vector<uint32_t> shared;  // workgroup memory at the end
  std::vector<uint32_t> patch;   // tessellation evaluation: the patch's memory
  // Geometry. Inputs: by vertex of the primitive and register, equal in all lanes. Outputs: the stream and
  // the outputs that each lane emits; empty outputs end a strip.
  std::vector<std::vector<Vec4>> vertices;
  struct Emitted {
    uint32_t stream = 0;
    std::vector<Vec4> outputs;
  };
  std::array<std::vector<Emitted>, kWidth> emitted;
  // Evaluates interpolants on demand: lane, input register, and x and y from the pixel's centre.
  std::function<Bits4(uint32_t, uint32_t, float, float)> pull;
  // The texture unit: instruction and sources to texel. Null: texels are (u, v, w, 1) of the first source.
  std::function<Bits4(const isa::Instruction&, const std::array<Bits4, 3>&)> texture;

  std::map<uint32_t, std::array<Bits4, kWidth>> outputs;  // by output register
  uint64_t survivors = 0, executed = 0;

  void set_lanes(uint32_t reg, const std::array<Vec4, kWidth>& value);
  void set(uint32_t reg, const Vec4& value) { set_lanes(reg, {value, value, value, value}); }
  // Executes all four lanes; the program must validate and end.
  void operator()(const isa::Program& program);
  Vec4 output(uint32_t reg, uint32_t lane = 0) { return floats(outputs.at(reg)[lane]); }
};

}  // namespace cutaway::compiler
