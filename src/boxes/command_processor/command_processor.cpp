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
      spec_(spec),
      parts_(spec, depth_order, color_units, group_lanes, memories, counters),
      packets_(*this, parts_, spec, front_ends),
      phases_(counters),
      contexts_(*this, parts_, spec, static_cast<Cycle>(spec.slice_us * mhz)),
      preemption_(parts_, packets_, counters.state_bytes) {}

CommandProcessor::ControlPort& CommandProcessor::add_control(uint32_t caches, bool bounds) {
  control.push_back(std::make_unique<ControlPort>());
  parts_.cache_orders.add_unit(caches, bounds);
  return *control.back();
}

void CommandProcessor::list_ports(engine::PortList& list) {
  list("memory_out", memory_out, "reads of packets, arguments and values; writes of values");
  list("memory_in", memory_in, "replies");
  if (has_bus) list("doorbells_in", doorbells_in, "a submission has arrived");
  if (tells_host) list("fences_out", fences_out, "all work up to a submission has ended");
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
  if (!tells_host) work.push_back("The fence of a submission, where `host.cpu` is 0");
  if (!has_bus)
    work.push_back(
        "Doorbells, and host writes into GPU memory between submissions, where `bus.bytes_per_cycle` is 0");
  return work;
}

// ---- From outside ----

void CommandProcessor::submit(const arch::Submission& submission, const command_stream::WorkLimits& limits) {
  CUTAWAY_CHECK(accepts(submission.context), "more submissions than there is room for");
  const Cycle now = domain().now();
  if (contexts_.turns.on()) {
    contexts_.turns.push(now, submission, limits);
    if (state_ == State::kIdle) state_ = State::kChooses, phases_.begin(now, scans_out());
  } else if (state_ == State::kRunning) {
    parts_.waiting.push(submission, limits);
  } else {
    state_ = State::kRunning;
    phases_.begin(now, scans_out());
    parts_.stream.start(submission);
    begin_submission(submission, limits, false);
  }
  wake();
}

// The stream has started. overlaps: work of earlier submissions is under way.
void CommandProcessor::begin_submission(const arch::Submission& submission,
                                        const command_stream::WorkLimits& limits, bool overlaps) {
  preemption_.begin();
  parts_.begin_submission(submission, overlaps);
  packets_.begin_submission(submission, limits);
  if (const std::string error = command_stream::PacketCheck::submission_error(submission); !error.empty())
    parts_.fault.note(parts_.stream.place(), error);
}

// Begins the oldest submission that waits. Commands of it that were fetched are dropped if the GPU may have
// written them since.
void CommandProcessor::begin_waiting(bool overlaps) {
  const bool distrusted = parts_.stream.distrusted();
  SubmissionQueue::Entry& next = parts_.waiting.front();
  std::swap(parts_.stream, next.stream);
  if (distrusted) parts_.stream.start(next.submission);
  begin_submission(next.submission, next.limits, overlaps);
  parts_.waiting.pop();
}

void CommandProcessor::display(const arch::Surface& surface) {
  CUTAWAY_CHECK(finished() && !scans_out(), "a picture is being scanned out");
  parts_.scan_out.request(surface);
  wake();
}

bool CommandProcessor::note_fault(uint32_t draw, const std::string& error) {
  const DrawsUnderWay::Entry* entry = parts_.draws.find(draw);
  if (entry) parts_.fault.note(entry->packet, error);
  return entry;
}

// ---- The order of a tick ----

Cycle CommandProcessor::tick(Cycle now) {
  bool progress = take_answers(now);
  packet_ = PacketResult::kDone;
  if (scans_out()) progress |= list_scan_out(now);
  if (tells_host) progress |= tell_host(now);
  const Cycle next = running() ? run_submission(now, progress) : progress ? busy(now) : idle(now);
  phases_.change(now, phase(), scans_out());
  return next;
}

Cycle CommandProcessor::run_submission(Cycle now, bool progress) {
  if (state_ == State::kChooses) return choose_context(now, progress);
  if (waits_for_doorbell()) return progress ? busy(now) : starved(now, doorbells_in);
  if (!preemption_.asked()) progress |= fetch(now);
  progress |= send_cache_orders(now);
  progress |= take_packets(now);
  if (progress) return busy(now);
  if (packet_ == PacketResult::kWaitForState) return busy(now, parts_.sender.arrived());
  const engine::Port* port = waits_for();
  return starved(now, port ? *port : memory_in);
}

