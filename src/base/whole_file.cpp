#include "base/whole_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/abandoned_files.h"
#include "base/error.h"
#include "base/random_name.h"
#include "base/regular_file.h"

namespace cutaway {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".part";
constexpr size_t kLetters = 8;
constexpr size_t kMostNameBytes = 200;  // of the path's own name in the temporary one; names have at most 255

std::string start_of_name(const fs::path& path) {
  return path.filename().string().substr(0, kMostNameBytes) + ".";
}

fs::path temporary_name(const fs::path& path) {
  return path.parent_path() / (start_of_name(path) + random_name(kLetters) + std::string(kSuffix));
}

[[noreturn]] void cannot_be_created(const fs::path& path, int error) {
  user_error("{}: cannot be created ({}): name a file in a folder that can be written", path.string(),
             std::strerror(error));
}

// Calls `create` with random names until one is free. create: returns 0, or an errno.
template <class Create>
fs::path create_under_random_name(const fs::path& path, Create&& create) {
  constexpr int kTries = 100;
  int error = EEXIST;
  for (int i = 0; i < kTries && error == EEXIST; i++) {
    fs::path name = temporary_name(path);
    error = create(name);
    if (!error) return name;
  }
  cannot_be_created(path, error);
}

enum class Lock { kHeld, kTaken, kUnsupported };

// Over a network flock() is a lock of bytes, which would keep SQLite from a database that is a temporary
// file.
Lock lock(int file) {
  struct statfs system {};
  if (::fstatfs(file, &system) != 0) return Lock::kUnsupported;
  const auto type = static_cast<uint32_t>(system.f_type);
  if (type == NFS_SUPER_MAGIC || type == SMB_SUPER_MAGIC || type == CIFS_SUPER_MAGIC ||
      type == SMB2_SUPER_MAGIC)
    return Lock::kUnsupported;
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) return Lock::kHeld;
  return errno == EWOULDBLOCK ? Lock::kTaken : Lock::kUnsupported;
}

// Opens a new file and locks it. Returns -1 and errno on failure; EEXIST also where another writer, which
// took the new file for an abandoned one, has locked it first.
int open_locked(const fs::path& name) {
  const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0) return file;
  struct stat status {};
  if (lock(file) != Lock::kTaken && ::fstat(file, &status) == 0 && status.st_nlink > 0) return file;
  ::close(file);
  std::error_code ignored;
  fs::remove(name, ignored);
  errno = EEXIST;
  return -1;
}

// Removes a temporary file of this user that no writer has locked, and before it the journal that SQLite has
// left beside it if it is a database: nobody would find that alone.
void remove_if_abandoned(const fs::path& name) {
  const int file = ::open(name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  struct stat status {};
  std::error_code ignored;
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
      lock(file) == Lock::kHeld) {
    fs::remove(name.string() + "-journal", ignored);
    fs::remove(name, ignored);
  }
  ::close(file);
}

}  // namespace

void remove_abandoned_files(const fs::path& path) {
  std::error_code error;
  std::vector<fs::path> found;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (WholeFile::is_temporary(entry.path(), path)) found.push_back(entry.path());
  for (const fs::path& name : found) remove_if_abandoned(name);
}

bool WholeFile::is_temporary(const fs::path& name, const fs::path& path) {
  const std::string text = name.filename().string(), start = start_of_name(path);
  return text.size() == start.size() + kLetters + kSuffix.size() && text.starts_with(start) &&
         text.ends_with(kSuffix) &&
         is_random_name(std::string_view(text).substr(start.size(), kLetters), kLetters);
}

WholeFile::WholeFile(fs::path path) : path_(std::move(path)) {
  if (const std::string kind = other_kind_of_file(path_); !kind.empty())
    user_error("{}: not a file that can be replaced, but {}: name the file to write", path_.string(), kind);
  struct stat there {};
  if (::lstat(path_.c_str(), &there) != 0 && errno != ENOENT)  // the name is too long, or a folder is a file
    cannot_be_created(path_, errno);
  temporary_ = create_under_random_name(path_, [this](const fs::path& name) {
    descriptor_ = open_locked(name);
    return descriptor_ < 0 ? errno : 0;
  });
}

WholeFile::WholeFile(fs::path path, fs::path temporary)
    : path_(std::move(path)), temporary_(std::move(temporary)), remove_(false) {
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat status {};
  const int error = descriptor_ < 0 || ::fstat(descriptor_, &status) ? errno
                    : S_ISREG(status.st_mode)                        ? 0
                                                                     : EINVAL;
  if (!error) {
    lock(descriptor_);
    size_ = static_cast<uint64_t>(std::max<off_t>(::lseek(descriptor_, 0, SEEK_END), 0));
    return;
  }
  if (descriptor_ >= 0) ::close(descriptor_);
  user_error("{}: cannot be continued ({})", temporary_.string(), std::strerror(error));
}

WholeFile::~WholeFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  std::error_code ignored;
  if (remove_) fs::remove(temporary_, ignored);
}

void WholeFile::unwritable(int error) const {
  user_error("{}: cannot be written ({}): make room on the disk", path_.string(), std::strerror(error));
}

void WholeFile::append(std::span<const std::byte> bytes) {
  CUTAWAY_CHECK(descriptor_ >= 0);
  for (std::span<const std::byte> rest = bytes; !rest.empty();) {
    const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) unwritable(errno);
    rest = rest.subspan(static_cast<size_t>(count));
  }
  size_ += bytes.size();
}

void WholeFile::truncate(uint64_t size) {
  const auto to = static_cast<off_t>(size);
  if (::ftruncate(descriptor_, to) != 0 || ::lseek(descriptor_, to, SEEK_SET) != to) unwritable(errno);
  size_ = size;
}

// File systems without RENAME_NOREPLACE have a plain rename.
void WholeFile::move_to(fs::path path) {
  CUTAWAY_CHECK(descriptor_ >= 0);
  temporary_ = create_under_random_name(path, [this](const fs::path& name) {
    if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    return ::rename(temporary_.c_str(), name.c_str()) ? errno : 0;
  });
  path_ = std::move(path);
}

void WholeFile::sync() {
  if (::fsync(descriptor_) != 0) unwritable(errno);
}

void WholeFile::commit() {
  CUTAWAY_CHECK(descriptor_ >= 0);
  std::error_code error;
  fs::rename(temporary_, path_, error);
  if (error) user_error("{}: cannot be created ({})", path_.string(), error.message());
  ::close(std::exchange(descriptor_, -1));
  remove_abandoned_files(path_);
}

void write_whole(const fs::path& path, std::string_view text) {
  WholeFile file(path);
  file.append(text);
  file.sync();
  file.commit();
}

}  // namespace cutaway
