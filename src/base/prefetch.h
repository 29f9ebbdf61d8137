#pragma once

#include <cstddef>

namespace cutaway {

// Fetches an object, or its first 256 bytes, into the host's caches. The host finds little of a machine in
// its nearest cache: what the next cycles read of a queue is fetched while others are simulated.
template <class T>
void prefetch_on_host(const T& object) {
  constexpr std::size_t kLine = 64, kMost = 256;
  const auto* const first = reinterpret_cast<const char*>(&object);
  for (std::size_t at = 0; at < sizeof object && at < kMost; at += kLine) __builtin_prefetch(first + at);
}

}  // namespace cutaway
