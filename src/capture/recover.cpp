#include "capture/recover.h"

#include "capture/scan.h"

namespace cutaway::capture {

uint64_t recover(const std::filesystem::path& path) {
  constexpr int kLevel = 1;  // zstd's level for the index
  std::filesystem::path partial = path;
  partial += ".part";
  if (!std::filesystem::exists(partial)) return 0;
  Index index;
  {
    const InputFile file(partial);
    index = scan(file, file.size(), {.recover = true, .interruptible = false});
  }
  if (index.frames.empty()) {
    std::filesystem::remove(partial);
    return 0;
  }
  OutputFile file(path, OutputFile::Open::kPartial);
  return close_whole_frames(file, std::move(index), kLevel);
}

}  // namespace cutaway::capture
