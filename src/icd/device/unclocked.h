#pragma once

namespace cutaway::icd {

// Whether the driver also offers stages that only the emulator executes so far: CUTAWAY_UNCLOCKED=1 in the
// environment. Frames recorded without it can be simulated.
bool offers_unclocked_stages();

}  // namespace cutaway::icd
