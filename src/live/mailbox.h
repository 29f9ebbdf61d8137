#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cutaway::live {

// A text that one process replaces and others read, in memory that they share. The writer never waits:
// readers take the last text, and read once more where it was replaced meanwhile. All zero bytes hold an
// empty text.
class Mailbox {
 public:
  static constexpr size_t kMost = 8 << 20;  // bytes

  // A text that is too long is left out: the one before stays.
  void put(std::string_view text);
  std::string get() const;

 private:
  struct Text {
    uint64_t bytes;
    char data[kMost];
  };
  std::atomic<uint64_t> number_;  // of texts so far: the last lies in texts_[number_ % 2]
  Text texts_[2];
};

}  // namespace cutaway::live
