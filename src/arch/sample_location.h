#pragma once

#include <cstdint>

namespace cutaway::arch {

// Position of a sample in its pixel, in 1/16 pixel from the upper left corner.
struct SamplePoint {
  uint8_t x = 8, y = 8;
};

// Vulkan "Multisampling", standard sample locations: samples is 1, 2, 4 or 8, index is less than samples.
constexpr SamplePoint standard_sample(uint32_t samples, uint32_t index) {
  constexpr SamplePoint k2[] = {{12, 12}, {4, 4}};
  constexpr SamplePoint k4[] = {{6, 2}, {14, 6}, {2, 10}, {10, 14}};
  constexpr SamplePoint k8[] = {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}};
  switch (samples) {
    case 2:
      return k2[index & 1];
    case 4:
      return k4[index & 3];
    case 8:
      return k8[index & 7];
    default:
      return {};
  }
}

}  // namespace cutaway::arch
