#pragma once

#include <optional>

#include "capture/reader.h"

namespace cutaway::replay {

// A submission of a frame that may be under way together with this one, since it is of the other queue and
// neither follows the other (arch::Submission::after): the nearest in order. Nothing: there is none.
std::optional<uint64_t> submission_beside(const capture::Reader& reader, uint64_t frame, uint64_t submission);

}  // namespace cutaway::replay
