#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cutaway::isa {

// Which functions of a program call which: those behind their own alone, so that none calls itself.
class Functions {
 public:
  Functions() { begin(0); }  // the program itself, up to its END

  // The next function begins with an instruction.
  void begin(size_t start) { functions_.push_back({.start = start}); }
  // The open constructs, one within the other, of the function that was begun last.
  void open(uint32_t depth);
  void call(size_t instruction, size_t target, uint32_t depth);

  // Null, or what is wrong with the CALL at `where`.
  const char* check(size_t& where) const;

 private:
  struct Function {
    size_t start = 0;
    uint32_t depth = 0;  // its own constructs
  };
  struct Call {
    size_t instruction = 0, target = 0;
    size_t function = 0;  // in which it stands
    uint32_t depth = 0;   // constructs open there
  };
  std::vector<Function> functions_;
  std::vector<Call> calls_;  // in their order
};

}  // namespace cutaway::isa
