#pragma once

#include "run_record/frame_record.h"

namespace cutaway::replay {

// Gives each piece of work its pass. Draws and dispatches have that of their state. Other work belongs to the
// pass before it, or to the first. But clears between two passes, and what follows them, belong to the
// second, unless they carry the label of the first pass's end and the second has another.
void number_passes(run_record::FrameRecord& record);

}  // namespace cutaway::replay
