#pragma once

#include "capture/index.h"

namespace cutaway::capture {

struct ScanOptions {
  bool recover = false;       // stops at the end of the file or at its index instead of throwing a UserError
  bool interruptible = true;  // throws UserError after an interrupt (base/interrupt.h)
};

// Walks all chunks of a file up to `end` and verifies their checksums. UserError: damaged, or cut off.
Index scan(const InputFile& file, uint64_t end, const ScanOptions& options);

}  // namespace cutaway::capture
