#include "report/file_moves.h"

#include "base/error.h"

namespace cutaway::report {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::symlink_status(path, error).type() != fs::file_type::not_found;
}

[[noreturn]] void refuse(const fs::path& path, const std::string& reason) {
  user_error("{}: cannot be written ({}); nothing was changed", path.string(), reason);
}

}  // namespace

FileMoves::~FileMoves() {
  if (kept_) return;
  std::error_code error;
  for (auto move = moved_.rbegin(); move != moved_.rend(); ++move)
    fs::rename(move->second, move->first, error);
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) fs::remove(*folder, error);
}

void FileMoves::move_if_there(const fs::path& from, const fs::path& to) {
  if (is_there(from)) move(from, to);
}

void FileMoves::replace(const fs::path& file, const fs::path& with, const fs::path& aside) {
  std::error_code error;
  if (fs::symlink_status(file, error).type() == fs::file_type::directory)
    refuse(file, "a folder of that name is in the way");
  move_if_there(file, aside);
  move(with, file);
}

void FileMoves::move(const fs::path& from, const fs::path& to) {
  make_folder(to.parent_path());
  std::error_code error;
  fs::rename(from, to, error);
  if (error) refuse(to, error.message());
  moved_.emplace_back(from, to);
}

void FileMoves::make_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error)) return;
  make_folder(folder.parent_path());
  if (!fs::create_directory(folder, error)) refuse(folder, error ? error.message() : "not a folder");
  made_.push_back(folder);
}

}  // namespace cutaway::report
