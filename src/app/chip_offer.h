#pragma once

#include <string>

#include "draw/clocked.h"

namespace cutaway::app {

// What a chip with these abilities lacks and the driver can leave out, as CUTAWAY_WITHOUT takes it
// (docs/driver.md). Empty: nothing.
std::string without(const draw::Abilities& abilities);
// The formats that it takes, as CUTAWAY_FORMATS takes them. Empty: all.
std::string formats(const draw::Abilities& abilities);

}  // namespace cutaway::app
