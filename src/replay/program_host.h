#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "arch/gpu.h"
#include "capture/reader.h"

namespace cutaway::replay {

// The host of one program on a machine that several share: hands a frame's submissions over in order, each
// once the one before it has ended, with what the program does to memory before.
class ProgramHost final : private arch::CommandSink {
 public:
  // Plays the frames first to last. context: of the program on the machine.
  ProgramHost(const capture::Reader& reader, uint64_t first, uint64_t last, arch::ContextId context)
      : reader_(reader), frame_(first), last_(last), context_(context) {}

  struct Frame {
    uint64_t number = 0;
    uint64_t begin = 0, end = 0;  // core cycles: its first submission may begin; its last one has ended
    bool presents = false;
  };

  // The last submission that was handed over, in `ended`, has ended: hands the next one over, if any is left
  // and the GPU has no fault.
  // now: core cycles.
  void go_on(arch::Gpu& gpu, uint64_t ended, uint64_t now);
  // Ends the program where it is.
  void stop() { done_ = true; }
  // Hands over the submission that it waits for anew, to a machine that was reset.
  void hand_over_again(arch::Gpu& gpu) const { gpu.submit(submission_); }
  bool waits(uint64_t ended) const { return ended < handed_; }  // for that submission
  bool done() const { return done_; }
  const std::vector<Frame>& frames() const { return frames_; }  // that have begun, in order

 private:
  using Act = std::function<void(arch::Gpu&)>;

  void map(arch::ContextId, arch::Address address, uint64_t bytes) override {
    acts_.push_back([=, c = context_](arch::Gpu& gpu) { gpu.map(c, address, bytes); });
  }
  void unmap(arch::ContextId, arch::Address address, uint64_t bytes) override {
    acts_.push_back([=, c = context_](arch::Gpu& gpu) { gpu.unmap(c, address, bytes); });
  }
  void place(arch::ContextId, arch::Address address, uint64_t bytes, arch::Placement placement) override {
    acts_.push_back([=, c = context_](arch::Gpu& gpu) { gpu.place(c, address, bytes, placement); });
  }
  void write(arch::ContextId, arch::Address address, std::span<const std::byte> bytes) override {
    acts_.push_back([address, c = context_, copy = std::vector<std::byte>(bytes.begin(), bytes.end())](
                        arch::Gpu& gpu) { gpu.write(c, address, copy); });
  }
  void submit(const arch::Submission& recorded) override;
  void annotate(std::string_view, uint64_t, std::span<const std::byte>) override {}

  const capture::Reader& reader_;
  uint64_t frame_, last_;  // frame_: the next to read
  arch::ContextId context_;
  std::deque<Act> acts_;  // of the frame that was read last
  std::vector<Frame> frames_;
  uint64_t handed_ = 0;  // submission; 0: none
  arch::Submission submission_;
  bool handed_over_ = false, done_ = false;
};

}  // namespace cutaway::replay
