#pragma once

#include <type_traits>

namespace cutaway {

// The least multiple of `to` that is at least `value`.
template <class T>
constexpr T round_up(T value, std::type_identity_t<T> to) {
  return (value + to - 1) / to * to;
}

}  // namespace cutaway
