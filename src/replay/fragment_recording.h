#pragma once

#include "machine/recording.h"
#include "run_record/frame_record.h"

namespace cutaway::replay {

// Takes the log of a Recording, which must have one, and empties it. first: the core cycle after which the
// frame began.
run_record::FragmentRecord take_fragments(machine::Recording& recording, engine::Cycle first);

}  // namespace cutaway::replay
