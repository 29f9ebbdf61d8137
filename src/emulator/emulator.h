#pragma once

#include <functional>
#include <memory>

#include "arch/gpu.h"
#include "arch/packet.h"
#include "arch/registers.h"
#include "command_stream/work.h"
#include "emulator/draw_observer.h"
#include "emulator/statistics.h"

// The whole GPU without a clock: executes every packet at once, in order, from memory, and gives the exact
// memory contents afterwards. It models no caches: flushes and invalidations do nothing.
namespace cutaway::emulator {

struct FrameEnd {
  uint64_t frame = 0;       // counts from Options::first_frame
  arch::Picture picture;    // may be moved from
  arch::Surface surface{};  // the surface of the scan-out
  Statistics statistics;    // of the submissions since the previous frame
};

// A pixel of a target to which a fragment was written.
struct PixelWrite {
  uint64_t submission = 0;
  uint32_t draw = 0;       // counts from 1 in its submission
  uint32_t primitive = 0;  // primitive id as the program sees it: counts from 0 in each instance
  uint32_t x = 0, y = 0;
  arch::Address address = 0;
  uint32_t bytes = 0;
  bool depth = false;    // of the depth and stencil target
  bool blended = false;  // the previous contents contribute
  // The program read something on which GPUs may differ: a nearest texel at the very edge of the next one, or
  // a texture through an anisotropic sampler.
  bool texel_tie = false, anisotropic = false;
};

// A draw or a dispatch that has ended.
struct EndedWork {
  const arch::Registers& registers;
  bool dispatch = false;
  Statistics statistics;  // of it alone
};

struct Options {
  uint64_t first_frame = 1;
  std::function<void(FrameEnd&)> on_frame;  // called after a submission that presents

  // Called for values that a query wrote and that may differ on another GPU (a timestamp, some pipeline
  // statistics), in packet order: the submission, the address, the value.
  std::function<void(uint64_t submission, arch::Address, uint64_t value)> on_query;

  // Called for every written pixel, in order, with its draw and primitive. Slows the emulator down.
  std::function<void(const PixelWrite&)> on_pixel;
  // Called after each packet, for observers of memory. A CALL comes before its commands.
  std::function<void(uint64_t submission, arch::Opcode opcode)> on_packet;

  DrawObserver* draw_observer = nullptr;  // null: none

  // Called after each draw and dispatch that was executed.
  std::function<void(const EndedWork&)> on_work;

  // Threads that shade vertices and draw, including the caller's; 0: one per available CPU. Memory, counters
  // and faults do not depend on it, except for pixels drawn before a fault in a fragment program. With
  // on_pixel a single thread draws.
  uint32_t threads = 1;
  bool all_threads_help = false;  // in each job, however small: for tests

  // Limits beyond which a submission counts as endless: the work that all GPUs count, and steps, which only
  // the emulator counts. A step is a packet, a vertex, a tile, an instruction of one lane, a texture sample,
  // or 64 copied bytes.
  command_stream::WorkLimits work;
  uint64_t step_limit = uint64_t{1} << 40;
};

class Emulator : public arch::Gpu {
 public:
  virtual const Statistics& totals() const = 0;  // since the start, including faulted submissions
  virtual uint64_t hash() const = 0;             // hash of all memory, by context in rising order
};

std::unique_ptr<Emulator> make_emulator(Options options = {});
inline std::unique_ptr<arch::Gpu> make_gpu(Options options = {}) { return make_emulator(std::move(options)); }

}  // namespace cutaway::emulator
