#pragma once

#include <cstdint>

namespace cutaway::func {

// Sets this thread's floating-point mode to the one in which all arithmetic of the machine is defined, for
// the life of this object: denormal operands and results become zeros of the same sign, rounding is to
// nearest even, nothing traps. Every thread that emulates or simulates holds one; the destructor restores the
// previous mode. (A result is flushed if, rounded to 24 bits with an unbounded exponent, it is below 2^-126.)
class FloatMode {
 public:
  FloatMode();
  ~FloatMode();
  FloatMode(const FloatMode&) = delete;
  FloatMode& operator=(const FloatMode&) = delete;

  static bool active();

 private:
  uint32_t saved_;
};

}  // namespace cutaway::func
