#pragma once

#include <string>

#include "replay/simulation.h"

namespace cutaway::replay {

// A frame's result as bytes, from a worker to the process that started it.
std::string encode_frame(const SimulatedFrame& frame);
SimulatedFrame decode_frame(const std::string& message);

}  // namespace cutaway::replay
