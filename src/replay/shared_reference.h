#pragma once

#include <optional>
#include <string>
#include <vector>

#include "replay/named_surface.h"
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

// The surfaces of the first program that are windows, by program; nothing: the program has none. UserError:
// the first program has no such surface, or one that cannot be a window.
std::vector<std::optional<NamedSurface>> find_windows(const std::vector<SharedProgram>& programs,
                                                      const SharedOptions& options);

// The windows themselves. UserError: the first program writes to such a surface, frees it or presents it; a
// program presents no picture, pictures of another shape, or two in a row in one surface.
std::vector<Windows::Window> make_windows(const std::vector<SharedProgram>& programs,
                                          const std::vector<std::optional<NamedSurface>>& surfaces,
                                          const std::vector<Reference>& references,
                                          const SharedOptions& options);

// Runs the first program with the pictures that its windows showed on the machine. The values of its queries
// are those of this run.
Reference emulate_windows(const std::vector<SharedProgram>& programs, const SharedOptions& options,
                          const Windows& windows);

// How a program's run on the machine, which left this memory, differs from the emulator's; empty: not at all.
std::string difference_of(const Reference& reference, const SharedRun::Program& program,
                          const arch::Memory& memory);

}  // namespace cutaway::replay
