#include "app/output_file.h"

#include <filesystem>
#include <system_error>

#include "base/error.h"

namespace cutaway::app {

void open_output(const std::string& path, const char* what, std::optional<capture::OutputFile>& file) {
  std::error_code error;
  const auto there = std::filesystem::status(path, error);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
    user_error("{}: not a file that can be replaced; name the {} file to write", path, what);
  file.emplace(path);
}

}  // namespace cutaway::app
