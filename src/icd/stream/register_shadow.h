#pragma once

#include <vector>

#include "arch/packet.h"
#include "arch/registers.h"
#include "host/queue.h"

namespace cutaway::icd {

// The contents of the register file while a command buffer is recorded: zero at the start, as when a
// submission begins. If another command buffer of the submission has run before, the queue resets what that
// one has left set.
class RegisterShadow {
 public:
  // words: number of registers that are ever set, counted from the first.
  explicit RegisterShadow(uint32_t words = arch::kRegisterWords) : words_(words) {}

  // Appends SET_REGISTERS packets for the words of `wanted` that differ from the registers' contents.
  void update(const arch::Registers& wanted, arch::CommandWriter& writer);
  // The registers that are not zero, and short gaps between them.
  std::vector<host::RegisterRun> left_set() const;

  const arch::Registers& held() const { return held_; }

 private:
  template <class Act>
  void for_each_run(const arch::Registers& wanted, const Act& act) const;

  uint32_t words_;
  arch::Registers held_{};
};

}  // namespace cutaway::icd
