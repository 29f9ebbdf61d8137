#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

// For tests: integers of all widths, and the operations of SPIR-V on them.
namespace cutaway::compiler::integer_test {

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

constexpr uint32_t kLanes = 4;
constexpr uint32_t kWidths[] = {8, 16, 32, 64};

struct IntType {
  uint32_t bits = 32;
  bool is_signed = false;
  uint32_t count = 1;  // components

  std::string scalar() const { return (is_signed ? "i" : "u") + std::to_string(bits); }
  std::string name() const { return count == 1 ? scalar() : scalar() + "v" + std::to_string(count); }
  bool operator==(const IntType&) const = default;
};

inline uint64_t cut(uint64_t value, uint32_t bits) {
  return bits == 64 ? value : value & ((uint64_t{1} << bits) - 1);
}
inline int64_t with_sign(uint64_t value, uint32_t bits) {
  return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
}

// A value of the program: its id, and the components that each lane should have.
struct Value {
  std::string id;
  IntType type;
  std::array<std::vector<uint64_t>, kLanes> lanes;
};

inline uint64_t reversed(uint64_t word) {
  uint64_t result = 0;
  for (uint32_t bit = 0; bit < 32; ++bit) result |= (word >> bit & 1) << (31 - bit);
  return result;
}

// a, b: components with `bits` bits. The machine's division by zero does not occur.
inline uint64_t binary(const std::string& op, uint64_t a, uint64_t b, uint32_t bits) {
  const int64_t sa = with_sign(a, bits), sb = with_sign(b, bits);
  const bool overflows = sb == -1;
  const auto word = [](int64_t value) { return static_cast<uint64_t>(value); };
  if (op == "IAdd") return a + b;
  if (op == "ISub") return a - b;
  if (op == "IMul") return a * b;
  if (op == "BitwiseAnd") return a & b;
  if (op == "BitwiseOr") return a | b;
  if (op == "BitwiseXor") return a ^ b;
  if (op == "UDiv") return a / b;
  if (op == "UMod") return a % b;
  if (op == "SDiv") return overflows ? 0 - a : word(sa / sb);
  if (op == "SRem") return overflows ? 0 : word(sa % sb);
  if (op == "SMod") {
    const int64_t rest = overflows ? 0 : sa % sb;
    return word(rest != 0 && (rest < 0) != (sb < 0) ? rest + sb : rest);
  }
  if (op == "ShiftLeftLogical") return a << b;
  if (op == "ShiftRightLogical") return a >> b;
  if (op == "ShiftRightArithmetic") return word(sa >> b);
  if (op == "ULessThan") return a < b;
  if (op == "SLessThan") return sa < sb;
  if (op == "UGreaterThanEqual") return a >= b;
  if (op == "SGreaterThan") return sa > sb;
  if (op == "SLessThanEqual") return sa <= sb;
  if (op == "IEqual") return a == b;
  if (op == "INotEqual") return a != b;
  if (op == "UMin") return std::min(a, b);
  if (op == "UMax") return std::max(a, b);
  if (op == "SMin") return word(std::min(sa, sb));
  if (op == "SMax") return word(std::max(sa, sb));
  ADD_FAILURE() << op;
  return 0;
}

}  // namespace cutaway::compiler::integer_test