bool CommandProcessor::tell_host(Cycle now) {
  if (told_ == ended_[0] || !fences_out.ready(now)) return false;
  fences_out.send(now, {told_ = ended_[0]});
  return true;
}

// Returns the last submission of each context whose doorbell has arrived.
ContextTurns::Announced CommandProcessor::announced_of_all() const {
  ContextTurns::Announced announced = rung_;
  if (!has_bus) announced.fill(~uint64_t{0});
  return announced;
}

// Begins the submission of the context whose turn it is, or lets it go on, once the GPU is bound to it.
Cycle CommandProcessor::choose_context(Cycle now, bool progress) {
  using Result = ContextSwitcher::Result;
  progress |= send_cache_orders(now);
  const Result result = contexts_.step(now, announced_of_all());
  if (result == Result::kChosen) {
    state_ = State::kRunning;
    executed_since_ = now;
    if (const arch::ContextId context = contexts_.turns.running(); preemption_.holds(context)) {
      executed_since_ -= preemption_.resume(now, context);
    } else {
      const ContextTurns::Entry& next = contexts_.turns.chosen();
      parts_.stream.start(next.submission);
      begin_submission(next.submission, next.limits, false);
    }
  }
  if (progress || result != Result::kWait) return busy(now);
  if (!contexts_.switches()) return starved(now, doorbells_in);
  const engine::Port* port = waits_for();
  return starved(now, port ? *port : bound_in);
}

bool CommandProcessor::fetch(Cycle now) {
  if (!memory_out.ready(now)) return false;
  arch::Address sector;
  uint32_t tag;
  PacketStream* stream = &parts_.stream;
  if (!stream->wants(sector, tag)) stream = parts_.waiting.wants(announced(), sector, tag);
  if (!stream) return false;
  tag &= ~CommandParts::kArgumentTag;
  memory_out.send(now, {.address = sector, .tag = tag, .origin = parts_.book.origin()});
  stream->asked();
  return true;
}

bool CommandProcessor::send_cache_orders(Cycle now) {
  if (!parts_.cache_orders.under_way()) return false;
  bool progress = false;
  for (size_t i = 0; i < control.size(); i++) {
    if (!parts_.cache_orders.must_send(i) || !control[i]->out.ready(now)) continue;
    control[i]->out.send(now, parts_.cache_orders.order());
    parts_.cache_orders.sent(i);
    progress = true;
  }
  return progress;
}

// Takes the words of one cycle, which may hold several small packets. A packet that waits holds up all behind
// it.
bool CommandProcessor::take_packets(Cycle now) {
  bool progress = false;
  PacketStream& stream = parts_.stream;
  for (unsigned words = 0; running() && !parts_.cache_orders.under_way() && words < spec_.words_per_cycle;) {
    if (preemption_.asked() && !stream.ended()) return suspend(now) || progress;
    if (stream.packet_complete()) {
      packet_ = packets_.execute(now);
      progress |= packets_.progressed();
      if (packet_ != PacketResult::kDone) break;
      progress = true;
      counters.packets++;
      // A cache order that the packet gave ends it when all have answered.
      if (running() && !parts_.cache_orders.under_way()) end_packet(now);
      continue;
    }
    if (stream.ended()) return end_submission(now) || progress;
    if (!stream.take_word()) break;
    progress = true;
    words++;
    counters.words++;
    if (!stream.at_header()) continue;
    if (const std::string error = packets_.header_error(); !error.empty())
      parts_.fault.note(stream.place(), error);
  }
  return progress;
}

// Behind a packet that works the context may lose the GPU.
void CommandProcessor::end_packet(Cycle now) {
  const arch::Opcode opcode = parts_.stream.opcode();
  parts_.stream.packet_done();
  if (!spec_.preempts || !contexts_.turns.on() || preemption_.asked() || !preemption_.possible()) return;
  const bool works = command_stream::is_draw(opcode) || command_stream::is_dispatch(opcode) ||
                     opcode == arch::Opcode::kClear || command_stream::is_copy(opcode);
  if (works && contexts_.turns.preempted(now, announced_of_all())) preemption_.ask(now);
}

// Carries out the barriers that are owed. True: none is any more. progress: a step was taken.
bool CommandProcessor::pay_barriers(bool& progress) {
  if (!parts_.owed.any()) return true;
  packet_ = packets_.carry_out_barriers();
  progress = packets_.progressed();
  return packet_ == PacketResult::kDone;
}

