#pragma once

#include <optional>

#include "database/database.h"
#include "run_record/frame_record.h"

namespace cutaway::report {

// Reads a frame's fragment log from a run's database, parts packed (docs/run-database.md). None: the frame
// has no log. UserError: the data is not a valid log.
std::optional<run_record::FragmentRecord> read_fragment_log(database::Database& database, uint64_t frame);

// Appends the events of a part. works: number of pieces of work of its frame. UserError: the part is damaged.
void read_fragment_part(const database::Database& database, const run_record::FragmentPart& part,
                        uint64_t works, std::vector<run_record::FragmentEvent>& events);

}  // namespace cutaway::report
