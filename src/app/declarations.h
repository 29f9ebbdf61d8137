#pragma once

#include <vector>

#include "report/declaration.h"

namespace cutaway::app {

// The declarations of the parameters of all presets, by path.
std::vector<report::Declaration> declarations();

}  // namespace cutaway::app