// The submission waits for its next turn, once nothing of it is under way. True: a step was taken.
bool CommandProcessor::suspend(Cycle now) {
  if (bool progress = false; !pay_barriers(progress)) return progress;
  if (!preemption_.drained()) return false;
  contexts_.turns.suspend(now);
  preemption_.suspend(now, contexts_.bound(), now - executed_since_);
  state_ = State::kChooses;
  return true;
}

// True if the next submission may begin while work is under way: that does not write its commands.
bool CommandProcessor::may_overlap() {
  if (!parts_.watch.on() || parts_.waiting.empty()) return false;
  const arch::Submission& next = parts_.waiting.front().submission;
  const MemoryRange commands{next.commands, next.commands + next.words * uint64_t{4}};
  return !parts_.watch.load_needs_barrier(commands) && !parts_.copies.write(commands);
}

// All words have been taken. The next submission begins now if the memory of draws under way is watched; else
// barriers are carried out first, and all work ends. True: a step was taken.
bool CommandProcessor::end_submission(Cycle now) {
  if (!parts_.owed.begun() && may_overlap() && !host_waits()) {
    if (parts_.loader.loading()) return false;
    end_packets(now);
    parts_.owed.owe_wait();
    counters.overlapped_submissions += !parts_.draws.empty();
    if (!first_fault()) begin_waiting(true);
    return true;
  }
  if (bool progress = false; !pay_barriers(progress)) return progress;
  if (!parts_.drained()) return false;
  end_packets(now);
  if (contexts_.turns.on() && first_fault()) return true;  // the submission stays the one at fault
  submissions_ended_before(parts_.stream.submission() + 1);
  if (contexts_.turns.on()) {
    contexts_.turns.end();
    state_ = contexts_.turns.any() ? State::kChooses : State::kIdle;
    return true;
  }
  if (first_fault() || parts_.waiting.empty()) state_ = State::kIdle;
  else begin_waiting(false);
  return true;
}

void CommandProcessor::end_packets(Cycle now) {
  end_work(now, parts_.book.begin(now, {.kind = Work::Kind::kRest}));
  if (const std::string error = packets_.end_error(); !error.empty())
    parts_.fault.note(parts_.stream.place(), error);
}

// Tells the DAC of a surface that display() has given.
bool CommandProcessor::list_scan_out(Cycle now) {
  const bool begins = parts_.scan_out.is_requested();
  if (begins) {
    present(now, parts_.scan_out.requested());
    parts_.scan_out.begin(parts_.scan_out.requested(), WorkBook::kUnlisted);
  }
  if (parts_.book.list_scan_out(now, parts_.scan_out.piece())) works_for(parts_.book.current());
  return begins;
}

void CommandProcessor::present(Cycle now, arch::Surface surface) {
  if (contexts_.turns.on()) surface.address = arch::place_in(contexts_.bound(), surface.address);
  present_out.send(now, {surface, parts_.book.origin()});
}

// ---- Answers ----

bool CommandProcessor::take_answers(Cycle now) {
  bool progress = take(now, memory_in, [this](const auto& reply) { take_reply(reply); });
  if (has_bus)
    progress |= take(now, doorbells_in,
                     [this](const auto& doorbell) { rung_[doorbell.context] = doorbell.submission; });
  progress |= take(now, loader_in, [&](const auto& block) { take_block(now, block); });
  progress |= take_draw_ends(now);
  if (abilities.feedback)
    progress |= take(now, filled_in, [this](const auto& filled) { parts_.feedback.answered(filled.bytes); });
  progress |= take(now, copy_in, [&](const auto&) { end_work(now, parts_.copies.end()); });
  progress |= take(now, present_in, [&](const auto&) {
    parts_.book.end_scan_out(now, parts_.scan_out.piece());
    parts_.scan_out.end();
  });
  progress |= take_cache_answers(now);
  return progress;
}

void CommandProcessor::take_reply(const messages::MemoryReply& reply) {
  if (reply.write) parts_.value_writes--;
  else if (parts_.arguments.owns(reply.tag)) parts_.arguments.reply(reply);
  else if (parts_.stream.reply(reply); !parts_.waiting.empty()) parts_.waiting.reply(reply);
}

void CommandProcessor::take_block(Cycle now, const messages::LoadedBlock& block) {
  // A program is sent to the units with the first draw that needs it.
  if (block.kind != arch::Opcode::kLoadProgram && !parts_.versions.travels(StateLoader::kind_of(block)))
    parts_.sender.send(now, block.bytes);
  const std::string error = parts_.loader.take(block, parts_.versions, parts_.sender, abilities);
  if (!error.empty()) parts_.fault.note(parts_.loader.program_packet(block.stage), error);
}

