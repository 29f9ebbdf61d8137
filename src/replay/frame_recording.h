#pragma once

#include "base/frame_record.h"
#include "machine/machine.h"

namespace cutaway::replay {

// Takes out of the machine what it noted since the last call, or since it was made. The machine is between
// two frames, and makes a Recording. first: the core cycle after which the frame began.
FrameRecord take_recording(machine::Machine& machine, engine::Cycle first);

}  // namespace cutaway::replay
