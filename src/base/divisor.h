#pragma once

#include <bit>
#include <cstdint>

#include "base/few_bits.h"

namespace cutaway {

// Quotient and remainder by a divisor that is mostly a power of two, without a division then.
constexpr uint64_t quotient_of(uint64_t number, uint64_t by) {
  return one_bit(by) ? number >> std::countr_zero(by) : number / by;
}
constexpr uint64_t remainder_of(uint64_t number, uint64_t by) {
  return one_bit(by) ? number & (by - 1) : number % by;
}

// A divisor that is used many times. Counts of units, lines and bytes are mostly powers of two: those use
// shifts and masks, which are many times as fast as a division.
class Divisor {
 public:
  explicit Divisor(uint64_t by = 1) : by_(by), shift_(std::has_single_bit(by) ? std::countr_zero(by) : -1) {}

  uint64_t quotient(uint64_t number) const { return shift_ >= 0 ? number >> shift_ : number / by_; }
  uint64_t remainder(uint64_t number) const { return shift_ >= 0 ? number & (by_ - 1) : number % by_; }
  // The greatest multiple of the divisor that is at most `number`.
  uint64_t floor(uint64_t number) const { return number - remainder(number); }

 private:
  uint64_t by_;
  int shift_;  // -1: not a power of two
};

}  // namespace cutaway
