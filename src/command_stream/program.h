#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arch/memory.h"
#include "arch/registers.h"
#include "func/jit/compiled_program.h"
#include "func/shader/micro_program.h"

namespace cutaway::command_stream {

// Texels that a program reads: slots of the resource, and of the sampler that may filter them.
struct TextureRead {
  uint8_t resource = 0, sampler = 0;
  bool filters = false;  // filtered by the sampler
  bool operator==(const TextureRead&) const = default;
};
// Lists each once.
std::vector<TextureRead> texture_reads(std::span<const isa::Instruction> program);

// A loaded program: decoded, checked, prepared for groups of some width, with properties known before it
// runs.
struct Program {
  arch::Stage stage;
  std::vector<isa::EncodedInstruction> words;
  uint32_t temporaries = 0;    // live vec4 registers per thread
  uint32_t shared = 0;         // of those: registers that hold four 16-bit floats in each half
  uint32_t scratch_bytes = 0;  // per thread
  func::MicroProgram micro;
  std::unique_ptr<const func::CompileWhenHot> compiled = std::make_unique<func::CompileWhenHot>();

  std::array<uint8_t, arch::kShaderInputs> inputs{};  // components read of each input register
  uint64_t inputs_read = 0;                           // bit i: some components of input register i are read
  // For each interpolant, components that the program pulls at run time (PULL); and bit i: some of
  // interpolant i.
  std::array<uint8_t, arch::kInterpolants> pulled{};
  uint32_t inputs_pulled = 0;
  uint64_t outputs = 0;  // bit i: output register i is written
  // Registers that must start as zeros, because they may be read before they are written.
  std::vector<uint32_t> zeroed_temporaries;
  uint64_t zeroed_outputs = 0;
  std::vector<uint32_t> resources;  // slots that it reads or writes
  std::vector<uint32_t> textures;   // texture instructions, in rising order
  std::vector<TextureRead> texture_reads;
  std::vector<uint16_t> texture_number;  // by pc: the index of a texture instruction among them
  bool barriers = false;
  bool branches = false;         // has an IF or a LOOP
  bool writes_memory = false;    // writes buffers or images
  bool atomics = false;          // performs atomics
  bool image_loads = false;      // reads storage images
  bool doubles = false;          // computes with 64-bit floats
  std::vector<uint32_t> stored;  // slots that it writes
  bool uniform = true;  // all lanes of all groups of a draw or dispatch have the same outputs, and all end
};

// The instructions of a program as LOAD_PROGRAM would read them. None: they are illegal, which is reported at
// loading.
std::vector<isa::Instruction> program_in_memory(const arch::ShaderRegisters& shader,
                                                const arch::Memory& memory);

// lanes: threads per group. nullptr: not a legal program of its stage, with the reason in `error`.
std::shared_ptr<const Program> make_program(arch::Stage stage, std::vector<isa::EncodedInstruction> words,
                                            uint32_t temporaries, uint32_t scratch_bytes, uint32_t lanes,
                                            std::string& error);

}  // namespace cutaway::command_stream
