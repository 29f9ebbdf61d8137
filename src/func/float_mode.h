#pragma once

#include <cstdint>

namespace cutaway::func {

// The floating-point mode that all arithmetic of the machine is defined in, for the life of this object on
// this thread: denormal operands and results are zeros of the same sign, rounding is to nearest even, nothing
// traps. Every thread that emulates or simulates holds one; what a program had set comes back with the
// destructor. (A result is flushed if, rounded to 24 bits with an unbounded exponent, it is below 2^-126.)
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
