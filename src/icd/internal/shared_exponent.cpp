#include "icd/internal/shared_exponent.h"

#include <algorithm>
#include <cmath>

namespace cutaway::icd {
namespace {

constexpr int kMantissaBits = 9, kBias = 15;
constexpr double kMost = 65408;  // (2^9 - 1) / 2^9 x 2^(31 - 15)

}  // namespace

uint32_t to_shared_exponent(const float color[3]) {
  double clamped[3];
  for (int i = 0; i < 3; i++) clamped[i] = color[i] > 0 ? std::min<double>(color[i], kMost) : 0;
  const double most = *std::max_element(clamped, clamped + 3);
  int exponent = most > 0 ? std::max(-kBias - 1, std::ilogb(most)) + kBias + 1 : 0;
  const auto mantissa = [&](double value) {
    return static_cast<uint32_t>(std::floor(std::ldexp(value, kBias + kMantissaBits - exponent) + 0.5));
  };
  if (mantissa(most) == 1u << kMantissaBits) exponent++;
  return mantissa(clamped[0]) | mantissa(clamped[1]) << 9 | mantissa(clamped[2]) << 18 |
         static_cast<uint32_t>(exponent) << 27;
}

}  // namespace cutaway::icd
