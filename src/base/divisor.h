#pragma once

#include <bit>
#include <cstdint>

namespace cutaway {

// A number to divide by, again and again. Numbers of units, lines and bytes are mostly powers of two: those
// are shifts and masks, many times as fast as a division.
class Divisor {
 public:
  explicit Divisor(uint64_t by = 1) : by_(by), shift_(std::has_single_bit(by) ? std::countr_zero(by) : -1) {}

  uint64_t quotient(uint64_t number) const { return shift_ >= 0 ? number >> shift_ : number / by_; }
  uint64_t remainder(uint64_t number) const { return shift_ >= 0 ? number & (by_ - 1) : number % by_; }
  // The greatest multiple that is not above it.
  uint64_t floor(uint64_t number) const { return number - remainder(number); }

 private:
  uint64_t by_;
  int shift_;  // -1: not a power of two
};

}  // namespace cutaway
