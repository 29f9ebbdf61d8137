#pragma once

#include "capture/index.h"

namespace cutaway::capture {

struct ScanOptions {
  bool recover = false;       // stops where the file does or its index begins, instead of a UserError
  bool interruptible = true;  // UserError when an interrupt comes, or has come (base/interrupt.h)
};

// Walks all chunks of a file up to `end`, comparing their checksums. UserError: damaged, or cut off.
Index scan(const InputFile& file, uint64_t end, const ScanOptions& options);

}  // namespace cutaway::capture
