#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "run_record/timeline.h"

namespace cutaway::report {

// Writes a timeline as a Perfetto trace (docs/timeline.md), for ui.perfetto.dev and its trace processor. A
// cycle of the core's clock is shown as a microsecond: cycle n begins at n µs, and events of other clocks are
// rounded to a thousandth of a cycle.
constexpr uint64_t kPerfettoCycle = 1000;  // ns

// Passes the file to `append` in pieces.
void write_perfetto(const run_record::Timeline& timeline,
                    const std::function<void(std::span<const std::byte>)>& append);

}  // namespace cutaway::report
