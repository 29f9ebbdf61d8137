#include <bit>
#include <cmath>

#include "compiler/builder.h"

// Folds operations on known doubles. The host's floating-point mode belongs to the calling program: values
// that are neither normal nor zero are left to the machine, except in conversions of constants, which must be
// folded.
namespace cutaway::compiler {
namespace {

// True for values that the host cannot mistake: a denormal may count as zero there.
bool is_plain(double value) { return std::isnormal(value) || std::bit_cast<uint64_t>(value) << 1 == 0; }

uint64_t of_float(uint32_t bits) {
  const uint64_t sign = uint64_t{bits & 0x80000000} << 32;
  const auto value = std::bit_cast<float>(bits);
  if (std::isnan(value)) return 0x7ff8000000000000;
  if ((bits & 0x7f800000) == 0) return sign;
  return std::bit_cast<uint64_t>(static_cast<double>(value));
}

uint32_t to_float(uint64_t bits) {
  const auto value = std::bit_cast<double>(bits);
  if (std::isnan(value)) return 0x7fc00000;
  const uint32_t sign = static_cast<uint32_t>(bits >> 32) & 0x80000000;
  // Denormals become zeros; the largest values below the least normal number round up to it.
  if (std::fabs(value) < 0x1p-126) return std::fabs(value) < 0x1p-126 - 0x1p-150 ? sign : sign | 0x00800000;
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

bool arithmetic(Opcode op, double a, double b, double c, double& r) {
  using enum Opcode;
  // A zero result with nonzero operands may be an underflow.
  const auto exact = [&](double value) { return value != 0 || a == 0 || (b == 0 && op != kDdiv); };
  switch (op) {
    case kDadd:
      r = a + b;
      return r != 0 || a == -b;
    case kDmul:
      r = a * b;
      return exact(r);
    case kDfma:
      r = std::fma(a, b, c);
      return r != 0;
    case kDdiv:
      r = a / b;
      return b != 0 && exact(r);
    case kDsqrt:
      r = std::sqrt(a);
      return a >= 0;
    case kDmin:
      r = a < b ? a : b;
      return true;
    case kDmax:
      r = a > b ? a : b;
      return true;
    case kDflr:
      r = std::floor(a);
      return true;
    case kDceil:
      r = std::ceil(a);
      return true;
    case kDtrunc:
      r = std::trunc(a);
      return true;
    case kDrne:
      r = std::nearbyint(a);
      return true;
    default:
      return false;
  }
}

// Operations with a 32-bit result.
bool to_word(Opcode op, double a, double b, uint64_t& result) {
  using enum Opcode;
  const auto truth = [](bool value) { return value ? ~uint32_t{0} : 0; };
  switch (op) {
    case kDlt:
      result = truth(a < b);
      return true;
    case kDge:
      result = truth(a >= b);
      return true;
    case kDeq:
      result = truth(a == b);
      return true;
    case kDne:
      result = truth(a != b);
      return true;
    case kD2i:
      if (!(std::fabs(a) < 0x1p31)) return false;
      result = static_cast<uint32_t>(static_cast<int32_t>(a));
      return true;
    case kD2u:
      if (!(a >= 0 && a < 0x1p32)) return false;
      result = static_cast<uint32_t>(a);
      return true;
    default:
      return false;
  }
}

}  // namespace

bool fold_doubles(Opcode op, const std::array<uint64_t, 3>& s, uint64_t& result) {
  const auto word = static_cast<uint32_t>(s[0]);
  switch (op) {
    case Opcode::kF2d:
      result = of_float(word);
      return true;
    case Opcode::kD2f:
      result = to_float(s[0]);
      return true;
    case Opcode::kI2d:
      result = std::bit_cast<uint64_t>(static_cast<double>(static_cast<int32_t>(word)));
      return true;
    case Opcode::kU2d:
      result = std::bit_cast<uint64_t>(static_cast<double>(word));
      return true;
    default:
      break;
  }
  double in[3];
  for (int i = 0; i < 3; ++i) {
    in[i] = std::bit_cast<double>(s[i]);
    if (!is_plain(in[i])) return false;
  }
  if (to_word(op, in[0], in[1], result)) return true;
  double r = 0;
  if (!arithmetic(op, in[0], in[1], in[2], r) || !is_plain(r)) return false;
  result = std::bit_cast<uint64_t>(r);
  return true;
}

}  // namespace cutaway::compiler
