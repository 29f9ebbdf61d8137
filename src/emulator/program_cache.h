#pragma once

#include <memory>
#include <unordered_map>

#include "emulator/state.h"

namespace cutaway::emulator {

// Decoded programs by content, so that each is decoded once.
class ProgramCache {
 public:
  // Reads the program that `shader` names from memory. Throws Stop if it is not a legal program of that
  // stage.
  std::shared_ptr<const Program> load(const arch::Memory& memory, arch::Stage stage,
                                      const arch::ShaderRegisters& shader);

 private:
  static constexpr size_t kMaxPrograms = 4096;
  static constexpr uint64_t kMaxInstructions = 1 << 22;  // limit of all programs together, except the last
  std::unordered_map<uint64_t, std::shared_ptr<const Program>> programs_;
  uint64_t instructions_ = 0;
};

}  // namespace cutaway::emulator
