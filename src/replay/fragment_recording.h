#pragma once

#include "base/frame_record.h"
#include "machine/recording.h"

namespace cutaway::replay {

// Takes the log of a Recording, which must have one, and empties it. first: the core cycle after which the
// frame began.
FragmentRecord take_fragments(machine::Recording& recording, engine::Cycle first);

}  // namespace cutaway::replay
