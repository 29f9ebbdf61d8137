#include "base/work_folder.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "base/error.h"
#include "base/random_name.h"

namespace cutaway {
namespace {

namespace fs = std::filesystem;

constexpr size_t kFolderLetters = 12;
constexpr mode_t kPrivate = 0700;

// A descriptor that holds the lock of a private folder of this user, or -1: another process holds it, or the
// folder is gone, or, with `unsupported` set, folders there cannot be locked.
int lock_folder(const fs::path& folder, bool* unsupported = nullptr) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return -1;
  struct stat opened {
  }, there{};
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (unsupported) *unsupported = errno != EWOULDBLOCK;
  } else if (::fstat(descriptor, &opened) == 0 && ::stat(folder.c_str(), &there) == 0 &&
             opened.st_uid == ::geteuid() && (opened.st_mode & 0777) == kPrivate &&
             opened.st_ino == there.st_ino && opened.st_dev == there.st_dev) {
    return descriptor;
  }
  ::close(descriptor);
  return -1;
}

void remove_abandoned(const fs::path& parent, const std::string& prefix) {
  std::error_code error;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && is_random_name(name.substr(prefix.size()), kFolderLetters))
      found.push_back(entry.path());
  }
  for (const fs::path& folder : found) {
    const int lock = lock_folder(folder);
    if (lock < 0) continue;
    fs::remove_all(folder, error);
    ::close(lock);
  }
}

}  // namespace

// Retries: another process may remove a new folder that is not locked yet as abandoned.
WorkFolder::WorkFolder(const fs::path& parent, const std::string& prefix, const std::string& advice) {
  constexpr int kTries = 100;
  const fs::path folder = parent.empty() ? fs::path(".") : parent;
  remove_abandoned(folder, prefix);
  bool unsupported = false;
  for (int i = 0; i < kTries && lock_ < 0 && !unsupported; i++) {
    path_ = parent / (prefix + random_name(kFolderLetters));
    if (::mkdir(path_.c_str(), kPrivate) != 0)
      user_error("{}: cannot be written ({}): {}", folder.string(), std::strerror(errno), advice);
    lock_ = lock_folder(path_, &unsupported);
  }
}

WorkFolder::~WorkFolder() {
  std::error_code error;
  if (!keep_) fs::remove_all(path_, error);
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace cutaway
