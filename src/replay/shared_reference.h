#pragma once

#include <string>
#include <vector>

#include "replay/seeker.h"
#include "replay/shared_gpu.h"
#include "replay/windows.h"

namespace cutaway::replay {

// A program that shares a GPU, as the emulator runs it alone: how it must run beside others, too.
struct Reference {
  arch::Memory start, end;
  std::vector<EmulatedFrame> frames;
  std::vector<messages::QueryValue> query_values;
  std::string fault;  // the emulator stopped in the frame after `frames`; empty: it did not
};

// Runs a program's frames. UserErrors: the reader's and check_supported()'s; a program whose memory no
// context can have.
Reference emulate(const SharedProgram& program, const SharedOptions& options);

// The windows of the first program, for the others that have one (SharedProgram::window). UserErrors: the
// first program has no such surface, or draws to it itself; a program presents pictures of another shape, or
// all in one surface.
std::vector<Windows::Window> make_windows(const std::vector<SharedProgram>& programs,
                                          const std::vector<Reference>& references);

// Runs the first program again with the pictures that its windows showed on the machine.
void emulate_windows(Reference& compositor, const std::vector<SharedProgram>& programs,
                     const SharedOptions& options, const Windows& windows);

// How a program's run on the machine, which left this memory, differs from the emulator's; empty: not at all.
std::string difference_of(const Reference& reference, const SharedRun::Program& program,
                          const arch::Memory& memory);

}  // namespace cutaway::replay
