#pragma once

#include <array>
#include <optional>

#include "arch/context_space.h"
#include "messages/doorbell.h"

namespace cutaway::boxes {

// Doorbells from the host and fences to it: up to which submission each context is announced, and up to which
// the host knows that submissions have ended.
class HostLink {
 public:
  // Set before the first cycle:
  bool has_bus = false;     // a submission begins when its doorbell has arrived, else at once
  bool tells_host = false;  // of the ends of submissions, by fences

  void ring(const messages::Doorbell& doorbell) { rung_[doorbell.context] = doorbell.submission; }
  // The last submission of a context that the host has announced.
  uint64_t announced(arch::ContextId context) const { return has_bus ? rung_[context] : ~uint64_t{0}; }
  // The next fence, which is then sent; none: the host knows all. ended(context): the last submission that
  // has ended.
  template <class Ended>
  std::optional<messages::Fence> next_fence(size_t contexts, const Ended& ended) {
    for (arch::ContextId context = 0; context < contexts; context++)
      if (const uint64_t last = ended(context); told_[context] != last)
        return messages::Fence{told_[context] = last, context};
    return {};
  }

 private:
  std::array<uint64_t, arch::kMostContexts> rung_{}, told_{};  // by context: a submission
};

}  // namespace cutaway::boxes
