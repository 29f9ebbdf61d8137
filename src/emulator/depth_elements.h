#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "arch/surface.h"

namespace cutaway::emulator {

// The elements of a depth surface, of 16 or 32 bits, as words.
class DepthElements {
 public:
  DepthElements() = default;
  // bytes: of an element, 2 or 4.
  explicit DepthElements(uint32_t bytes) : bytes_(bytes) {}

  uint32_t bytes() const { return bytes_; }
  // Bytes from the first row of a quad to its second.
  uint32_t row() const { return arch::kSectorSize * bytes_; }

  // Reads or writes elements that lie side by side.
  template <uint32_t kCount>
  void load(const std::byte* from, uint32_t* to) const {
    if (bytes_ == sizeof(uint32_t)) {
      std::memcpy(to, from, sizeof(uint32_t) * kCount);
      return;
    }
    uint16_t half[kCount];
    std::memcpy(half, from, sizeof half);
    for (uint32_t i = 0; i < kCount; i++) to[i] = half[i];
  }
  template <uint32_t kCount>
  void store(const uint32_t* from, std::byte* to) const {
    if (bytes_ == sizeof(uint32_t)) {
      std::memcpy(to, from, sizeof(uint32_t) * kCount);
      return;
    }
    uint16_t half[kCount];
    for (uint32_t i = 0; i < kCount; i++) half[i] = static_cast<uint16_t>(from[i]);
    std::memcpy(to, half, sizeof half);
  }

  // Reads or writes the four elements of a quad, of which the first lies at this address.
  void load_quad(const std::byte* from, uint32_t* to) const {
    load<2>(from, to);
    load<2>(from + row(), to + 2);
  }
  void store_quad(const uint32_t* from, std::byte* to) const {
    store<2>(from, to);
    store<2>(from + 2, to + row());
  }

 private:
  uint32_t bytes_ = sizeof(uint32_t);
};

}  // namespace cutaway::emulator
