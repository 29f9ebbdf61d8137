#pragma once

#include "messages/work_list.h"
#include "run_record/frame_record.h"

namespace cutaway::replay {

// Describes a version of the state in words, for readers of figures.
run_record::StateRecord state_record(const messages::WorkState& state);

}  // namespace cutaway::replay
