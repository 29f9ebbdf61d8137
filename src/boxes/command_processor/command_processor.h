#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "boxes/command_processor/command_processor_counters.h"
#include "boxes/command_processor/command_processor_spec.h"
#include "boxes/command_processor/command_queue.h"
#include "boxes/command_processor/context_switcher.h"
#include "boxes/command_processor/cycle_phases.h"
#include "boxes/command_processor/display_link.h"
#include "boxes/command_processor/host_link.h"
#include "boxes/command_processor/preemption.h"
#include "boxes/command_processor/queue_overlap.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/context_message.h"
#include "messages/doorbell.h"
#include "messages/feedback_message.h"

namespace cutaway::boxes {

// Runs submissions: fetches packets, keeps the current state, sends draws and dispatches to the units with a
// version of the state each, and carries out all packets that wait for them. A CommandQueue executes the
// submissions of a queue; with one queue, all of them in order. PacketSwitch says what each packet waits for
// and sends; CommandParts holds what is under way.
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
  // (arch::CacheBits). bounds: it is hierarchical Z, which an INVALIDATE of depth may leave alone. behind: it
  // fills from another unit of these caches (CacheOrders).
  ControlPort& add_control(uint32_t caches, bool bounds = false, bool behind = false);

  CommandProcessorCounters counters;
  ContextSwitchCounters& switch_counters() { return contexts_.counters(); }
  PreemptionCounters& preemption_counters() { return preemption_.counters; }
  QueueCounters& queue_counters() { return overlap_.counters; }
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
  HostLink host_link;
  uint32_t offscreen = 0;  // bits: contexts whose pictures the display does not show
  // A fault for tests of the verifier: caches whose invalidates are not passed on.
  uint32_t skip_invalidate = 0;
  // Asked when a draw ends: why it is at fault, or nullptr.
  std::function<const char*(uint32_t draw)> fault_of_draw;
  void keep_work_list(messages::WorkList& list) {
    for (const auto& queue : queues_) queue->parts.book.keep(list);
  }
  uint32_t draw_in_submission(const messages::Origin& origin) const {
    return graphics().book.draw_in_submission(origin);
  }
  messages::WorkList* work_list() const { return graphics().book.list(); }  // null: none is kept
  // The values of queries that the machine does not count, in order: machine::MachineOptions::query_values.
  void report_queries(std::span<const messages::QueryValue> values, arch::ContextId context = 0) {
    for (const auto& queue : queues_) queue->parts.queries.report(values, context);
  }
  // Reported values that have not been written yet.
  std::span<const messages::QueryValue> queries_left(arch::ContextId context) const {
    return graphics().queries.left(context);
  }

  // From outside, between cycles, while its context and queue accept it. With a bus its doorbell follows. On
  // a machine of several contexts, each has one submission at a time.
  void submit(const arch::Submission& submission, const command_stream::WorkLimits& limits = {});
  bool accepts(arch::ContextId context = 0, arch::QueueKind kind = arch::QueueKind::kGraphics) const {
    if (contexts_.turns.on()) return !first_fault() && contexts_.turns.accepts(context);
    return !first_fault() && queue_of(kind).accepts();
  }
  bool finished() const { return !first_fault() && all_idle(); }
  // On a machine of several contexts; none: no submission is executed.
  std::optional<ExecutedContext> executed() const {
    if (!contexts_.turns.on() || queues_[0]->state != CommandQueue::State::kRunning) return {};
    return ExecutedContext{contexts_.bound(), executed_since_};
  }
  // All submissions of a context up to this one have ended.
  uint64_t ended(arch::ContextId context = 0) const;
  // From outside: the host waits until this submission, and all before it, have ended.
  void await(uint64_t submission) {
    for (const auto& queue : queues_) queue->await(CommandQueue::Waiter::kHost, submission);
    wake();
  }
  // From outside, between submissions: the host has written memory of a context.
  void host_wrote(const MemoryRange& memory, arch::ContextId context = 0) {
    if (context != contexts_.bound()) return;  // nothing of its memory is held
    shared_.cache_orders.depth.written(memory);
    for (const auto& queue : queues_) queue->parts.watch.overwritten(memory);
  }
  // From outside, between submissions: the display shows a surface that was presented earlier, and scans it
  // out beside the next submission. Not while scans_out().
  void display(const arch::Surface& surface);
  bool scans_out() const { return shared_.scan_out.active(); }
  // The fault of the earliest packet at fault. fault(): nullptr until all work before it has ended;
  // first_fault(): the earliest known so far.
  const arch::Fault* fault() const {
    const bool ended = std::all_of(queues_.begin(), queues_.end(), [](const auto& queue) {
      return queue->parts.drained() && !queue->running();
    });
    return ended ? first_fault() : nullptr;
  }
  const arch::Fault* first_fault() const { return shared_.fault.get(); }
  // A draw cannot go on. Returns false, and notes nothing, if it is not under way.
  bool note_fault(uint32_t draw, const std::string& error);
  // The packet of this submission that is being carried out cannot go on; of the graphics queue, if it is not
  // known.
  void note_fault(const std::string& error, uint32_t submission = 0);

