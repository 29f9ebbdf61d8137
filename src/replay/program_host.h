#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "capture/reader.h"
#include "machine/machine.h"
#include "replay/windows.h"

namespace cutaway::replay {

// The host of one program on a machine that several share: hands a frame's submissions over in order, each
// once the one before it has ended, with what the program does to memory before. On a machine whose host
// takes time it also computes and waits as the program did. Otherwise it takes no time between them. A
// program that presents to a window waits with a frame until nothing holds the surface that it presents.
class ProgramHost final : private arch::CommandSink {
 public:
  // Plays the frames first to last. context: of the program on the machine.
  ProgramHost(const capture::Reader& reader, uint64_t first, uint64_t last, arch::ContextId context,
              Windows& windows)
      : reader_(reader), frame_(first), last_(last), context_(context), windows_(windows) {}

  struct Frame {
    uint64_t number = 0;
    // Core cycles: the frame before has ended, or the program begins; its last submission has ended, and what
    // the host does behind it.
    uint64_t begin = 0, end = 0;
    bool begun = false;  // a submission has been handed over
    bool presents = false;
    bool ended = false;
    uint64_t submission = 0;  // its last one, or that of the frame before
  };

  // Goes on as far as it can, while the GPU has no fault.
  // ended: the program's last submission that has ended. now: core cycles.
  void go_on(machine::Machine& gpu, uint64_t ended, uint64_t now);
  // True if go_on() would do something.
  bool goes_on(machine::Machine& gpu, uint64_t ended) const;
  // Ends the program where it is.
  void stop() { done_ = true; }
  // Hands over the submission that it waits for anew, to a machine that was reset.
  void hand_over_again(machine::Machine& gpu) const { gpu.submit_again(submission_); }
  bool waits(uint64_t ended) const { return ended < handed_; }  // for that submission
  bool done() const { return done_; }
  const std::vector<Frame>& frames() const { return frames_; }  // that have begun, in order
  bool has_ended(uint64_t frame) const;
  // Core cycles in which only a window held the program up.
  uint64_t waited_for_window() const { return waited_for_window_; }
  // The number of the first frame that has not ended, or of the last one.
  uint64_t frame_under_way() const { return frames_.at(std::min(ended_frames_, frames_.size() - 1)).number; }

 private:
  struct OnMemory {
    std::function<void(arch::Gpu&)> act;
    arch::Address unmapped = 0;
    uint64_t unmapped_bytes = 0;  // 0: it unmaps nothing
  };
  struct Computes {
    uint64_t nanoseconds = 0;
  };
  struct Awaits {
    uint64_t submission = 0;
  };
  using Act = std::variant<OnMemory, Computes, Awaits, arch::Submission>;

  void map(arch::ContextId, arch::Address address, uint64_t bytes) override {
    add({[=, c = context_](arch::Gpu& gpu) { gpu.map(c, address, bytes); }});
  }
  void unmap(arch::ContextId, arch::Address address, uint64_t bytes) override {
    add({[=, c = context_](arch::Gpu& gpu) { gpu.unmap(c, address, bytes); }, address, bytes});
  }
  void place(arch::ContextId, arch::Address address, uint64_t bytes, arch::Placement placement) override {
    add({[=, c = context_](arch::Gpu& gpu) { gpu.place(c, address, bytes, placement); }});
  }
  void bind(arch::ContextId, arch::Address address, uint64_t bytes,
            std::optional<arch::Address> target) override {
    add({[=, c = context_](arch::Gpu& gpu) { gpu.bind(c, address, bytes, target); }});
  }
  void write(arch::ContextId, arch::Address address, std::span<const std::byte> bytes) override {
    add({[address, c = context_, copy = std::vector<std::byte>(bytes.begin(), bytes.end())](arch::Gpu& gpu) {
      gpu.write(c, address, copy);
    }});
  }
  void add(OnMemory act) { acts_.push_back(std::move(act)); }
  void submit(const arch::Submission& recorded) override;
  void host(const arch::HostStep& step) override;
  void annotate(std::string_view, uint64_t, std::span<const std::byte>) override {}

  void play_all(machine::Machine& gpu, uint64_t ended, uint64_t now);
  bool all_played() const { return acts_.empty() && before_.empty() && frame_ > last_; }
  bool host_done(machine::Machine& gpu) const;
  bool frame_ends(machine::Machine& gpu, uint64_t ended) const;
  void end_frames(machine::Machine& gpu, uint64_t ended, uint64_t now);
  bool may_begin_frame(machine::Machine& gpu, uint64_t ended) const;
  bool may_end_memory(machine::Machine& gpu) const;
  void begin_frame(uint64_t now);
  bool may_play(machine::Machine& gpu, uint64_t ended) const;
  bool may_begin_waiting(machine::Machine& gpu) const;
  bool has_room(machine::Machine& gpu) const;
  bool may_change_memory(const OnMemory& act) const;
  bool held_by_window(machine::Machine& gpu) const;
  void note_window(machine::Machine& gpu, uint64_t now);
  void play(machine::Machine& gpu);
  void do_before(machine::Machine& gpu);
  void hand_over(machine::Machine& gpu, arch::Submission submission);

  const capture::Reader& reader_;
  uint64_t frame_, last_;  // frame_: the next to read
  arch::ContextId context_;
  Windows& windows_;
  std::deque<Act> acts_;          // of the frame that was read last
  std::vector<OnMemory> before_;  // the next submission, of a host in time that is ahead of the GPU
  std::vector<Frame> frames_;
  size_t ended_frames_ = 0;
  uint64_t recorded_ = 0, handed_ = 0;  // submissions; 0: none
  arch::Submission submission_;
  std::optional<uint64_t> window_since_;  // cycle from which on a window holds it up
  uint64_t waited_for_window_ = 0;
  bool done_ = false;
};

}  // namespace cutaway::replay
