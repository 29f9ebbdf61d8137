#include "func/texture/level_of_detail.h"

#include "func/format/numeric.h"

namespace cutaway::func {

double lod_log2(double value) {
  if (value <= 0) return kLeastLod;
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  auto exponent = static_cast<int>(bits >> 52) - 1023;
  if (exponent >= 1024 || exponent < 0 - 1023 + 1) return exponent > 0 ? kMostLod : kLeastLod;
  double mantissa = std::bit_cast<double>((bits & low_mask(52)) | uint64_t{1023} << 52);
  if (mantissa > 1.4142135623730951) mantissa *= 0.5, exponent++;
  // ln m = 2 atanh s with s = (m - 1) / (m + 1), |s| < 0.1716.
  const double s = (mantissa - 1) / (mantissa + 1), square = s * s;
  const double series =
      1 + square * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7 + square * (1.0 / 9 + square / 11))));
  constexpr double kTwoOverLn2 = 2.8853900817779268;
  return exponent + kTwoOverLn2 * s * series;
}

double clamp_lod(const arch::Sampler& sampler, double lod) {
  if (lod > sampler.max_lod) lod = sampler.max_lod;
  if (!(lod >= sampler.min_lod)) lod = sampler.min_lod;
  return lod == lod ? lod : 0;
}

LevelChoice choose_level(const arch::Sampler& sampler, double lod, uint32_t levels) {
  const auto last = static_cast<double>(levels - 1);
  const double level = lod > 0 ? (lod < last ? lod : last) : 0;
  switch (static_cast<arch::MipMode>(sampler.mip_mode)) {
    case arch::MipMode::kNearest:  // ceil(level + 1/2) - 1
      return {static_cast<uint8_t>(-floor_to_int(-(level + 0.5)) - 1), 0};
    case arch::MipMode::kLinear: {
      const auto fixed = static_cast<uint32_t>(round_even(level * 256));
      return {static_cast<uint8_t>(fixed >> 8), static_cast<uint8_t>(fixed & 255)};
    }
    default:
      return {};
  }
}

}  // namespace cutaway::func
