#include "base/regular_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

namespace cutaway {
namespace {

namespace fs = std::filesystem;

std::string kind_text(fs::file_type type) {
  switch (type) {
    case fs::file_type::regular:
    case fs::file_type::none:
    case fs::file_type::not_found:
      return "";
    case fs::file_type::directory:
      return "a folder";
    case fs::file_type::fifo:
      return "a pipe";
    case fs::file_type::socket:
      return "a socket";
    case fs::file_type::block:
    case fs::file_type::character:
      return "a device";
    default:
      return "something else";
  }
}

}  // namespace

std::string other_kind_of_file(const fs::path& path) {
  std::error_code error;
  return kind_text(fs::status(path, error).type());
}

// Looks before it opens, since opening alone has effects on some devices. O_NONBLOCK and fstat() hold where
// the file is exchanged in between.
RegularFile::RegularFile(const fs::path& path, const std::string& advice) : path_(path) {
  std::string kind = other_kind_of_file(path);
  struct stat status {};
  if (kind.empty()) {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) {
      const int error = errno;
      if (descriptor_ >= 0) ::close(descriptor_);
      user_error("{}: cannot be opened ({}): {}", path.string(), std::strerror(error), advice);
    }
    if (S_ISREG(status.st_mode)) {
      size_ = static_cast<uint64_t>(status.st_size);
      return;
    }
    ::close(descriptor_);
    kind = "something else";
  }
  user_error("{}: not a file but {}: {}", path.string(), kind, advice);
}

RegularFile::~RegularFile() { ::close(descriptor_); }

size_t RegularFile::read(uint64_t offset, void* out, size_t bytes) const {
  auto* to = static_cast<char*>(out);
  size_t count = 0;
  while (count < bytes) {
    const ssize_t got = ::pread(descriptor_, to + count, bytes - count, static_cast<off_t>(offset + count));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) user_error("{}: cannot be read ({})", path_.string(), std::strerror(errno));
    if (got == 0) break;
    count += static_cast<size_t>(got);
  }
  return count;
}

// Files of /proc state a size of 0, and a log may grow: reads to the end, not to the size.
std::string RegularFile::text(uint64_t most_bytes) const {
  constexpr size_t kLeast = 64 << 10;
  std::string text;
  const auto too_large = [&] {
    user_error("{}: more than {} bytes, which is too large", path_.string(), most_bytes);
  };
  if (size_ > most_bytes) too_large();
  for (size_t room = std::max<size_t>(size_ + 1, kLeast);; room = std::max(text.size(), kLeast)) {
    const size_t before = text.size();
    text.resize(before + room);
    const size_t got = read(before, text.data() + before, room);
    text.resize(before + got);
    if (text.size() > most_bytes) too_large();
    if (got < room) return text;
  }
}

std::string read_whole(const fs::path& path, uint64_t most_bytes) {
  try {
    return RegularFile(path, "").text(most_bytes);
  } catch (const UserError&) { return ""; }
}

}  // namespace cutaway
