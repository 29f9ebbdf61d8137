#include "report/output_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "report/file_moves.h"
#include "report/picture_list.h"

namespace cutaway::report {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStagingPrefix = ".cutaway-";

[[noreturn]] void unwritable(const fs::path& path, const std::error_code& error) {
  user_error("{}: cannot be written ({}): name a folder that can be, with --out DIR", path.string(),
             error.message());
}

// The missing folders of a path, topmost first.
std::vector<fs::path> missing_folders(const fs::path& path) {
  std::vector<fs::path> missing;
  std::error_code error;
  for (fs::path part = fs::absolute(path); !part.empty() && !fs::exists(part, error);
       part = part.parent_path())
    if (part.has_filename()) missing.push_back(part);  // false for a trailing slash
  std::reverse(missing.begin(), missing.end());
  return missing;
}

// A descriptor that holds the lock of a staging folder, or -1: another process holds it, or the folder is
// gone, or, with `unsupported` set, folders there cannot be locked.
int lock_folder(const fs::path& folder, bool* unsupported = nullptr) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return -1;
  struct stat opened {
  }, there{};
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (unsupported) *unsupported = errno != EWOULDBLOCK;
  } else if (::fstat(descriptor, &opened) == 0 && ::stat(folder.c_str(), &there) == 0 &&
             opened.st_ino == there.st_ino && opened.st_dev == there.st_dev) {
    return descriptor;
  }
  ::close(descriptor);
  return -1;
}

// A process's lock ends with it, however it ends.
void remove_abandoned(const fs::path& path) {
  std::error_code error;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(path, error))
    if (entry.path().filename().string().starts_with(kStagingPrefix)) found.push_back(entry.path());
  for (const fs::path& folder : found) {
    const int lock = lock_folder(folder);
    if (lock < 0) continue;
    fs::remove_all(folder, error);
    ::close(lock);
  }
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(fs::relative(entry.path(), folder));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

OutputFolder::OutputFolder(fs::path path) : path_(std::move(path)), made_(missing_folders(path_)) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (!error) remove_abandoned(path_);
  try {
    if (error) unwritable(path_, error);
    stage();
  } catch (...) {
    leave();
    throw;
  }
}

// Retries: another process may remove a new folder that is not locked yet as abandoned.
void OutputFolder::stage() {
  constexpr int kTries = 100;
  bool unsupported = false;
  for (int i = 0; i < kTries && lock_ < 0 && !unsupported; i++) {
    std::string name = path_ / (std::string(kStagingPrefix) + "XXXXXX");
    if (!::mkdtemp(name.data())) unwritable(path_, {errno, std::generic_category()});
    staging_ = name;
    lock_ = lock_folder(staging_, &unsupported);
  }
  for (const char* folder : {"new", "old"}) {
    std::error_code error;
    fs::create_directory(staging_ / folder, error);
    if (error) unwritable(path_, error);
  }
}

OutputFolder::~OutputFolder() { leave(); }

void OutputFolder::leave() {
  std::error_code error;
  if (!staging_.empty()) fs::remove_all(staging_, error);
  if (lock_ >= 0) ::close(lock_);
  staging_.clear(), lock_ = -1;
  if (committed_) return;
  // Fails harmlessly if another command has put something there meanwhile.
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder)
    if (::rmdir(folder->c_str()) != 0) break;
}

fs::path OutputFolder::staged(const fs::path& name) const {
  const fs::path path = staging_ / "new" / name;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) unwritable(path.parent_path(), error);
  return path;
}

void OutputFolder::write(const fs::path& name, std::string_view text) const {
  StagedFile file(*this, name);
  file.append(text);
  file.close();
}

void OutputFolder::place(const fs::path& name) {
  std::error_code error;
  fs::rename(staging_ / "new" / name, path_ / name, error);
  if (error) unwritable(path_ / name, error);
}

void OutputFolder::commit() {
  const fs::path made = staging_ / "new";
  PictureList list = PictureList::read(path_);
  std::vector<fs::path> outdated;
  for (const char* folder : PictureList::kFolders)
    if (fs::exists(made / folder)) list.take_out(folder, outdated);
  for (const fs::path& file : files_below(made)) list.add(file);
  if (!list.empty()) write(PictureList::kName, list.text());

  FileMoves moves;
  for (const fs::path& picture : outdated) moves.move_if_there(path_ / picture, staging_ / "old" / picture);
  for (const fs::path& file : files_below(made))
    moves.replace(path_ / file, made / file, staging_ / "old" / file);
  moves.keep();
  pictured_ = fs::exists(made / "frames");
  committed_ = true;
  leave();
}

StagedFile::StagedFile(const OutputFolder& folder, const fs::path& name)
    : place_(folder.path() / name), file_(folder.staged(name), std::ios::binary) {
  check();
}

void StagedFile::append(std::string_view text) {
  errno = 0;
  file_ << text;
  check();
}

void StagedFile::close() {
  errno = 0;
  file_.close();
  check();
}

void StagedFile::check() const {
  if (!file_)
    user_error("{}: cannot be written ({}): make room on the disk", place_.string(), std::strerror(errno));
}

std::string OutputFolder::pictures() const {
  return pictured_ ? (path_ / "frames").string() : "none: nothing was presented";
}

}  // namespace cutaway::report
