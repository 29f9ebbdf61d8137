#pragma once

#include "arch/packet.h"
#include "arch/registers.h"

namespace cutaway::icd {

// What the register file holds while a command buffer is recorded. Another command buffer of the same
// submission may have run before: nothing is known at the start, and the first update sets every register.
class RegisterShadow {
 public:
  // words: the registers that are ever set, from the first on.
  explicit RegisterShadow(uint32_t words = arch::kRegisterWords) : words_(words) {}

  // Appends SET_REGISTERS packets for the words of `wanted` that differ from what the registers hold.
  void update(const arch::Registers& wanted, arch::CommandWriter& writer);

  const arch::Registers& held() const { return held_; }

 private:
  uint32_t words_;
  bool known_ = false;
  arch::Registers held_{};
};

}  // namespace cutaway::icd
