#pragma once

#include <map>

#include "compiler/translate/part.h"

namespace cutaway::compiler {

// The clock of a subgroup (OpReadClockKHR): the SPIR-V instructions that the invocation has executed, which
// the program itself counts, block by block. It is the same on every machine, and in a machine and the
// emulator. Programs that read no clock count nothing.
class Clock final : Part {
 public:
  explicit Clock(Translation& t) : Part(t) {}

  void start();                 // before the first instruction
  void step(const Word& word);  // before each instruction
  // Around a call: the instructions behind it do not count before they are reached.
  void call(const Word& word);
  void come_back(const Word& word);
  bool translate(const Word& word);  // false: another instruction

 private:
  uint32_t rest_of(const Word& word) const;
  void add(uint32_t instructions);

  uint32_t slot_ = kNone;  // the count at the end of the block; kNone: nobody reads it
  std::map<uint32_t, const std::vector<Word>*> blocks_;  // by the number of their first instruction
};

}  // namespace cutaway::compiler
