#pragma once

#include <string>

#include "arch/memory.h"
#include "capture/reader.h"

namespace cutaway::replay {

// The first draw or dispatch of a frame whose result may hang on which of its threads come first, by the rule
// of docs/pipeline.md, "Storage cache": a program of it uses what an atomic returns, or exchanges. In words;
// empty: there is none. start: memory at the frame's start.
std::string order_dependent_work(const capture::Reader& reader, uint64_t frame, const arch::Memory& start);

}  // namespace cutaway::replay
