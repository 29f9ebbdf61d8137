#pragma once

#include <string>

#include "replay/simulation.h"

namespace cutaway::replay {

// Serialises a frame's result, for a worker to send to the process that started it.
std::string encode_frame(const SimulatedFrame& frame);
SimulatedFrame decode_frame(const std::string& message);

}  // namespace cutaway::replay
