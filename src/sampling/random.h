#pragma once

#include <cstdint>
#include <random>
#include <vector>

// Random numbers that are equal on every host: the library's distributions are not.
namespace cutaway::sampling {

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  // A number in [0, 1).
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  // A number below `bound`, uniformly but for 2^-53.
  size_t below(size_t bound) { return static_cast<size_t>(unit() * static_cast<double>(bound)); }
  template <class T>
  void shuffle(std::vector<T>& values) {
    for (size_t left = values.size(); left > 1; left--) std::swap(values[left - 1], values[below(left)]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace cutaway::sampling
