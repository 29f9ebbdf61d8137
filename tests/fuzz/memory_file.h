#pragma once

#include <cstddef>
#include <fmt/format.h>
#include <span>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"

namespace cutaway::fuzz {

// A file in memory, by a name that a path can be made of.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("input", MFD_CLOEXEC)) {}
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }
  void fill(std::span<const std::byte> bytes) const {
    CUTAWAY_CHECK(ftruncate(descriptor_, 0) == 0);
    CUTAWAY_CHECK(pwrite(descriptor_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  }

 private:
  int descriptor_;
};

}  // namespace cutaway::fuzz
