#include "capture/scan.h"

#include "base/error.h"
#include "base/interrupt.h"

namespace cutaway::capture {

Index scan(const InputFile& file, uint64_t end, const ScanOptions& options) {
  const auto [recover, interruptible] = options;
  IndexBuilder builder;
  std::vector<std::byte> stored;
  uint64_t offset = sizeof(FileHeader);
  try {
    while (offset < end) {
      if (interruptible) end_if_interrupted();
      const ChunkHeader header = read_chunk_header(file, offset);
      if (recover && static_cast<ChunkKind>(header.kind) == ChunkKind::kIndex) break;
      read_stored(file, offset, header, stored);
      const bool first = offset == sizeof(FileHeader);
      if (first != (static_cast<ChunkKind>(header.kind) == ChunkKind::kMetadata) ||
          !builder.add(offset, header))
        altered(file.path(), offset, "order of chunks");
      offset = builder.index().end;
    }
    if (offset != end && !recover) altered(file.path(), end, "order of chunks");
  } catch (const UserError&) {
    if (!recover || (interruptible && interrupted())) throw;
  }
  return builder.index();
}

}  // namespace cutaway::capture
