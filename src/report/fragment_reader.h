#pragma once

#include <optional>

#include "base/frame_record.h"
#include "database/database.h"

namespace cutaway::report {

// The log of a frame's fragments as a database of a run holds it, parts packed (docs/run-database.md). None:
// the frame has no log. UserError: what stands there cannot be one.
std::optional<FragmentRecord> read_fragment_log(database::Database& database, uint64_t frame);

// Appends the events of a part. works: pieces of work of its frame. UserError: it is damaged.
void read_fragment_part(const database::Database& database, const FragmentPart& part, uint64_t works,
                        std::vector<FragmentEvent>& events);

}  // namespace cutaway::report
