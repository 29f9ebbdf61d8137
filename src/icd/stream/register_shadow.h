#pragma once

#include "arch/packet.h"
#include "arch/registers.h"

namespace cutaway::icd {

// The contents of the register file while a command buffer is recorded. Another command buffer of the same
// submission may have run before: the contents are unknown at the start, so the first update sets every
// register.
class RegisterShadow {
 public:
  // words: number of registers that are ever set, counted from the first.
  explicit RegisterShadow(uint32_t words = arch::kRegisterWords) : words_(words) {}

  // Appends SET_REGISTERS packets for the words of `wanted` that differ from the registers' contents.
  void update(const arch::Registers& wanted, arch::CommandWriter& writer);

  const arch::Registers& held() const { return held_; }

 private:
  uint32_t words_;
  bool known_ = false;
  arch::Registers held_{};
};

}  // namespace cutaway::icd
