#include "replay/frame_start.h"

#include "base/error.h"
#include "base/text.h"

namespace cutaway::replay {
namespace {

// The first frame that a machine runs, its warm-up included.
uint64_t first_run(const capture::Reader& reader, uint64_t first, uint64_t warmup) {
  const uint64_t held = reader.info().first_frame();
  if (first < held || first > reader.info().last_frame())
    user_error("frame {}: the capture holds {}..{}", first, held, reader.info().last_frame());
  if (warmup > first - held)
    user_error("--warmup {}: the capture holds {} before frame {}; simulate frames from {}", warmup,
               counted(first - held, "frame"), first, held + warmup);
  return first - warmup;
}

// The frame from which the emulator starts: the one before, if the capture has it, because its picture is on
// the display.
uint64_t first_emulated(const capture::Reader& reader, uint64_t first_run) {
  return first_run > reader.info().first_frame() ? first_run - 1 : first_run;
}

}  // namespace

ClockOptions::Amount amount_of(const EmulatedFrame& frame) {
  return {frame.statistics.primitives_in, frame.statistics.fragments};
}

StartWalker::StartWalker(const capture::Reader& reader, uint64_t first, uint64_t warmup,
                         const std::function<void(uint64_t frame)>& on_seek)
    : seeker_(reader, first_emulated(reader, first_run(reader, first, warmup)), {.on_frame = on_seek}),
      frame_(first - warmup) {
  if (seeker_.frame() < frame_) {
    EmulatedFrame before = seeker_.step();
    display(before);
  }
  starts_.push_back({seeker_.memory(), displayed_, picture_, {}, {}});
  while (frame_ < first) step();
}

void StartWalker::emulate() {
  if (!emulated_) emulated_ = seeker_.step();
}

// Takes the frame's picture.
void StartWalker::display(EmulatedFrame& frame) {
  if (frame.presented) displayed_ = frame.presented, picture_ = std::move(frame.picture);
}

void StartWalker::step() {
  emulate();
  starts_.back().query_values = std::move(emulated_->query_values);
  starts_.back().amount = amount_of(*emulated_);
  display(*emulated_);
  starts_.push_back({seeker_.memory(), displayed_, picture_, {}, {}});
  emulated_.reset();
  frame_++;
}

void StartWalker::next() {
  step();
  starts_.pop_front();
}

}  // namespace cutaway::replay
