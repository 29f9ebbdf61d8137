#pragma once

#include "base/frame_record.h"
#include "parts/work_list.h"

namespace cutaway::replay {

// A version of the state in words, for readers of figures.
StateRecord state_record(const parts::WorkState& state);

}  // namespace cutaway::replay
