#include "boxes/command_processor/command_processor.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "arch/marker.h"

namespace cutaway::boxes {

using arch::Opcode;
using engine::Cycle;
using parts::Control;

CommandProcessor::CommandProcessor(std::string path, const CommandProcessorSpec& spec, unsigned color_units,
                                   const parts::FrontEnds& front_ends,
                                   const draw::ByStage<unsigned>& group_lanes,
                                   const draw::ByStage<unsigned>& memories)
    : Box(std::move(path)),
      draw_out(front_ends.units),
      draw_done(color_units),
      assembled_in(size_t{front_ends.tellers} * front_ends.units),
      spec_(spec),
      front_ends_(front_ends),
      group_lanes_(group_lanes),
      memories_(memories),
      stream_(spec.prefetch),
      current_(std::make_unique<parts::DrawState>()),
      state_bus_(spec.state_bytes_per_cycle),
      instruction_memory_(*std::max_element(memories.begin(), memories.end()) + 1,
                          InstructionMemory(spec.instruction_memory)) {
  for (unsigned i = 0; i < spec.state_versions; i++)
    versions_.push_back(std::make_unique<parts::DrawState>());
}

CommandProcessor::ControlPort& CommandProcessor::add_control(uint32_t caches, bool bounds) {
  control.push_back(std::make_unique<ControlPort>());
  control.back()->caches = caches;
  control.back()->bounds = bounds;
  control_state_.push_back(0);
  return *control.back();
}

void CommandProcessor::submit(const arch::Submission& submission, const draw::WorkLimits& limits) {
  CUTAWAY_CHECK(finished(), "one submission at a time");
  submission_ = submission;
  origin_ = {.submission = static_cast<uint32_t>(submission.id), .work = work_list ? work_list->next() : 0};
  marker_ = 0;
  *current_ = parts::DrawState{};
  changed_ = true;
  queries_ = {};
  dispatches_ = 0;
  descriptors_ = {};
  query_index_ = 0;
  predicate_ = true;
  check_ = draw::PacketCheck(submission, limits);
  packets_ = 0;
  judged_ = draw_judged_ = programs_sent_ = false;
  indirect_ = {};
  arguments_ = {};
  feedback_ = {};
  feedback_begun_ = false;
  stream_.start(submission);
  state_ = State::kRunning;
  phase_ = Phase::kCommands;
  phase_scans_out_ = scans_out_;
  phase_since_ = domain().now();
  begin_upload();
  if (const std::string error = draw::PacketCheck::submission_error(submission); !error.empty())
    stop(place(), error);
  wake();
}

// What the host has written since the last submission crosses the bus before this one begins.
void CommandProcessor::begin_upload() {
  const uint64_t bytes = std::exchange(host_bytes_, 0);
  uploaded_ = 0;
  if (!spec_.upload_mb_per_s) return;
  const uint64_t bytes_per_ms = uint64_t{spec_.upload_mb_per_s} * 1000;
  const uint64_t cycles = (bytes * core_khz + bytes_per_ms - 1) / bytes_per_ms;
  uploaded_ = domain().now() + 1 + cycles;
  counters.uploaded_bytes += bytes;
  counters.upload_cycles += cycles;
}

std::vector<std::string_view> CommandProcessor::costs_nothing() const {
  std::vector<std::string_view> work = {
      "The doorbell and the fence of a submission",
      "Copying the state for a draw: its bus carries what packets change, its versions are counted "
      "(`command_processor.state_versions`) and their bytes are not",
      "Decoding a program"};
  if (spec_.upload_mb_per_s == 0)
    work.push_back(
        "What the host writes into GPU memory between submissions, where `command_processor.upload_mb_per_s` "
        "is 0");
  return work;
}

Cycle CommandProcessor::tick(Cycle now) {
  const Cycle next = work(now);
  if (phase() != phase_ || scans_out_ != phase_scans_out_) {
    count_phase(now);
    phase_ = phase();
    phase_scans_out_ = scans_out_;
  }
  return next;
}

Cycle CommandProcessor::work(Cycle now) {
  bool progress = take_replies(now);
  progress |= take_loaded(now);
  progress |= take_done(now);
  waits_for_display_ = false;
  if (scans_out_) progress |= list_scan_out(now);
  if (state_ == State::kIdle || state_ == State::kFault) return progress ? busy(now) : idle(now);
  if (uploaded_ > now) return busy(now, uploaded_);
  progress |= fetch(now);
  if (state_ == State::kControl) progress |= send_control(now);

  worked_ = waits_for_state_ = false;
  // The words of one cycle may hold several small packets; a packet that waits holds up what follows.
  for (unsigned words = 0; state_ == State::kRunning && words < spec_.words_per_cycle;) {
    if (stream_.packet_complete()) {
      const Result result = execute(now);
      if (result != Result::kDone) break;
      counters.packets++;
      judged_ = false;
      if (state_ == State::kRunning) stream_.packet_done();
      progress = true;
      continue;
    }
    if (stream_.ended()) {
      if (!drained()) break;
      end_work(now, begin_work(now, parts::Work::Kind::kRest));
      state_ = State::kIdle;
      if (const std::string error = check_.end_error(); !error.empty()) stop(place(), error);
      return busy(now);
    }
    if (!stream_.take_word()) break;
    progress = true;
    words++;
    counters.words++;
    if (!stream_.at_header()) continue;
    packets_++;
    if (const std::string error =
            check_.header_error(stream_.header(), stream_.words_left(), stream_.header_mapped());
        !error.empty())
      stop(place(), error);
  }
  return account(now, progress || worked_);
}

// Of the units that have work for it, the one that has had it for longest.
const engine::Port* CommandProcessor::waits_for_unit() const {
  if (state_ == State::kControl) {
    for (size_t i = 0; i < control.size(); i++)
      if (control_state_[i]) return &control[i]->in;
  }
  if (waits_for_display_) return &present_in;
  if (feedback_.asked) return &filled_in;
  if (!draws_under_way_.empty()) {
    const auto unit = static_cast<size_t>(std::countr_zero(draws_under_way_.front().missing));
    if (unit < draw_done.size()) return &draw_done[unit];
    if (unit > draw_done.size()) return &dispatch_done;
    return &assembled_in[unit - draw_done.size()];
  }
  if (!copies_under_way_.empty()) return &copy_in;
  if (loads_under_way_) return &loader_in;
  return nullptr;
}

Cycle CommandProcessor::account(Cycle now, bool progress) {
  if (progress) return busy(now);
  if (waits_for_state_) return busy(now, state_bus_.free());
  const engine::Port* port = waits_for_unit();
  return starved(now, port ? *port : memory_in);
}

const engine::Box* CommandProcessor::oldest_work_in() const {
  if (state_ == State::kIdle || state_ == State::kFault) return nullptr;
  const engine::Port* port = waits_for_unit();
  return port ? port->neighbour() : this;
}

bool CommandProcessor::take_replies(Cycle now) {
  const parts::MemoryReply* reply = memory_in.peek(now);
  if (!reply) return false;
  if (reply->write) {
    writes_under_way_--;
  } else if (reply->tag == kValueTag) {
    std::memcpy(&waited_value_, reply->data.data() + value_tag_, 8);
    value_arrived_ = true;
  } else if (reply->tag == kArgumentTag || reply->tag == kArgumentTag + 1) {
    const uint32_t sector = reply->tag - kArgumentTag;
    std::memcpy(arguments_.data.data() + sector * parts::kSectorBytes, reply->data.data(),
                parts::kSectorBytes);
    arguments_.arrived++;
  } else {
    stream_.reply(*reply);
  }
  memory_in.take(now);
  return true;
}

bool CommandProcessor::fetch(Cycle now) {
  arch::Address sector;
  uint32_t tag;
  if (!stream_.wants(sector, tag) || !memory_out.ready(now)) return false;
  memory_out.send(now, {.address = sector, .tag = tag & ~kValueTag, .origin = origin_});
  stream_.asked();
  return true;
}

bool CommandProcessor::take_done(Cycle now) {
  bool progress = false;
  for (size_t unit = 0; unit < draw_done.size(); unit++) {
    auto& port = draw_done[unit];
    const parts::DrawDone* done = port.peek(now);
    if (!done) continue;
    queries_.samples_passed += done->samples;
    draw_left(now, done->draw, unit);
    port.take(now);
    progress = true;
  }
  for (auto& port : assembled_in) {
    const parts::DrawAssembled* assembled = port.peek(now);
    if (!assembled) continue;
    batch_assembled(now, *assembled);
    port.take(now);
    progress = true;
  }
  if (abilities.workgroup_invocations && dispatch_done.peek(now)) {
    draw_left(now, dispatch_done.take(now).dispatch, draw_done.size() + 1);
    progress = true;
  }
  if (abilities.feedback && filled_in.peek(now)) {
    feedback_.filled = filled_in.take(now).bytes;
    feedback_.answered = true;
    progress = true;
  }
  if (copy_in.peek(now)) {
    copy_in.take(now);
    end_work(now, copies_under_way_.front().work);
    copies_under_way_.erase(copies_under_way_.begin());
    progress = true;
  }
  if (present_in.peek(now)) {
    present_in.take(now);
    scans_out_ = false;
    if (work_list) work_list->prolong(scan_out_work_, now);
    progress = true;
  }
  for (size_t i = 0; i < control.size(); i++) {
    if (!control[i]->in.peek(now)) continue;
    control[i]->in.take(now);
    control_state_[i] = 0;
    progress = true;
  }
  if (state_ == State::kControl &&
      std::all_of(control_state_.begin(), control_state_.end(), [](uint8_t s) { return s == 0; })) {
    state_ = State::kRunning;
    if (clear_ == Clear::kCaches) {
      clear_ = Clear::kCachesDone;
    } else if (forgets_bounds_) {
      forgets_bounds_ = false;  // and the packet goes on
    } else {
      end_work(now, held_work_);
      stream_.packet_done();
    }
    progress = true;
  }
  return progress;
}

CommandProcessor::Result CommandProcessor::execute(Cycle now) {
  if (!judged_ && !judge()) return Result::kWait;
  switch (stream_.opcode()) {
    case Opcode::kNop:
      return Result::kDone;
    case Opcode::kMarker:
      return marker();
    case Opcode::kSetRegisters:
      return set_registers(now);
    case Opcode::kLoadConstants:
    case Opcode::kLoadResources:
    case Opcode::kLoadSamplers:
      return load(now);
    case Opcode::kLoadProgram:
      return load_program(now);
    case Opcode::kDraw:
    case Opcode::kDrawIndexed:
      return predicate_ ? draw(now) : Result::kDone;
    case Opcode::kDrawIndirect:
    case Opcode::kDrawIndexedIndirect:
      return predicate_ ? draw_indirect(now) : Result::kDone;
    case Opcode::kPredicate:
      return predicate(now);
    case Opcode::kCopyBuffer:
    case Opcode::kFillBuffer:
    case Opcode::kCopySurface:
    case Opcode::kCopyQueries:
      return copy(now);
    case Opcode::kClear:
      return predicate_ ? clear(now) : Result::kDone;
    case Opcode::kFlush:
      return control_packet(now, Control::Kind::kFlush);
    case Opcode::kInvalidate:
      return control_packet(now, Control::Kind::kInvalidate);
    case Opcode::kWaitIdle:
      return settled() ? Result::kDone : Result::kWait;
    case Opcode::kWriteValue:
      return write_value(now);
    case Opcode::kWriteQuery:
      return write_query(now);
    case Opcode::kWaitValue:
      return wait_value(now);
    case Opcode::kPresent:
      return present(now);
    case Opcode::kCall: {
      const auto packet = arch::packet_as<arch::CallPacket>(stream_.payload());
      if (copies_write({packet.address, packet.address + packet.words * uint64_t{4}})) return Result::kWait;
      stream_.call(packet);
      return Result::kDone;
    }
    case Opcode::kDispatch:
      return predicate_ ? send_dispatch(now, arch::packet_as<arch::DispatchPacket>(stream_.payload()))
                        : Result::kDone;
    case Opcode::kDispatchIndirect:
      return predicate_ ? dispatch_indirect(now) : Result::kDone;
    case Opcode::kDrawByteCount:
      return predicate_ ? draw_byte_count(now) : Result::kDone;
    case Opcode::kLoadFeedback:
    case Opcode::kStoreFeedback:
      return feedback_counter(now);
  }
  return Result::kWait;
}

// Once for each packet. False: it is refused.
bool CommandProcessor::judge() {
  judged_ = true;
  const Opcode opcode = stream_.opcode();
  std::string error = check_.packet_error(opcode, stream_.payload(), current_->registers, stream_.depth());
  if (error.empty()) error = draw::unclocked(abilities, opcode, current_->registers);
  if (!error.empty()) stop(place(), error);
  return error.empty();
}

CommandProcessor::Result CommandProcessor::marker() {
  const uint32_t id = stream_.payload()[0];
  if (id != arch::kDriverWorkBegins && id != arch::kDriverWorkEnds) marker_ = id;
  const bool of_driver =
      id == arch::kDriverWorkBegins || (current_->of_driver && id != arch::kDriverWorkEnds);
  changed_ |= of_driver != current_->of_driver;
  current_->of_driver = of_driver;
  return Result::kDone;
}

// After the number of the first register come the values.
CommandProcessor::Result CommandProcessor::set_registers(Cycle now) {
  draw::set_registers(stream_.payload(), current_->registers);
  send_state(now, (stream_.payload().size() - 1) * sizeof(uint32_t));
  changed_ = true;
  return Result::kDone;
}

CommandProcessor::Result CommandProcessor::copy(Cycle now) {
  if (spec_.watched_copies && copies_under_way_.size() == spec_.watched_copies) return Result::kWait;
  const CopyRanges memory = ranges_of_copy(stream_.opcode(), stream_.payload());
  if (scans_out_ && memory.written.meets(scanned_)) return wait_for_display();
  if (!copy_out.ready(now)) return Result::kBlocked;
  send_copy(now);
  depth_watch_.written(memory.written);
  copies_under_way_.push_back(
      {begin_work(now, parts::Work::Kind::kCopy), {memory.read.in_lines(), memory.written.in_lines()}});
  return Result::kDone;
}

void CommandProcessor::send_copy(Cycle now) {
  const std::span<const uint32_t> payload = stream_.payload();
  copy_out.send(now,
                {.kind = stream_.opcode(),
                 .payload = std::make_shared<const std::vector<uint32_t>>(payload.begin(), payload.end()),
                 .origin = origin_});
}

CommandProcessor::Place CommandProcessor::place() const {
  const bool named = stream_.in_packet() && stream_.header_mapped() && arch::is_header(stream_.header());
  return {packets_, stream_.packet_address(), named ? arch::opcode_name(stream_.opcode()) : "packet"};
}

CommandProcessor::Result CommandProcessor::refuse(const std::string& error) {
  stop(place(), error);
  return Result::kWait;
}

// Nothing more is begun. What is still under way may yet show that an earlier packet is at fault.
void CommandProcessor::stop(const Place& place, const std::string& error) {
  if (state_ == State::kFault && fault_packet_ <= place.number) return;
  fault_ = {submission_.id, place.address, draw::fault_text(place.name, error)};
  fault_packet_ = place.number;
  state_ = State::kFault;
}

void CommandProcessor::note_fault(uint32_t number, const std::string& error) {
  for (const DrawUnderWay& draw : draws_under_way_)
    if (draw.draw == number) stop(draw.packet, error);
}

std::string CommandProcessor::why_busy() const {
  if (state_ == State::kIdle || state_ == State::kFault) return "";
  return fmt::format("{} draws and dispatches, {} loads, {} copies under way; packet {}",
                     draws_under_way_.size(), loads_under_way_, copies_under_way_.size(),
                     stream_.in_packet() ? arch::opcode_name(stream_.opcode()) : "none");
}

}  // namespace cutaway::boxes
