#include "live/mailbox.h"

#include <algorithm>
#include <cstring>

namespace cutaway::live {

void Mailbox::put(std::string_view text) {
  if (text.size() > kMost) return;
  const uint64_t number = number_.load(std::memory_order_relaxed) + 1;
  Text& place = texts_[number % 2];
  std::memcpy(place.data, text.data(), text.size());
  place.bytes = text.size();
  number_.store(number, std::memory_order_release);
}

std::string Mailbox::get() const {
  for (;;) {
    const uint64_t number = number_.load(std::memory_order_acquire);
    const Text& place = texts_[number % 2];
    std::string text(place.data, std::min<uint64_t>(place.bytes, kMost));
    // The writer reuses this buffer only after it has written a text to the other one.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (number_.load(std::memory_order_relaxed) == number) return text;
  }
}

}  // namespace cutaway::live
