#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "arch/gpu.h"
#include "capture/reader.h"
#include "emulator/emulator.h"
#include "machine/machine.h"
#include "replay/primitive_map.h"

namespace cutaway::replay {

// A frame as the emulator ran it.
struct EmulatedFrame {
  uint64_t frame = 0;
  std::optional<arch::Picture> picture;     // none: the frame presents nothing
  std::optional<arch::Surface> presented;   // that the picture was scanned out of
  std::optional<arch::Picture> primitives;  // with SeekerOptions::primitives: see PrimitiveMap
  emulator::Statistics statistics;
  std::vector<parts::QueryValue> query_values;  // that a clocked machine cannot know, in order
  double seconds = 0;
};

struct SeekerOptions {
  bool primitives = false;  // tell which primitive each pixel shows; slow
  uint32_t threads = 1;     // as emulator::Options::threads
  // Before each frame that is emulated on the way to the one asked for, or that one if there is none.
  std::function<void(uint64_t frame)> on_frame = {};
};

// Walks a capture on the emulator: it stands at the start of a frame and steps over it.
class Seeker {
 public:
  // From the nearest key frame to the start of `frame`. UserErrors, of step() too: of the reader, a GPU that
  // stops, an interrupt within an InterruptGuard.
  Seeker(const capture::Reader& reader, uint64_t frame, const SeekerOptions& seeker_options = {});

  uint64_t frame() const { return frame_; }  // at whose start it stands
  EmulatedFrame step();                      // runs that frame

  // All GPU memory. Copies are cheap: they share pages until one is written.
  const arch::Memory& memory() const { return emulator_->memory(context_); }
  arch::ContextId context() const { return context_; }
  const capture::Reader& reader() const { return reader_; }

 private:
  class Entry;
  void check_fault() const;

  const capture::Reader& reader_;
  std::unique_ptr<emulator::Emulator> emulator_;
  uint64_t frame_ = 0;
  std::optional<arch::ContextId> seen_;
  arch::ContextId context_ = 0;
  std::optional<arch::Picture> picture_, primitives_;
  std::optional<arch::Surface> presented_;
  std::vector<parts::QueryValue> query_values_;
  PrimitiveMap map_;
};

// What stopped a GPU, in a line: the capture asks for something that is not legal or not supported.
[[noreturn]] void stopped(const capture::Reader& reader, uint64_t frame, const char* gpu,
                          const arch::Fault& fault);

}  // namespace cutaway::replay
