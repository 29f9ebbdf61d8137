#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "boxes/command_processor/command_parts.h"
#include "boxes/command_processor/command_processor_counters.h"
#include "boxes/command_processor/command_processor_spec.h"
#include "boxes/command_processor/context_switcher.h"
#include "boxes/command_processor/cycle_phases.h"
#include "boxes/command_processor/packet_switch.h"
#include "boxes/command_processor/preemption.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/context_message.h"
#include "messages/doorbell.h"
#include "messages/feedback_message.h"

namespace cutaway::boxes {

// Runs submissions, one after the other: fetches packets, keeps the current state, sends draws down the
// pipeline with a version of the state each, and carries out all packets that wait for the pipeline.
// PacketSwitch says what each packet waits for and sends; CommandParts holds what is under way.
class CommandProcessor final : public engine::Box {
 public:
  // front_ends: how front ends share out draws. group_lanes: threads of a group in the shader units that run
  // a stage. memories: the instruction memory that a stage's programs go to; units that run several stages
  // have one. mhz: of its clock, in which slices of contexts are counted.
  CommandProcessor(std::string path, const CommandProcessorSpec& spec, unsigned color_units,
                   const structures::FrontEnds& front_ends,
                   const command_stream::ByStage<unsigned>& group_lanes,
                   const command_stream::ByStage<unsigned>& memories,
                   structures::DepthOrderName depth_order = "flush", double mhz = 1000);

  engine::Out<messages::MemoryRequest> memory_out;
  engine::In<messages::MemoryReply> memory_in;
  engine::In<messages::Doorbell> doorbells_in;  // not connected without a bus
  engine::Out<messages::Fence> fences_out;      // not connected without a host in time
  engine::Out<messages::LoadCommand> loader_out;
  engine::In<messages::LoadedBlock> loader_in;
  std::vector<engine::Out<messages::DrawCommand>> draw_out;       // by front end
  std::vector<engine::In<messages::DrawDone>> draw_done;          // by color write unit
  std::vector<engine::In<messages::DrawAssembled>> assembled_in;  // by reporting box, then by front end
  engine::Out<messages::DispatchCommand> dispatch_out;  // not connected on a machine without compute
  engine::In<messages::DispatchDone> dispatch_done;
  engine::Out<messages::FeedbackOrder> feedback_out;  // not connected without transform feedback
  engine::In<messages::FeedbackFilled> filled_in;
  engine::Out<messages::CopyCommand> copy_out;
  engine::In<messages::CopyDone> copy_in;
  engine::Out<messages::PresentCommand> present_out;
  engine::In<messages::PresentDone> present_in;
  engine::Out<messages::BindContext> bind_out;  // not connected on a machine of one context
  engine::In<messages::BindContext> bound_in;
  struct ControlPort {
    engine::Out<messages::Control> out;
    engine::In<messages::ControlDone> in;
  };
  std::vector<std::unique_ptr<ControlPort>> control;
  // Adds a unit that obeys flushes and invalidates, before the first cycle. caches: those that it holds
  // (arch::CacheBits). bounds: it is hierarchical Z, which an INVALIDATE of depth may leave alone
  // (CacheOrders).
  ControlPort& add_control(uint32_t caches, bool bounds = false);

  CommandProcessorCounters counters;
  ContextSwitchCounters& switch_counters() { return contexts_.counters(); }
  PreemptionCounters& preemption_counters() { return preemption_.counters; }
  // From outside, before a machine that replaces this one goes on: a context's suspended submission, if it
  // has one.
  std::optional<SuspendedSubmission> take_suspended(arch::ContextId context) {
    return preemption_.take(context);
  }
  void keep_suspended(arch::ContextId context, SuspendedSubmission submission) {
    preemption_.keep(context, std::move(submission));
  }
  // Core cycles that submissions of a context have waited for the other contexts.
  uint64_t waited(arch::ContextId context) const { return contexts_.turns.waited(domain().now(), context); }

  // Set before the first cycle:
  command_stream::Abilities abilities;  // the machine's; set before it makes its other boxes
  bool has_bus = false;                 // a submission begins when its doorbell has arrived, else at once
  bool tells_host = false;              // of the ends of submissions, by fences
  // A fault for tests of the verifier: caches whose invalidates are not passed on.
  uint32_t skip_invalidate = 0;
  // Asked when a draw ends: why it is at fault, or nullptr.
  std::function<const char*(uint32_t draw)> fault_of_draw;
  void keep_work_list(messages::WorkList& list) { parts_.book.keep(list); }
  uint32_t draw_in_submission(const messages::Origin& origin) const {
    return parts_.book.draw_in_submission(origin);
  }
  messages::WorkList* work_list() const { return parts_.book.list(); }  // null: none is kept
  // The values of queries that the machine does not count, in order: machine::MachineOptions::query_values.
  void report_queries(std::span<const messages::QueryValue> values, arch::ContextId context = 0) {
    parts_.queries.report(values, context);
  }
  // Reported values that have not been written yet.
  std::span<const messages::QueryValue> queries_left(arch::ContextId context) const {
    return parts_.queries.left(context);
  }

