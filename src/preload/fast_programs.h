#pragma once

namespace cutaway::preload {

using Function = void (*)();
using ProcOffset = int (*)(const char* name);

// Puts functions into a table of Mesa's dispatch that watch which ARB fragment program is current, so that
// cutaway_fastest_precision() can tell if it asks for the fastest precision. Mesa's parser reads the option
// and drops it. A table that has other functions than the first stays as it is.
void watch_fast_programs(Function* table, ProcOffset offset);

}  // namespace cutaway::preload
