#pragma once

#include "base/frame_record.h"
#include "parts/work_list.h"

namespace cutaway::replay {

// Describes a version of the state in words, for readers of figures.
StateRecord state_record(const parts::WorkState& state);

}  // namespace cutaway::replay
