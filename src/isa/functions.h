#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cutaway::isa {

// The call graph of a program. A function may call only functions behind it, so that none calls itself.
class Functions {
 public:
  Functions() { begin(0); }  // the program itself, up to its END

  // Begins the next function at instruction `start`.
  void begin(size_t start) { functions_.push_back({.start = start}); }
  // Notes the nesting depth of open constructs in the current function.
  void open(uint32_t depth);
  void call(size_t instruction, size_t target, uint32_t depth);

  // Returns null, or the error of the CALL at `where`.
  const char* check(size_t& where) const;

 private:
  struct Function {
    size_t start = 0;
    uint32_t depth = 0;  // nesting depth of its own constructs
  };
  struct Call {
    size_t instruction = 0, target = 0;
    size_t function = 0;  // the caller
    uint32_t depth = 0;   // constructs open at the call
  };
  std::vector<Function> functions_;
  std::vector<Call> calls_;  // in program order
};

}  // namespace cutaway::isa
