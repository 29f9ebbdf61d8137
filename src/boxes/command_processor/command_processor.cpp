#include "boxes/command_processor/command_processor.h"

namespace cutaway::boxes {

using engine::Cycle;
using messages::Work;

namespace {

// Hands the oldest message that has arrived to `act`, and takes it. False: none has arrived.
template <class T, class Act>
bool take(Cycle now, engine::In<T>& port, const Act& act) {
  const T* message = port.peek(now);
  if (!message) return false;
  act(*message);
  port.drop(now);
  return true;
}

std::vector<std::unique_ptr<CommandQueue>> make_queues(CommandProcessor& box, SharedParts& shared,
                                                       const CommandProcessorSpec& spec,
                                                       const structures::FrontEnds& front_ends,
                                                       const command_stream::ByStage<unsigned>& group_lanes,
                                                       structures::DepthOrderName depth_order) {
  std::vector<std::unique_ptr<CommandQueue>> queues;
  for (const arch::QueueKind kind : {arch::QueueKind::kGraphics, arch::QueueKind::kCompute})
    if (spec.compute_queue || queues.empty())
      queues.push_back(
          std::make_unique<CommandQueue>(box, shared, kind, spec, front_ends, group_lanes, depth_order));
  return queues;
}

}  // namespace

CommandProcessor::CommandProcessor(std::string path, const CommandProcessorSpec& spec, unsigned color_units,
                                   const structures::FrontEnds& front_ends,
                                   const command_stream::ByStage<unsigned>& group_lanes,
                                   const command_stream::ByStage<unsigned>& memories,
                                   structures::DepthOrderName depth_order, double mhz)
    : Box(std::move(path)),
      draw_out(front_ends.units),
      draw_done(color_units),
      assembled_in(size_t{front_ends.reporters} * front_ends.units),
      shared_(spec, color_units, memories, counters),
      phases_(counters),
      queues_(make_queues(*this, shared_, spec, front_ends, group_lanes, depth_order)),
      contexts_(*this, graphics(), spec, static_cast<Cycle>(spec.slice_us * mhz)),
      display_link_(*this, graphics()),
      preemption_(graphics(), queues_[0]->packets, counters.state_bytes) {}

CommandProcessor::ControlPort& CommandProcessor::add_control(uint32_t caches, bool bounds, bool behind) {
  control.push_back(std::make_unique<ControlPort>());
  shared_.cache_orders.add_unit(caches, bounds, behind && queues_.size() > 1 ? 1 : 0);
  return *control.back();
}

void CommandProcessor::list_ports(engine::PortList& list) {
  list("memory_out", memory_out, "reads of packets, arguments and values; writes of values");
  list("memory_in", memory_in, "replies");
  if (host_link.has_bus) list("doorbells_in", doorbells_in, "a submission has arrived");
  if (host_link.tells_host) list("fences_out", fences_out, "all work up to a submission has ended");
  list("loader_out", loader_out, "orders to load constants, descriptors or a program");
  list("loader_in", loader_in, "sectors that were loaded, in order");
  list("draw_out", draw_out, "to each front end: a draw, and the number of its first batch there");
  list("draw_done", draw_done,
       "from each color write unit: the end of a draw there, and the number of samples that passed");
  list("assembled_in", assembled_in,
       "from each box that assembles batches: the end of a batch, and its counts for queries");
  if (abilities.workgroup_invocations) {
    list("dispatch_out", dispatch_out, "dispatches");
    list("dispatch_done", dispatch_done, "the end of a dispatch");
  }
  if (abilities.feedback) {
    list("feedback_out", feedback_out,
         "an order to read or set the fill level of a buffer of transform feedback");
    list("filled_in", filled_in, "the fill level");
  }
  list("copy_out", copy_out, "copies, fills and clears");
  list("copy_in", copy_in, "a copy is in memory");
  list("present_out", present_out, "the surface to show");
  list("present_in", present_in, "the surface has been scanned out");
  if (contexts_.turns.on()) {
    list("bind_out", bind_out, "the context that memory clients are bound to");
    list("bound_in", bound_in, "the same, when they are");
  }
  for (size_t i = 0; i < control.size(); i++) {
    list("control_out[" + std::to_string(i) + "]", control[i]->out,
         "to each cache and each hierarchical Z: an order to flush, invalidate or clear");
    list("control_in[" + std::to_string(i) + "]", control[i]->in, "the order is carried out");
  }
}

std::vector<std::string_view> CommandProcessor::costs_nothing() const {
  std::vector<std::string_view> work = {
      "Copying state that does not change into a new version: the bus carries the changes alone",
      "Decoding a program"};
  if (!host_link.tells_host) work.push_back("The fence of a submission, where `host.cpu` is 0");
  if (!host_link.has_bus)
    work.push_back(
        "Doorbells, and host writes into GPU memory between submissions, where `bus.bytes_per_cycle` is 0");
  return work;
}

// ---- From outside ----

void CommandProcessor::submit(const arch::Submission& submission, const command_stream::WorkLimits& limits) {
  CUTAWAY_CHECK(accepts(submission.context, submission.queue), "more submissions than there is room for");
  const Cycle now = domain().now();
  if (all_idle()) phases_.begin(now, scans_out());
  handed_over_ = submission.id;
  overlap_.counters.compute_submissions += submission.queue == arch::QueueKind::kCompute;
  if (contexts_.turns.on()) {
    contexts_.turns.push(now, submission, limits);
    if (queues_[0]->idle()) queues_[0]->state = CommandQueue::State::kChooses;
  } else {
    queue_of(submission.queue).submit(submission, limits);
  }
  wake();
}

uint64_t CommandProcessor::ended(arch::ContextId context) const {
  if (queues_.size() == 1) return queues_[0]->ended(context);
  uint64_t ended = handed_over_;
  for (const auto& queue : queues_)
    if (!queue->idle()) ended = std::min(ended, queue->ended());
  return ended;
}

void CommandProcessor::display(const arch::Surface& surface) {
  CUTAWAY_CHECK(finished() && !scans_out(), "a picture is being scanned out");
  shared_.scan_out.request(surface);
  wake();
}

bool CommandProcessor::note_fault(uint32_t draw, const std::string& error) {
  const DrawsUnderWay::Entry* entry = shared_.draws.find(draw);
  if (entry) shared_.fault.note(entry->packet, error);
  return entry;
}

void CommandProcessor::note_fault(const std::string& error, uint32_t submission) {
  const auto of = std::find_if(queues_.begin(), queues_.end(), [&](const auto& queue) {
    return !queue->idle() && static_cast<uint32_t>(queue->parts.stream.submission()) == submission;
  });
  shared_.fault.note((of == queues_.end() ? queues_.front() : *of)->parts.stream.place(), error);
}

// ---- The order of a tick ----

Cycle CommandProcessor::tick(Cycle now) {
  bool progress = take_answers(now);
  progress |= display_link_.step(now);
  if (host_link.tells_host) progress |= tell_host(now);
  const Cycle next = running() ? run_queues(now, progress) : progress ? busy(now) : idle(now);
  phases_.change(now, phase(), scans_out());
  if (queues_.size() > 1) overlap_.change(now, overlap());
  return next;
}

void CommandProcessor::count_until(Cycle next) {
  phases_.count(next - 1);
  overlap_.count(next - 1);
}

// The graphics queue goes first: what it takes of the box's ports in a cycle, the compute queue lacks.
Cycle CommandProcessor::run_queues(Cycle now, bool progress) {
  if (queues_[0]->state == CommandQueue::State::kChooses) return choose_context(now, progress);
  progress |= send_cache_orders(now);
  for (const auto& queue : queues_) progress |= queue->run(now);
  if (progress) return busy(now);
  for (const auto& queue : queues_)
    if (queue->result() == PacketResult::kWaitForState) return busy(now, shared_.sender.arrived());
  const engine::Port* port = waits_for();
  return starved(now, port ? *port : memory_in);
}

bool CommandProcessor::tell_host(Cycle now) {
  if (!fences_out.ready(now)) return false;
  const auto fence = host_link.next_fence(contexts_.turns.on() ? arch::kMostContexts : 1,
                                          [this](arch::ContextId context) { return ended(context); });
  if (fence) fences_out.send(now, *fence);
  return fence.has_value();
}

// Begins the submission of the context whose turn it is, or lets it go on, once the GPU is bound to it.
Cycle CommandProcessor::choose_context(Cycle now, bool progress) {
  using Result = ContextSwitcher::Result;
  progress |= send_cache_orders(now);
  const Result result = contexts_.step(now);
  if (result == Result::kChosen) begin_turn(now);
  if (progress || result != Result::kWait) return busy(now);
  if (contexts_.waits_for_display()) return starved(now, present_in);
  if (!contexts_.switches()) return starved(now, doorbells_in);
  const engine::Port* port = waits_for();
  return starved(now, port ? *port : bound_in);
}

// Begins the chosen submission, or lets it go on.
void CommandProcessor::begin_turn(Cycle now) {
  queues_[0]->state = CommandQueue::State::kRunning;
  executed_since_ = now;
  const ContextTurns::Entry& next = contexts_.turns.chosen();
  const arch::ContextId context = contexts_.turns.running();
  const uint64_t restored = preemption_.counters.restored_bytes;
  if (preemption_.holds(context)) {
    executed_since_ -= preemption_.resume(now, context);
  } else {
    graphics().stream.start(next.submission);
    queues_[0]->begin(next.submission, next.limits, false);
  }
  if (work_list())
    work_list()->turns().begin(now, context, next.submission.id,
                               preemption_.counters.restored_bytes - restored);
}

void CommandProcessor::suspend(Cycle now) {
  const uint64_t drained = preemption_.counters.drain_cycles;
  contexts_.turns.suspend(now);
  preemption_.suspend(now, contexts_.bound(), now - executed_since_);
  if (work_list()) work_list()->turns().suspend(now, preemption_.counters.drain_cycles - drained);
}

void CommandProcessor::end_turn(Cycle now) {
  if (work_list()) work_list()->turns().end(now);
  const arch::ContextId context = contexts_.bound();
  if (shared_.scan_out.held.holds(context)) {
    contexts_.turns.hold();
  } else {
    queues_[0]->note_ended(graphics().stream.submission(), context);
    contexts_.turns.end();
  }
  queues_[0]->state = contexts_.turns.any() ? CommandQueue::State::kChooses : CommandQueue::State::kIdle;
}

bool CommandProcessor::send_cache_orders(Cycle now) {
  CacheOrders& orders = shared_.cache_orders;
  if (!orders.under_way()) return false;
  bool progress = false;
  for (size_t i = 0; i < control.size(); i++) {
    if (!orders.must_send(i) || !control[i]->out.ready(now)) continue;
    control[i]->out.send(now, orders.order());
    orders.sent(i);
    progress = true;
  }
  return progress;
}

// ---- Answers ----

bool CommandProcessor::take_answers(Cycle now) {
  bool progress = take(now, memory_in, [this](const auto& reply) { take_reply(reply); });
  if (host_link.has_bus)
    progress |= take(now, doorbells_in, [this](const auto& doorbell) { host_link.ring(doorbell); });
  progress |= take(now, loader_in, [&](const auto& block) { take_block(now, block); });
  progress |= take_draw_ends(now);
  if (abilities.feedback)
    progress |=
        take(now, filled_in, [this](const auto& filled) { graphics().feedback.answered(filled.bytes); });
  progress |= take(now, copy_in, [&](const auto&) {
    const CopyTracker::Ended copy = shared_.copies.end();
    end_work(now, queue(copy.queue).parts.book, copy.work);
  });
  progress |= take(now, present_in, [&](const messages::PresentDone& done) {
    if (!done.left_out) graphics().book.end_scan_out(now, shared_.scan_out.piece());
    shared_.scan_out.end(done.number);
  });
  progress |= take_cache_answers(now);
  return progress;
}

void CommandProcessor::take_reply(const messages::MemoryReply& reply) {
  if (reply.write) {
    queues_[reply.tag]->parts.value_writes--;
    return;
  }
  for (const auto& queue : queues_) {
    CommandParts& parts = queue->parts;
    if (parts.arguments.owns(reply.tag)) return parts.arguments.reply(reply);
    if (parts.stream.reply(reply); !parts.waiting.empty()) parts.waiting.reply(reply);
  }
}

void CommandProcessor::take_block(Cycle now, const messages::LoadedBlock& block) {
  CommandParts& parts = queue(block.queue).parts;
  // A program is sent to the units with the first draw that needs it.
  if (block.kind != arch::Opcode::kLoadProgram && !parts.versions.travels(StateLoader::kind_of(block)))
    parts.sender.send(now, block.bytes);
  const std::string error = parts.loader.take(block, parts.versions, parts.sender, abilities);
  if (!error.empty()) parts.fault.note(parts.loader.program_packet(block.stage), error);
}

bool CommandProcessor::take_draw_ends(Cycle now) {
  bool progress = false;
  for (size_t unit = 0; unit < draw_done.size(); unit++)
    progress |= take(now, draw_done[unit], [&](const messages::DrawDone& done) {
      CommandParts& parts = graphics();
      if (parts.is_of_submission(done.draw)) parts.queries.counters.samples_passed += done.samples;
      if (parts.draws.end_in_color_unit(done.draw, unit)) end_draw(now, done.draw);
    });
  for (auto& port : assembled_in)
    progress |= take(now, port, [&](const messages::DrawAssembled& batch) {
      CommandParts& parts = graphics();
      if (parts.is_of_submission(batch.draw)) parts.queries.counters += batch.counts;
      if (parts.draws.assemble_batch(batch.draw)) end_draw(now, batch.draw);
    });
  if (abilities.workgroup_invocations)
    progress |= take(now, dispatch_done, [&](const messages::DispatchDone& done) {
      if (shared_.draws.end_dispatch(done.dispatch)) end_draw(now, done.dispatch);
    });
  return progress;
}

// All units have ended a draw or dispatch.
void CommandProcessor::end_draw(Cycle now, uint32_t number) {
  const DrawsUnderWay::Entry draw = shared_.draws.remove(now, number);
  if (const char* error = fault_of_draw ? fault_of_draw(number) : nullptr)
    shared_.fault.note(draw.packet, error);
  CommandParts& parts = queue(draw.queue).parts;
  parts.versions.release(*draw.state);
  end_work(now, parts.book, draw.work);
}

bool CommandProcessor::take_cache_answers(Cycle now) {
  CacheOrders& orders = shared_.cache_orders;
  bool progress = false;
  for (size_t i = 0; i < control.size(); i++)
    progress |= take(now, control[i]->in, [&](const auto&) { orders.answered(i); });
  if (const auto then = orders.end(); then == CacheOrders::Then::kPacketEnds) {
    CommandParts& parts = queue(orders.queue()).parts;
    end_work(now, parts.book, parts.book.held());
    parts.stream.packet_done();
  }
  return progress;
}

void CommandProcessor::end_work(Cycle now, WorkBook& book, uint32_t work) {
  book.end(now, work);
  works_for(book.current());
}

// ---- Accounts ----

CyclePhases::Phase CommandProcessor::phase() const {
  using Phase = CyclePhases::Phase;
  if (!running()) return Phase::kNone;
  const auto any = [&](const auto& is) { return std::any_of(queues_.begin(), queues_.end(), is); };
  if (!shared_.draws.empty()) return Phase::kDraws;
  if (!shared_.copies.empty() || any([](const auto& queue) { return queue->packets.clears(); }))
    return Phase::kCopies;
  if (shared_.cache_orders.under_way()) return Phase::kCaches;
  if (queues_[0]->state == CommandQueue::State::kChooses && contexts_.waits_for_display())
    return Phase::kDisplay;
  return any([](const auto& queue) { return queue->result() == PacketResult::kWaitForDisplay; })
             ? Phase::kDisplay
             : Phase::kCommands;
}

QueueOverlap::Phase CommandProcessor::overlap() const {
  using Phase = QueueOverlap::Phase;
  const auto works = [&](arch::QueueKind kind) {
    return shared_.draws.any(kind) || shared_.copies.any(kind);
  };
  if (works(arch::QueueKind::kGraphics) && works(arch::QueueKind::kCompute)) return Phase::kSideBySide;
  const bool follows =
      std::any_of(queues_.begin(), queues_.end(), [](const auto& queue) { return queue->follows(); });
  return follows ? Phase::kFollows : Phase::kNone;
}

// The port behind which the unit is that has had work for longest; null: no unit has work.
const engine::Port* CommandProcessor::waits_for() const {
  for (const auto& queue : queues_)
    if (queue->state == CommandQueue::State::kRunning && queue->waits_for_doorbell()) return &doorbells_in;
  if (shared_.cache_orders.under_way()) return &control[*shared_.cache_orders.waits_for()]->in;
  for (const auto& queue : queues_)
    if (const engine::Port* port = waits_for(*queue)) return port;
  return nullptr;
}

const engine::Port* CommandProcessor::waits_for(const CommandQueue& queue) const {
  const CommandParts& parts = queue.parts;
  if (queue.result() == PacketResult::kWaitForDisplay) return &present_in;
  if (parts.feedback.asks_unit()) return &filled_in;
  if (parts.draws.any(parts.queue)) {
    const DrawsUnderWay::Unit unit = parts.draws.oldest_in(parts.queue);
    switch (unit.kind) {
      case DrawsUnderWay::Unit::Kind::kColorWrite:
        return &draw_done[unit.number];
      case DrawsUnderWay::Unit::Kind::kAssembly:
        return &assembled_in[0];
      case DrawsUnderWay::Unit::Kind::kDispatch:
        return &dispatch_done;
    }
  }
  if (parts.copies.any(parts.queue)) return &copy_in;
  if (parts.loader.loading()) return &loader_in;
  return nullptr;
}

const engine::Box* CommandProcessor::oldest_work_in() const {
  if (!running()) return nullptr;
  const engine::Port* port = waits_for();
  return port ? port->neighbour() : this;
}

std::string CommandProcessor::why_busy() const {
  std::string text;
  for (const auto& queue : queues_) {
    if (!queue->running()) continue;
    const PacketStream& stream = queue->parts.stream;
    text += fmt::format("{}submission {}, packet {}", text.empty() ? "" : "; ", stream.submission(),
                        stream.in_packet() ? arch::opcode_name(stream.opcode()) : "none");
    if (const uint32_t loads = queue->parts.loader.under_way()) text += fmt::format(", {} loads", loads);
  }
  if (text.empty()) return "";
  return text + fmt::format("; {} draws and dispatches, {} copies under way", shared_.draws.size(),
                            shared_.copies.size());
}

}  // namespace cutaway::boxes
