#include "capture/recover.h"

#include <algorithm>

#include "capture/scan.h"

namespace cutaway::capture {

namespace fs = std::filesystem;

uint64_t recover(const fs::path& temporary, const fs::path& path) {
  constexpr int kLevel = 1;  // zstd's level for the index
  Index index;
  {
    const InputFile file(temporary);
    index = scan(file, file.size(), {.recover = true, .interruptible = false});
  }
  if (index.frames.empty()) {
    fs::remove(temporary);
    return 0;
  }
  WholeFile file(path, temporary);
  return close_whole_frames(file, std::move(index), kLevel);
}

std::vector<fs::path> temporary_files(const fs::path& path) {
  std::vector<fs::path> files;
  std::error_code error;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (WholeFile::is_temporary(entry.path(), path)) files.push_back(entry.path());
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    std::error_code ignored;
    return fs::last_write_time(a, ignored) > fs::last_write_time(b, ignored);
  });
  return files;
}

}  // namespace cutaway::capture
