#include "host/sync.h"

namespace cutaway::host {

Deadline deadline_after(uint64_t nanoseconds) {
  constexpr uint64_t kCentury = 3'000'000'000'000'000'000;
  if (nanoseconds > kCentury) return std::nullopt;
  return std::chrono::steady_clock::now() + std::chrono::nanoseconds(nanoseconds);
}

}  // namespace cutaway::host