  // For the queues and their packets:
  CommandQueue& queue(arch::QueueKind kind) { return *queues_[static_cast<size_t>(kind)]; }
  CommandQueue* other(arch::QueueKind kind) {  // null: there is one queue
    return queues_.size() == 1 ? nullptr : queues_[1 - static_cast<size_t>(kind)].get();
  }
  ContextSwitcher& contexts() { return contexts_; }
  Preemption& preemption() { return preemption_; }
  // The last submission of the bound context that the host has announced.
  uint64_t announced() const { return host_link.announced(contexts_.bound()); }
  // The submission that is executed, of which nothing is under way, waits for its next turn.
  void suspend(engine::Cycle now);
  // It has been executed: it ends, or does so when the display has its picture.
  void end_turn(engine::Cycle now);
  void end_work(engine::Cycle now, WorkBook& book, uint32_t work);
  // A queue writes memory: caches may hold it when the other one reads it.
  void written_by(arch::QueueKind kind) {
    if (CommandQueue* const beside = other(kind)) beside->parts.watch.written_beside();
  }
  DisplayLink& display_link() { return display_link_; }
  // The unit in which the oldest work still is; this box while it prepares work; nullptr: there is no work.
  const engine::Box* oldest_work_in() const;

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  void count_until(engine::Cycle next) override;
  std::string why_busy() const override;

 private:
  CommandParts& graphics() { return queues_[0]->parts; }
  const CommandParts& graphics() const { return queues_[0]->parts; }
  // The queue that executes submissions of a queue: there may be one for all.
  CommandQueue& queue_of(arch::QueueKind kind) const {
    return *queues_[std::min(static_cast<size_t>(kind), queues_.size() - 1)];
  }
  bool all_idle() const {
    return std::all_of(queues_.begin(), queues_.end(), [](const auto& queue) { return queue->idle(); });
  }
  bool running() const {
    return std::any_of(queues_.begin(), queues_.end(), [](const auto& queue) { return queue->running(); });
  }

  bool take_answers(engine::Cycle now);
  void take_reply(const messages::MemoryReply& reply);
  void take_block(engine::Cycle now, const messages::LoadedBlock& block);
  bool take_draw_ends(engine::Cycle now);
  void end_draw(engine::Cycle now, uint32_t number);
  bool take_cache_answers(engine::Cycle now);

  engine::Cycle run_queues(engine::Cycle now, bool progress);
  engine::Cycle choose_context(engine::Cycle now, bool progress);
  void begin_turn(engine::Cycle now);
  bool tell_host(engine::Cycle now);
  bool send_cache_orders(engine::Cycle now);

  CyclePhases::Phase phase() const;
  QueueOverlap::Phase overlap() const;
  const engine::Port* waits_for() const;
  const engine::Port* waits_for(const CommandQueue& queue) const;

  SharedParts shared_;
  CyclePhases phases_;
  QueueOverlap overlap_;
  std::vector<std::unique_ptr<CommandQueue>> queues_;  // graphics, compute; or one for all submissions
  ContextSwitcher contexts_;
  DisplayLink display_link_;
  Preemption preemption_;
  uint64_t handed_over_ = 0;  // the last submission
  engine::Cycle executed_since_ = 0;
};

}  // namespace cutaway::boxes
