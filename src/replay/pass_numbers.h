#pragma once

#include <cstdint>
#include <vector>

#include "run_record/frame_record.h"

namespace cutaway::replay {

// Gives each piece of work its pass. Draws and dispatches have that of their state. Other work belongs to the
// pass before it, or to the first. But clears between two passes, and what follows them, belong to the
// second, unless they carry the label of the first pass's end and the second has another. A pass is of one
// context: work of another one ends it. Returns the number of each pass that the states name.
std::vector<uint32_t> number_passes(run_record::FrameRecord& record);

}  // namespace cutaway::replay
