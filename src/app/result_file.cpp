#include "app/result_file.h"

#include <sys/stat.h>
#include <utility>

#include "app/terminal.h"

namespace cutaway::app {

FileStamp::FileStamp(std::filesystem::path path) : path_(std::move(path)), state_(now()) {}

FileStamp::State FileStamp::now() const {
  struct stat status {};
  if (::lstat(path_.c_str(), &status) != 0) return {};
  return {status.st_dev, status.st_ino, status.st_ctim.tv_sec, status.st_ctim.tv_nsec};
}

bool FileStamp::is_outdated() const {
  const State current = now();
  return current != State{} && current != state_;
}

void tell_if_outdated(const FileStamp& stamp) {
  if (stamp.is_outdated())
    tell_error("cutaway: {}: another command wrote this file meanwhile; it is replaced\n", stamp.path());
}

void ResultFile::keep() {
  tell_if_outdated(stamp_);
  file_.commit();
  note_result(path());
}

}  // namespace cutaway::app
