#include "report/output_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <unistd.h>

#include "base/error.h"
#include "report/file_moves.h"
#include "report/picture_list.h"

namespace cutaway::report {
namespace {

namespace fs = std::filesystem;

constexpr const char *kStagingPrefix = ".cutaway-", *kAdvice = "name a folder that can be, with --out DIR";

[[noreturn]] void unwritable(const fs::path& path, const std::error_code& error) {
  user_error("{}: cannot be written ({}): {}", path.string(), error.message(), kAdvice);
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
  try {
    if (error) unwritable(path_, error);
    staging_.emplace(path_, kStagingPrefix, kAdvice);
    for (const char* folder : {"new", "old"})
      if (!fs::create_directory(staging_->path() / folder, error) && error) unwritable(path_, error);
  } catch (...) {
    leave();
    throw;
  }
}

OutputFolder::~OutputFolder() { leave(); }

void OutputFolder::leave() {
  staging_.reset();
  if (committed_) return;
  // Fails harmlessly if another command has put something there meanwhile.
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder)
    if (::rmdir(folder->c_str()) != 0) break;
}

fs::path OutputFolder::staged(const fs::path& name) const {
  const fs::path path = staging_->path() / "new" / name;
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
  fs::rename(staging_->path() / "new" / name, path_ / name, error);
  if (error) unwritable(path_ / name, error);
}

void OutputFolder::commit() {
  const fs::path made = staging_->path() / "new";
  PictureList list = PictureList::read(path_);
  std::vector<fs::path> outdated;
  for (const char* folder : PictureList::kFolders)
    if (fs::exists(made / folder)) list.take_out(folder, outdated);
  for (const fs::path& file : files_below(made)) list.add(file);
  if (!list.empty()) write(PictureList::kName, list.text());

  FileMoves moves;
  for (const fs::path& picture : outdated)
    moves.move_if_there(path_ / picture, staging_->path() / "old" / picture);
  for (const fs::path& file : files_below(made))
    moves.replace(path_ / file, made / file, staging_->path() / "old" / file);
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