  // From outside, between cycles, while its context accepts(). With a bus its doorbell follows. On a machine
  // of several contexts, each has one submission at a time.
  void submit(const arch::Submission& submission, const command_stream::WorkLimits& limits = {});
  bool accepts(arch::ContextId context = 0) const {
    if (contexts_.turns.on()) return !first_fault() && contexts_.turns.accepts(context);
    return finished() || (running() && !parts_.waiting.full());
  }
  bool finished() const { return state_ == State::kIdle && !first_fault(); }
  // On a machine of several contexts; none: no submission is executed.
  std::optional<ExecutedContext> executed() const {
    if (!contexts_.turns.on() || state_ != State::kRunning) return {};
    return ExecutedContext{contexts_.bound(), executed_since_};
  }
  // The last submission of a context that has ended.
  uint64_t ended(arch::ContextId context = 0) const { return ended_[context]; }
  // From outside: the host waits until this submission has ended.
  void await(uint64_t submission) { awaited_ = submission, wake(); }
  bool host_waits() const { return awaited_ > ended_[0] && awaited_ < parts_.stream.submission(); }
  // From outside, between submissions: the host has written memory of a context.
  void host_wrote(const MemoryRange& memory, arch::ContextId context = 0) {
    if (context != contexts_.bound()) return;  // nothing of its memory is held
    parts_.cache_orders.depth.written(memory);
    parts_.watch.overwritten(memory);
  }
  // From outside, between submissions: the display shows a surface that was presented earlier, and scans it
  // out beside the next submission. Not while scans_out().
  void display(const arch::Surface& surface);
  bool scans_out() const { return parts_.scan_out.active(); }
  // The fault of the earliest packet at fault. fault(): nullptr until all work before it has ended;
  // first_fault(): the earliest known so far.
  const arch::Fault* fault() const { return parts_.drained() ? first_fault() : nullptr; }
  const arch::Fault* first_fault() const { return parts_.fault.get(); }
  // A draw cannot go on. Returns false, and notes nothing, if it is not under way.
  bool note_fault(uint32_t draw, const std::string& error);
  // The packet that is being carried out cannot go on.
  void note_fault(const std::string& error) { parts_.fault.note(parts_.stream.place(), error); }
  // All work of the submissions of the bound context before this one has ended, and is in memory.
  void submissions_ended_before(uint64_t submission) {
    ended_[contexts_.bound()] = std::max(ended_[contexts_.bound()], submission - 1);
  }
  // Tells the DAC of a surface of the bound context. Its port is ready.
  void present(engine::Cycle now, arch::Surface surface);
  // The unit in which the oldest work still is; this box while it prepares work; nullptr: there is no work.
  const engine::Box* oldest_work_in() const;

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  void count_until(engine::Cycle next) override { phases_.count(next - 1); }
  std::string why_busy() const override;

 private:
  // kChooses: the context whose submission is next.
  enum class State : uint8_t { kIdle, kRunning, kChooses };
  ContextTurns::Announced announced_of_all() const;
  // The last submission that the host has announced.
  uint64_t announced() const { return has_bus ? rung_[contexts_.bound()] : ~uint64_t{0}; }
  bool waits_for_doorbell() const { return parts_.stream.submission() > announced(); }
  bool running() const { return state_ != State::kIdle && !first_fault(); }

  bool take_answers(engine::Cycle now);
  void take_reply(const messages::MemoryReply& reply);
  void take_block(engine::Cycle now, const messages::LoadedBlock& block);
  bool take_draw_ends(engine::Cycle now);
  void end_draw(engine::Cycle now, uint32_t number);
  bool take_cache_answers(engine::Cycle now);

  engine::Cycle run_submission(engine::Cycle now, bool progress);
  engine::Cycle choose_context(engine::Cycle now, bool progress);
  bool tell_host(engine::Cycle now);
  bool fetch(engine::Cycle now);
  bool send_cache_orders(engine::Cycle now);
  bool take_packets(engine::Cycle now);
  void end_packet(engine::Cycle now);
  bool pay_barriers(bool& progress);
  bool suspend(engine::Cycle now);
  void begin_submission(const arch::Submission& submission, const command_stream::WorkLimits& limits,
                        bool overlaps);
  void begin_waiting(bool overlaps);
  bool may_overlap();
  bool end_submission(engine::Cycle now);
  void end_packets(engine::Cycle now);
  bool list_scan_out(engine::Cycle now);
  void end_work(engine::Cycle now, uint32_t work);

  CyclePhases::Phase phase() const;
  const engine::Port* waits_for() const;

  CommandProcessorSpec spec_;
  CommandParts parts_;
  PacketSwitch packets_;
  CyclePhases phases_;
  ContextSwitcher contexts_;
  Preemption preemption_;
  State state_ = State::kIdle;
  // Submissions; rung_: of the last doorbell, told_: of the last fence.
  std::array<uint64_t, arch::kMostContexts> ended_{}, rung_{};
  uint64_t awaited_ = 0, told_ = 0;
  engine::Cycle executed_since_ = 0;
  PacketResult packet_ = PacketResult::kDone;  // the last that was tried in this cycle
};

}  // namespace cutaway::boxes
