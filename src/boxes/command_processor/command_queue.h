#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "boxes/command_processor/command_parts.h"
#include "boxes/command_processor/packet_switch.h"

namespace cutaway::boxes {

class CommandProcessor;

// Executes the submissions of a queue, one after the other or overlapped: takes their packets, which
// PacketSwitch carries out. What is under way is in the parts.
class CommandQueue {
 public:
  CommandQueue(CommandProcessor& box, SharedParts& shared, arch::QueueKind kind,
               const CommandProcessorSpec& spec, const structures::FrontEnds& front_ends,
               const command_stream::ByStage<unsigned>& group_lanes, structures::DepthOrderName depth_order)
      : parts(shared, kind, spec, depth_order, group_lanes),
        packets(box, parts, spec, front_ends),
        box_(box),
        words_per_cycle_(spec.words_per_cycle),
        preempts_(spec.preempts) {}

  CommandParts parts;
  PacketSwitch packets;
  // kChooses: the context whose submission is next.
  enum class State : uint8_t { kIdle, kRunning, kChooses };
  State state = State::kIdle;

  bool idle() const { return state == State::kIdle; }
  // A submission is executed, and no earlier one has a fault.
  bool running() const { return !idle() && parts.may_run(parts.stream.submission()); }
  bool accepts() const { return idle() ? !parts.fault.get() : running() && !parts.waiting.full(); }
  // From outside, while it accepts().
  void submit(const arch::Submission& submission, const command_stream::WorkLimits& limits);
  // Begins a submission. overlaps: work of earlier ones of the queue is under way.
  void begin(const arch::Submission& submission, const command_stream::WorkLimits& limits, bool overlaps);
  // Takes the steps of a cycle. False: nothing could be done.
  bool run(engine::Cycle now);
  // How the last packet fared that was tried in this cycle.
  PacketResult result() const { return result_; }
  bool waits_for_doorbell() const;
  bool follows() const { return follows_ != 0; }  // it waits for the other queue

  // All submissions of the queue up to this one have ended, and are in memory.
  uint64_t ended(arch::ContextId context = 0) const { return ended_[context]; }
  // The same for submissions of the bound context before this one.
  void ended_before(uint64_t submission);
  void note_ended(uint64_t submission, arch::ContextId context) {
    ended_[context] = std::max(ended_[context], submission);
  }
  // The host or the other queue waits until this submission has ended. True: for a later one than before.
  enum class Waiter : uint8_t { kHost, kOtherQueue };
  bool await(Waiter waiter, uint64_t submission) {
    uint64_t& awaited = awaited_[static_cast<size_t>(waiter)];
    return std::exchange(awaited, std::max(awaited, submission)) < submission;
  }
  // One of them waits for a submission before the one whose packets are taken.
  bool awaited() const {
    return std::any_of(awaited_.begin(), awaited_.end(),
                       [&](uint64_t id) { return id > ended_[0] && id < parts.stream.submission(); });
  }

 private:
  bool stopped() const { return state == State::kRunning && !running(); }
  bool end_work_before_fault();
  bool follows_other(bool& progress);
  bool fetch(engine::Cycle now);
  bool take_packets(engine::Cycle now);
  void end_packet(engine::Cycle now);
  bool pay_barriers(bool& progress);
  bool suspend(engine::Cycle now);
  void begin_waiting(bool overlaps);
  bool may_overlap();
  bool end_submission(engine::Cycle now);
  void end_packets(engine::Cycle now);

  CommandProcessor& box_;
  unsigned words_per_cycle_;
  bool preempts_;
  PacketResult result_ = PacketResult::kDone;
  uint64_t follows_ = 0;  // the last submission of the other queue that ends before this one begins; 0: none
  std::array<uint64_t, arch::kMostContexts> ended_{};
  std::array<uint64_t, 2> awaited_{};  // by Waiter
};

}  // namespace cutaway::boxes
