#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cutaway::live {

// A text in shared memory that one process replaces and others read. The writer never waits: readers copy the
// last text, and copy again if it was replaced meanwhile. A mailbox of zero bytes holds an empty text.
class Mailbox {
 public:
  static constexpr size_t kMost = 8 << 20;  // bytes

  // Ignores a text that is too long: the previous one stays.
  void put(std::string_view text);
  std::string get() const;

 private:
  struct Text {
    uint64_t bytes;
    char data[kMost];
  };
  std::atomic<uint64_t> number_;  // number of texts so far: the last is texts_[number_ % 2]
  Text texts_[2];
};

}  // namespace cutaway::live
