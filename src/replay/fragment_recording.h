#pragma once

#include "base/frame_record.h"
#include "machine/recording.h"

namespace cutaway::replay {

// What the log of a Recording holds, which has one. first: the core cycle after which the frame began. The
// log is empty afterwards.
FragmentRecord take_fragments(machine::Recording& recording, engine::Cycle first);

}  // namespace cutaway::replay
