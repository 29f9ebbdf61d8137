#include "report/output_folder.h"

#include <fstream>
#include <unistd.h>
#include <vector>

#include "base/error.h"

namespace cutaway::report {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void unwritable(const fs::path& path, const std::error_code& error) {
  user_error("{}: cannot be written ({}): name a folder that can be, with --out DIR", path.string(),
             error.message());
}

// The topmost folder of a path that does not exist yet.
fs::path first_missing(const fs::path& path) {
  fs::path missing;
  for (fs::path part = fs::absolute(path); !part.empty() && !fs::exists(part); part = part.parent_path()) {
    if (!part.has_filename()) continue;  // a trailing slash
    missing = part;
  }
  return missing;
}

}  // namespace

OutputFolder::OutputFolder(fs::path path) : path_(std::move(path)) {
  std::error_code error;
  made_ = first_missing(path_);
  fs::create_directories(path_, error);
  if (error) unwritable(path_, error);
  staging_ = path_ / fmt::format(".cutaway-{}", getpid());
  fs::remove_all(staging_, error);
  fs::create_directory(staging_, error);
  if (error) {
    std::error_code ignored;
    if (!made_.empty()) fs::remove_all(made_, ignored);
    unwritable(path_, error);
  }
}

OutputFolder::~OutputFolder() {
  std::error_code error;
  fs::remove_all(staging_, error);
  if (!committed_ && !made_.empty()) fs::remove_all(made_, error);
}

fs::path OutputFolder::staged(const fs::path& name) const {
  const fs::path path = staging_ / name;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) unwritable(path.parent_path(), error);
  return path;
}

void OutputFolder::write(const fs::path& name, std::string_view text) const {
  std::ofstream file(staged(name), std::ios::binary);
  file << text;
  file.close();
  if (!file) user_error("{}: cannot be written: make room on the disk", (path_ / name).string());
}

void OutputFolder::commit() {
  std::error_code error;
  pictured_ = fs::exists(staging_ / "frames", error);
  for (const char* folder : {"frames", "primitives"}) {
    if (!fs::exists(staging_ / folder, error)) continue;
    for (const auto& entry : fs::directory_iterator(path_ / folder, error))
      if (entry.path().extension() == ".png") fs::remove(entry.path(), error);
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(staging_))
    if (entry.is_regular_file()) files.push_back(fs::relative(entry.path(), staging_));
  for (const fs::path& file : files) {
    fs::create_directories((path_ / file).parent_path(), error);
    fs::rename(staging_ / file, path_ / file, error);
    if (error) unwritable(path_ / file, error);
  }
  committed_ = true;
}

std::string OutputFolder::pictures() const {
  return pictured_ ? (path_ / "frames").string() : "none: nothing was presented";
}

}  // namespace cutaway::report
