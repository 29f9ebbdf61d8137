#include "emulator/program_cache.h"

#include "base/hash.h"

namespace cutaway::emulator {

std::shared_ptr<const Program> ProgramCache::load(const arch::Memory& memory, arch::Stage stage,
                                                  const arch::ShaderRegisters& shader) {
  std::vector<isa::EncodedInstruction> words(shader.instructions);
  memory.read(shader.program, words.data(), words.size() * sizeof words[0]);
  const uint64_t key = hash_bytes(words.data(), words.size() * sizeof words[0],
                                  uint64_t{shader.scratch_bytes} << 32 | uint64_t{shader.temporaries} << 8 |
                                      static_cast<uint32_t>(stage));
  if (const auto found = programs_.find(key); found != programs_.end()) {
    const Program& program = *found->second;
    if (program.words == words && program.temporaries == shader.temporaries &&
        program.scratch_bytes == shader.scratch_bytes && program.stage == stage)
      return found->second;
  }
  std::string error;
  auto program = command_stream::make_program(stage, std::move(words), shader.temporaries,
                                              shader.scratch_bytes, kLanes, error);
  if (!program) throw Stop{error};
  if (programs_.size() >= kMaxPrograms || instructions_ >= kMaxInstructions)
    programs_.clear(), instructions_ = 0;
  instructions_ += shader.instructions;
  return programs_[key] = program;
}

}  // namespace cutaway::emulator
