#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "base/timeline.h"

namespace cutaway::report {

// A timeline as a trace of Perfetto (docs/timeline.md), for ui.perfetto.dev and its trace processor. A cycle
// of the core's clock is shown as a microsecond: cycle n begins at n µs, and what other clocks do stands at
// the nearest thousandth of a cycle.
constexpr uint64_t kPerfettoCycle = 1000;  // ns

// Hands the file to `append`, piece by piece.
void write_perfetto(const Timeline& timeline, const std::function<void(std::span<const std::byte>)>& append);

}  // namespace cutaway::report
