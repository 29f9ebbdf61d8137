#include "command_stream/program.h"

#include <algorithm>

#include "command_stream/legal_program.h"
#include "isa/liveness.h"
#include "isa/operands.h"

namespace cutaway::command_stream {
namespace {

// True if the instruction gives equal results in all lanes, provided that earlier ones do: it reads no input
// and no memory, and does not let lanes diverge.
bool is_uniform(const isa::Instruction& instruction) {
  for (uint32_t n = 0; n < isa::source_count(instruction); n++)
    if (instruction.src[n].file == isa::File::kInput) return false;
  if (isa::is_of_quad(instruction.op)) return false;
  const isa::OpClass op_class = isa::info(instruction.op).op_class;
  return op_class == isa::OpClass::kSimd || op_class == isa::OpClass::kScalar ||
         instruction.op == isa::Opcode::kNop || instruction.op == isa::Opcode::kEnd;
}

// Slots in the order of their first use, each once.
class Slots {
 public:
  explicit Slots(std::vector<uint32_t>& slots) : slots_(slots) {}
  void add(uint32_t slot) {
    if (seen_ >> slot & 1) return;
    seen_ |= uint64_t{1} << slot;
    slots_.push_back(slot);
  }

 private:
  static_assert(arch::kResources <= 64);
  std::vector<uint32_t>& slots_;
  uint64_t seen_ = 0;
};

void note_operands(const std::vector<isa::Instruction>& code, Program& program) {
  Slots stored(program.stored), resources(program.resources);
  for (const isa::Instruction& instruction : code) {
    for (uint32_t n = 0; n < isa::source_count(instruction); n++) {
      const isa::Source& source = instruction.src[n];
      if (source.file != isa::File::kInput) continue;
      // Texture operands are read completely.
      const bool whole = isa::info(instruction.op).op_class == isa::OpClass::kTexture;
      const uint32_t needed = whole ? 15 : isa::components_read(instruction, n);
      for (uint32_t c = 0; c < 4; c++)
        if (needed >> c & 1) program.inputs[source.index] |= 1u << isa::swizzle_component(source.swizzle, c);
      if (program.inputs[source.index]) program.inputs_read |= uint64_t{1} << source.index;
    }
    if (isa::is_pull(instruction.op)) {
      program.pulled[instruction.access.slot] |= instruction.dst.mask;
      program.inputs_pulled |= 1u << instruction.access.slot;
    }
    program.uniform &= is_uniform(instruction);
    program.barriers |= instruction.op == isa::Opcode::kBarrier;
    program.branches |= instruction.op == isa::Opcode::kIf || instruction.op == isa::Opcode::kLoop;
    const isa::OpClass op_class = isa::info(instruction.op).op_class;
    const bool memory = op_class == isa::OpClass::kMemory && !isa::is_on_chip(instruction.op) &&
                        !isa::is_barrier(instruction.op);
    program.image_loads |= instruction.op == isa::Opcode::kLdi;
    program.doubles |= isa::is_double(instruction.op);
    if (isa::writes_memory(instruction.op)) stored.add(instruction.access.resource);
    program.atomics |= memory && isa::is_atomic(instruction.op);
    program.writes_memory |= memory && (isa::is_store(instruction.op) || isa::is_atomic(instruction.op));
    if (op_class == isa::OpClass::kTexture || memory) resources.add(instruction.access.resource);
    program.texture_number.push_back(static_cast<uint16_t>(program.textures.size()));
    if (op_class == isa::OpClass::kTexture)
      program.textures.push_back(static_cast<uint32_t>(program.texture_number.size() - 1));
    if (instruction.dst.file == isa::File::kOutput) program.outputs |= 1ull << instruction.dst.index;
  }
}

// The halves of a register that an operand occupies: bit 0 the low one, bit 1 the high one.

// Number of registers whose halves both hold separate values.
uint32_t shared_registers(const std::vector<isa::Instruction>& code) {
  std::array<uint8_t, arch::kTemporaries> written{};
  for (const isa::Instruction& instruction : code)
    if (instruction.dst.file == isa::File::kTemporary && instruction.dst.half != isa::Half::kNone)
      written[instruction.dst.index] |= isa::halves_of(instruction.dst.half);
  return static_cast<uint32_t>(std::count(written.begin(), written.end(), 3));
}

// Registers with a value that may be read before it is written.
void note_zeroed(const std::vector<isa::Instruction>& code, Program& program) {
  const isa::Live first = isa::live_before(code)[0];
  for (uint32_t i = 0; i < program.temporaries; i++)
    for (uint32_t c = 0; c < 4; c++)
      if (first.has_word(4 * i + c)) {
        program.zeroed_temporaries.push_back(i);
        break;
      }
  for (uint32_t i = 0; i < 4 * arch::kShaderOutputs; i++)
    if (first.outputs[i]) program.zeroed_outputs |= program.outputs & uint64_t{1} << i / 4;
}

}  // namespace

std::vector<TextureRead> texture_reads(std::span<const isa::Instruction> program) {
  std::vector<TextureRead> reads;
  for (const isa::Instruction& instruction : program) {
    const isa::Opcode op = instruction.op;
    if (!isa::reads_texels(op)) continue;
    // A gather returns texels unfiltered.
    const bool filters = isa::has_sampler(op) && op != isa::Opcode::kTxg;
    const TextureRead read{instruction.access.resource, filters ? instruction.access.sampler : uint8_t{0},
                           filters};
    if (std::find(reads.begin(), reads.end(), read) == reads.end()) reads.push_back(read);
  }
  return reads;
}

std::vector<isa::Instruction> program_in_memory(const arch::ShaderRegisters& shader,
                                                const arch::Memory& memory) {
  if (shader.instructions > arch::kInstructions) return {};
  std::vector<isa::EncodedInstruction> words(shader.instructions);
  memory.read(shader.program, reinterpret_cast<std::byte*>(words.data()),
              words.size() * isa::kInstructionBytes);
  std::vector<isa::Instruction> code;
  std::string error;
  return isa::decode_program(words, shader.temporaries, code, error) ? code : std::vector<isa::Instruction>{};
}

std::shared_ptr<const Program> make_program(arch::Stage stage, std::vector<isa::EncodedInstruction> words,
                                            uint32_t temporaries, uint32_t scratch_bytes, uint32_t lanes,
                                            std::string& error) {
  std::vector<isa::Instruction> code;
  if (!isa::decode_program(words, temporaries, code, error)) return nullptr;
  if (error = program_error(stage, code); !error.empty()) return nullptr;
  auto program = std::make_shared<Program>(
      Program{.stage = stage,
              .words = std::move(words),
              .temporaries = temporaries,
              .shared = shared_registers(code),
              .scratch_bytes = scratch_bytes,
              .micro = func::MicroProgram(code, func::register_width(lanes), func::AluPath::kBest,
                                          stage == arch::Stage::kCompute)});
  note_operands(code, *program);
  program->texture_reads = texture_reads(code);
  note_zeroed(code, *program);
  return program;
}

}  // namespace cutaway::command_stream
