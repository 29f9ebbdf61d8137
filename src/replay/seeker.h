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

// The result of a frame on the emulator.
struct EmulatedFrame {
  uint64_t frame = 0;
  std::optional<arch::Picture> picture;     // none: the frame presents nothing
  std::optional<arch::Surface> presented;   // the surface of the picture's scan-out
  std::optional<arch::Picture> primitives;  // with SeekerOptions::primitives: see PrimitiveMap
  emulator::Statistics statistics;
  std::vector<messages::QueryValue> query_values;  // values that a clocked machine cannot know, in order
  double seconds = 0;
};

struct SeekerOptions {
  bool primitives = false;                                       // map each pixel to its primitive; slow
  uint32_t threads = 1;                                          // see emulator::Options::threads
  std::function<void(const emulator::EndedWork&)> on_work = {};  // see emulator::Options::on_work
  emulator::DrawObserver* draw_observer = nullptr;               // see emulator::Options::draw_observer
  // Called before each frame that is emulated on the way to the requested one, or before that one if there
  // are none.
  std::function<void(uint64_t frame)> on_frame = {};
};

// Walks a capture on the emulator, one frame at a time.
class Seeker {
 public:
  // Runs from the nearest key frame to the start of `frame`. UserErrors, here and in step(): the reader's, a
  // stopped GPU, an interrupt within an InterruptGuard.
  Seeker(const capture::Reader& reader, uint64_t frame, const SeekerOptions& seeker_options = {});

  uint64_t frame() const { return frame_; }  // the frame at whose start it stands
  EmulatedFrame step();                      // runs that frame

  // Writes memory before the next frame.
  void write(arch::Address address, std::span<const std::byte> bytes);
  // All GPU memory. Copies are cheap: they share pages until a page is written.
  const arch::Memory& memory() const { return emulator_->memory(context_); }
  arch::ContextId context() const { return context_; }
  const capture::Reader& reader() const { return reader_; }
  bool fault(arch::Fault& fault) const { return emulator_->fault(fault); }  // true after such an error

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
  std::vector<messages::QueryValue> query_values_;
  PrimitiveMap map_;
};

// Throws the one-line error for a stopped GPU: the capture contains something illegal or unsupported.
[[noreturn]] void stopped(const capture::Reader& reader, uint64_t frame, const char* gpu,
                          const arch::Fault& fault);

}  // namespace cutaway::replay
