#pragma once

namespace cutaway {

// The preloaded library (src/preload/) exports this function: true while the calling thread draws with an ARB
// fragment program that has OPTION ARB_precision_hint_fastest.
using FastestPrecision = bool (*)();
inline constexpr const char* kFastestPrecision = "cutaway_fastest_precision";

}  // namespace cutaway
