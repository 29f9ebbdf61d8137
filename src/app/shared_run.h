#pragma once

#include "app/commands.h"

namespace cutaway::app {

// Simulates frames of a capture beside those of others on one GPU (`simulate --with`), prints the times of
// each together and alone, and writes pictures and shared.json to the folder for results, if there is one.
// Returns kOk, or kFailed if verify found a difference or a program was lost.
int simulate_shared(const CommandArguments& arguments);

}  // namespace cutaway::app
