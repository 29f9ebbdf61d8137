#pragma once

#include <memory>
#include <string>

#include "arch/gpu.h"

namespace cutaway::icd {

// Makes the GPU behind a device. The environment may request a recording of everything sent to it:
//   CUTAWAY_CAPTURE=FILE    records to FILE the first device that presents, or the last made if none presents
//   CUTAWAY_FRAMES=A..B     only these frames, counted from 1 by presents ("A", "A..B", "A..")
//   CUTAWAY_KEY_FRAMES=K    a key frame every K frames; 0: only at the start of the capture
//   CUTAWAY_PROGRESS_FD=N   writes lines to that file descriptor: see progress.h
//   CUTAWAY_PROGRESS_PIPE=PATH   path of its pipe, for a process that no longer has the descriptor
//   CUTAWAY_THREADS=N       number of drawing threads of the emulator
// UserError: the capture cannot be created, or the range is invalid.
std::unique_ptr<arch::Gpu> make_gpu();

// Reports that a GPU of make_gpu() is lost, and why. If it is being recorded, the recording ends with its
// whole frames.
void gpu_lost(const arch::Gpu& gpu, const std::string& why);

}  // namespace cutaway::icd