bool CommandProcessor::take_draw_ends(Cycle now) {
  bool progress = false;
  for (size_t unit = 0; unit < draw_done.size(); unit++)
    progress |= take(now, draw_done[unit], [&](const messages::DrawDone& done) {
      if (parts_.is_of_submission(done.draw)) parts_.queries.counters.samples_passed += done.samples;
      if (parts_.draws.end_in_color_unit(done.draw, unit)) end_draw(now, done.draw);
    });
  for (auto& port : assembled_in)
    progress |= take(now, port, [&](const messages::DrawAssembled& batch) {
      if (parts_.is_of_submission(batch.draw)) parts_.queries.counters += batch.counts;
      if (parts_.draws.assemble_batch(batch.draw)) end_draw(now, batch.draw);
    });
  if (abilities.workgroup_invocations)
    progress |= take(now, dispatch_done, [&](const messages::DispatchDone& done) {
      if (parts_.draws.end_dispatch(done.dispatch)) end_draw(now, done.dispatch);
    });
  return progress;
}

// All units have ended a draw or dispatch.
void CommandProcessor::end_draw(Cycle now, uint32_t number) {
  const DrawsUnderWay::Entry draw = parts_.draws.remove(now, number);
  if (const char* error = fault_of_draw ? fault_of_draw(number) : nullptr)
    parts_.fault.note(draw.packet, error);
  parts_.versions.release(*draw.state);
  end_work(now, draw.work);
}

bool CommandProcessor::take_cache_answers(Cycle now) {
  bool progress = false;
  for (size_t i = 0; i < control.size(); i++)
    progress |= take(now, control[i]->in, [&](const auto&) { parts_.cache_orders.answered(i); });
  if (const auto then = parts_.cache_orders.end(); then == CacheOrders::Then::kPacketEnds) {
    end_work(now, parts_.book.held());
    parts_.stream.packet_done();
  }
  return progress;
}

void CommandProcessor::end_work(Cycle now, uint32_t work) {
  parts_.book.end(now, work);
  works_for(parts_.book.current());
}

// ---- Accounts ----

CyclePhases::Phase CommandProcessor::phase() const {
  using Phase = CyclePhases::Phase;
  if (!running()) return Phase::kNone;
  if (!parts_.draws.empty()) return Phase::kDraws;
  if (!parts_.copies.empty() || packets_.clears()) return Phase::kCopies;
  if (parts_.cache_orders.under_way()) return Phase::kCaches;
  return packet_ == PacketResult::kWaitForDisplay ? Phase::kDisplay : Phase::kCommands;
}

// The port behind which the unit is that has had work for longest; null: no unit has work.
const engine::Port* CommandProcessor::waits_for() const {
  if (state_ == State::kRunning && waits_for_doorbell()) return &doorbells_in;
  if (parts_.cache_orders.under_way()) return &control[*parts_.cache_orders.waits_for()]->in;
  if (packet_ == PacketResult::kWaitForDisplay) return &present_in;
  if (parts_.feedback.asks_unit()) return &filled_in;
  if (!parts_.draws.empty()) {
    const DrawsUnderWay::Unit unit = parts_.draws.oldest_in();
    switch (unit.kind) {
      case DrawsUnderWay::Unit::Kind::kColorWrite:
        return &draw_done[unit.number];
      case DrawsUnderWay::Unit::Kind::kAssembly:
        return &assembled_in[0];
      case DrawsUnderWay::Unit::Kind::kDispatch:
        return &dispatch_done;
    }
  }
  if (!parts_.copies.empty()) return &copy_in;
  if (parts_.loader.loading()) return &loader_in;
  return nullptr;
}

const engine::Box* CommandProcessor::oldest_work_in() const {
  if (!running()) return nullptr;
  const engine::Port* port = waits_for();
  return port ? port->neighbour() : this;
}

std::string CommandProcessor::why_busy() const {
  if (!running()) return "";
  const PacketStream& stream = parts_.stream;
  return fmt::format("{} draws and dispatches, {} loads, {} copies under way; packet {}", parts_.draws.size(),
                     parts_.loader.under_way(), parts_.copies.size(),
                     stream.in_packet() ? arch::opcode_name(stream.opcode()) : "none");
}

}  // namespace cutaway::boxes
