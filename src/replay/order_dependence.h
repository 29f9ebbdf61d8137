#pragma once

#include <optional>

#include "arch/memory.h"
#include "capture/reader.h"
#include "replay/frame_steps.h"

namespace cutaway::replay {

// The first draw or dispatch of a frame whose result may depend on the order of its threads, by the rule of
// docs/pipeline.md, "Storage cache": one of its programs uses the result of an atomic, or exchanges. Without
// its targets. start: memory at the frame's start.
std::optional<Step> order_dependent_work(const capture::Reader& reader, uint64_t frame,
                                         const arch::Memory& start);

}  // namespace cutaway::replay
