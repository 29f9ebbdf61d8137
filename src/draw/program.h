#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arch/memory.h"
#include "arch/registers.h"
#include "func/shader/micro_program.h"

namespace cutaway::draw {

// Texels that a program reads: slots of their resource and of the sampler that may filter them.
struct TextureRead {
  uint8_t resource = 0, sampler = 0;
  bool filters = false;  // by the sampler
  bool operator==(const TextureRead&) const = default;
};
// Each once.
std::vector<TextureRead> texture_reads(std::span<const isa::Instruction> program);

// A program that has been loaded: decoded, judged, prepared for groups of some width, and what is known of it
// before it runs.
struct Program {
  arch::Stage stage;
  std::vector<isa::EncodedInstruction> words;
  uint32_t temporaries = 0;    // live vec4 registers per thread
  uint32_t shared = 0;         // of those: that hold four floats of 16 bits twice
  uint32_t scratch_bytes = 0;  // of a thread
  func::MicroProgram micro;

  std::array<uint8_t, arch::kShaderInputs> inputs{};  // components of each input register that are read
  uint64_t inputs_read = 0;                           // bit i: of input register i some are
  // Of each interpolant, components that the program asks for while it runs (PULL); and bit i: of i some are.
  std::array<uint8_t, arch::kInterpolants> pulled{};
  uint32_t inputs_pulled = 0;
  uint64_t outputs = 0;  // bit i: output register i is written
  // Registers that must hold zeros at the start: something may be read before it is written.
  std::vector<uint32_t> zeroed_temporaries;
  uint64_t zeroed_outputs = 0;
  std::vector<uint32_t> resources;  // slots that it reads or writes
  std::vector<uint32_t> textures;   // texture instructions, in rising order
  std::vector<TextureRead> texture_reads;
  std::vector<uint16_t> texture_number;  // by pc: which of them an instruction is
  bool barriers = false;
  bool branches = false;         // has an IF or a LOOP
  bool writes_memory = false;    // of buffers and images
  bool atomics = false;          // some of it by atomics
  bool image_loads = false;      // reads storage images
  bool doubles = false;          // computes with 64-bit floats
  std::vector<uint32_t> stored;  // slots that it writes
  bool uniform = true;  // all lanes of all groups of a draw or dispatch have the same outputs, and all end
};

// The instructions of a program as LOAD_PROGRAM would find it. None: they are not legal, which is said where
// they are loaded.
std::vector<isa::Instruction> program_in_memory(const arch::ShaderRegisters& shader,
                                                const arch::Memory& memory);

// lanes: threads of a group. nullptr: not a legal program of its stage, and `error` says why.
std::shared_ptr<const Program> make_program(arch::Stage stage, std::vector<isa::EncodedInstruction> words,
                                            uint32_t temporaries, uint32_t scratch_bytes, uint32_t lanes,
                                            std::string& error);

}  // namespace cutaway::draw
