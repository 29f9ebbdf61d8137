#pragma once

#include "machine/machine.h"
#include "run_record/frame_record.h"

namespace cutaway::replay {

// Takes everything recorded since the last call, or since the machine was made. The machine must be between
// two frames and have a Recording. first: the core cycle after which the frame began.
run_record::FrameRecord take_recording(machine::Machine& machine, engine::Cycle first);

}  // namespace cutaway::replay
