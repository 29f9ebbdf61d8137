#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

// The definition of a fuzz target: libFuzzer's entry point, one per program. It returns 0. It must not crash
// or hang, and the tested code may only throw UserErrors.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace cutaway::fuzz {

// Takes values off an input; zeros when it has come to its end.
class Input {
 public:
  Input(const uint8_t* data, size_t size) : rest_(reinterpret_cast<const std::byte*>(data), size) {}
  bool empty() const { return rest_.empty(); }

  template <class T>
  T take() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    const auto bytes = take_bytes(sizeof value);
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
  }
  std::span<const std::byte> take_bytes(size_t count) {
    const auto bytes = rest_.first(std::min(count, rest_.size()));
    rest_ = rest_.subspan(bytes.size());
    return bytes;
  }
  std::span<const std::byte> rest() { return take_bytes(rest_.size()); }

 private:
  std::span<const std::byte> rest_;
};

}  // namespace cutaway::fuzz
