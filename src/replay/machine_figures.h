#pragma once

#include "machine/machine.h"
#include "run_record/figures.h"

namespace cutaway::replay {

// Everything that a machine has counted so far, without the frame's number, its memory's hash and figures of
// the host.
run_record::FrameFigures figures_of(machine::Machine& machine, double core_mhz);

}  // namespace cutaway::replay
