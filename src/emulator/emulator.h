#pragma once

#include <functional>
#include <memory>

#include "arch/gpu.h"
#include "arch/packet.h"
#include "draw/work.h"
#include "emulator/statistics.h"

// The whole GPU without a clock: executes every packet at once, in order, from memory, and says exactly what
// memory holds afterwards. It takes no cache into account: flushes and invalidations do nothing.
namespace cutaway::emulator {

struct FrameEnd {
  uint64_t frame = 0;       // counts from Options::first_frame
  arch::Picture picture;    // may be moved from
  arch::Surface surface{};  // that it was scanned out of
  Statistics statistics;    // of the submissions since the frame before
};

// A pixel of a target that a fragment was written to.
struct PixelWrite {
  uint64_t submission = 0;
  uint32_t draw = 0;       // counts from 1 in its submission
  uint32_t primitive = 0;  // as the program sees it: counts from 0 in each instance
  uint32_t x = 0, y = 0;
  arch::Address address = 0;
  uint32_t bytes = 0;
  bool depth = false;    // of the depth and stencil target
  bool blended = false;  // what was there before counts too
  // What its program read that GPUs need not agree on: a nearest texel at the very edge of the next one; a
  // texture with an anisotropic sampler.
  bool texel_tie = false, anisotropic = false;
};

struct Options {
  uint64_t first_frame = 1;
  std::function<void(FrameEnd&)> on_frame;  // when a submission that presents has ended

  // Values that a query wrote and that another GPU need not agree with (a timestamp, some pipeline
  // statistics), in the order of the packets: the submission, the address, the value.
  std::function<void(uint64_t submission, arch::Address, uint64_t value)> on_query;

  // Every pixel written, in order: who drew what. Slows the emulator down.
  std::function<void(const PixelWrite&)> on_pixel;
  // When a packet has been executed: for those who watch memory. A CALL comes before its commands.
  std::function<void(uint64_t submission, arch::Opcode opcode)> on_packet;

  // Threads that shade vertices and draw, the caller's among them; 0: one for each available CPU. Neither
  // memory nor a counter nor a fault depends on it, but for what is drawn before a fault in a fragment
  // program. With on_pixel one draws.
  uint32_t threads = 1;

  // What a submission may take before it is taken for one that does not end: what all GPUs count, and steps,
  // which this one counts. A step is a packet, a vertex, a tile, an instruction of one lane, a texture
  // sample, 64 bytes copied.
  draw::WorkLimits work;
  uint64_t step_limit = uint64_t{1} << 40;
};

class Emulator : public arch::Gpu {
 public:
  virtual const Statistics& totals() const = 0;  // since the start, faulted submissions too
  virtual uint64_t hash() const = 0;             // of all memory, by context in rising order
};

std::unique_ptr<Emulator> make_emulator(Options options = {});
inline std::unique_ptr<arch::Gpu> make_gpu(Options options = {}) { return make_emulator(std::move(options)); }

}  // namespace cutaway::emulator
