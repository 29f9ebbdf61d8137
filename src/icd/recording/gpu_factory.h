#pragma once

#include <memory>
#include <string>

#include "arch/gpu.h"

namespace cutaway::icd {

// The GPU behind a device. The environment may ask for a recording of everything that it is sent:
//   CUTAWAY_CAPTURE=FILE    into FILE: the first device that presents, or the last made of those that do not
//   CUTAWAY_FRAMES=A..B     only these frames, counted from 1 by presents ("A", "A..B", "A..")
//   CUTAWAY_KEY_FRAMES=K    a key frame every K frames; 0: only where the capture begins
//   CUTAWAY_PROGRESS_FD=N   lines to that file descriptor: see progress.h
//   CUTAWAY_PROGRESS_PIPE=PATH   where its pipe is found again by a process that has it no more
//   CUTAWAY_THREADS=N       threads that the emulator draws with
// UserError: the capture cannot be created, or the range is not one.
std::unique_ptr<arch::Gpu> make_gpu();

// Tells that a GPU of make_gpu() is lost, and why. If it is the one that is being recorded, the recording
// ends with the frames that are whole.
void gpu_lost(const arch::Gpu& gpu, const std::string& why);

}  // namespace cutaway::icd
