#include "boxes/command_processor/draw_packets.h"

#include <algorithm>

#include "boxes/command_processor/command_processor.h"

namespace cutaway::boxes {

using arch::Opcode;
using engine::Cycle;
using messages::Work;
using Result = PacketResult;

namespace {

const EnumSet<arch::Stage> kCompute = {arch::Stage::kCompute};

}  // namespace

Result DrawPackets::send_draw(Cycle now, const command_stream::Draw& draw) {
  if (parts_.loader.loading()) return Result::kWait;
  const arch::Registers& registers = parts_.versions.current().registers;
  const EnumSet<arch::Stage> stages = drawing_stages(registers);
  if (dispatch_.step() == DrawDispatch::Step::kJudge)
    if (const std::string error = judge_draw(draw, stages); !error.empty()) return steps_.refuse(error);
  const DrawDispatch::Share share = dispatch_.share(draw, registers);
  if (parts_.owed.any() && (parts_.owed.begun() || registers.feedback.on ||
                            parts_.watch.draw_needs_barrier(registers, use_, parts_.owed.invalidates())))
    if (const Result result = steps_.carry_out_barriers(); result != Result::kDone) return result;
  for (uint32_t i = 0; i < share.front_ends; i++)
    if (!box_.draw_out[dispatch_.front_end_of(i)].ready(now)) return Result::kWait;
  if (registers.feedback.on && !steps_.empty_feedback(now)) return Result::kWait;
  if (const Result result = prepare(now, stages); result != Result::kDone) return result;
  if (arch::format_info(registers.depth.surface.format).bytes)
    if (const Result result = steps_.forget_lost_bounds(); result != Result::kDone) return result;
  messages::DrawState* const state = take_version(StateVersions::Use::kDraw);
  if (!state) return Result::kWait;
  leave(now, draw, share, *state);
  return Result::kDone;
}

Result DrawPackets::send_dispatch(Cycle now, const arch::DispatchPacket& dispatch) {
  if (parts_.loader.loading()) return Result::kWait;
  if (dispatch_.step() == DrawDispatch::Step::kJudge)
    if (const std::string error = judge_dispatch(dispatch); !error.empty()) return steps_.refuse(error);
  if (!box_.dispatch_out.ready(now)) return Result::kWait;
  if (const Result result = prepare(now, kCompute); result != Result::kDone) return result;
  messages::DrawState* const state = take_version(StateVersions::Use::kDispatch);
  if (!state) return Result::kWait;
  leave(now, dispatch, *state);
  return Result::kDone;
}

std::string DrawPackets::judge_draw(const command_stream::Draw& draw, EnumSet<arch::Stage> stages) {
  const messages::DrawState& current = parts_.versions.current();
  std::string error = check_.draw_error(current.registers, command_stream::loaded_programs(current.stage),
                                        draw.count, draw.instances);
  if (error.empty()) error = parts_.loader.unclocked_textures(box_.abilities, current, stages);
  if (!error.empty()) return error;
  use_of_draw(current, stages, draw.indexed, use_);
  dispatch_.judged();
  return "";
}

std::string DrawPackets::judge_dispatch(const arch::DispatchPacket& dispatch) {
  const messages::DrawState& current = parts_.versions.current();
  const bool program = current.stage[arch::Stage::kCompute].program != nullptr;
  std::string error = check_.dispatch_error(current.registers, program, dispatch.groups);
  if (error.empty()) error = parts_.loader.unclocked_textures(box_.abilities, current, kCompute);
  if (!error.empty()) return error;
  use_of_dispatch(current, use_);
  dispatch_.judged();
  return "";
}

// Sends the programs of these stages and the state that travels with the draw, and waits until the units have
// all state, until no picture is torn, and for copies of the same memory.
Result DrawPackets::prepare(Cycle now, EnumSet<arch::Stage> stages) {
  if (dispatch_.step() == DrawDispatch::Step::kSendPrograms) {
    const uint64_t time = box_.counters.draws + dispatch_.dispatches();
    const StateSender::Sent sent =
        parts_.sender.send_programs(now, parts_.versions.current(), stages, time, parts_.draws);
    steps_.progressed |= sent.any;
    if (!sent.all) return Result::kWait;
    parts_.draws.expect(parts_.queue, &parts_.versions.current());
    if (const uint64_t bytes = parts_.versions.travelling_bytes()) parts_.sender.pass(now, bytes);
    dispatch_.programs_sent();
  }
  if (parts_.sender.arrived() > now) return Result::kWaitForState;
  if (parts_.scan_out.torn_by(use_)) return Result::kWaitForDisplay;
  return parts_.copies.overlap(use_) ? Result::kWait : Result::kDone;
}

messages::DrawState* DrawPackets::take_version(StateVersions::Use use) {
  const StateVersions::Version version = parts_.versions.take(use);
  if (version.state) parts_.draws.expect(parts_.queue, nullptr);
  if (version.made) {
    box_.counters.state_changes++;
    parts_.book.note_state(*version.state);
  }
  return version.state;
}

void DrawPackets::leave(Cycle now, const command_stream::Draw& draw, const DrawDispatch::Share& share,
                        messages::DrawState& state) {
  watch_depth();
  watch_memory();
  box_.written_by(parts_.queue);
  box_.counters.draws++;
  box_.counters.driver_draws += state.of_driver;
  const uint32_t number = parts_.book.next_draw();
  for (uint32_t i = 0; i < share.front_ends; i++)
    box_.draw_out[dispatch_.front_end_of(i)].send(
        now, {.draw = draw, .batch = i, .state = &state, .origin = parts_.book.origin()});
  const uint32_t work =
      steps_.begin_work(now, {.kind = Work::Kind::kDraw, .draw = draw, .of_driver = state.of_driver});
  parts_.draws.add_draw(now, {.number = number,
                              .queue = parts_.queue,
                              .state = &state,
                              .packet = parts_.stream.place(),
                              .work = work,
                              .batches = dispatch_.assemblies(share)});
  dispatch_.draw_left(share);
}

void DrawPackets::leave(Cycle now, const arch::DispatchPacket& dispatch, messages::DrawState& state) {
  for (const MemoryRange& memory : use_.written) parts_.cache_orders.depth.written(memory);
  parts_.watch.add_dispatch(use_);
  box_.written_by(parts_.queue);
  parts_.stream.distrust();
  parts_.queries.count_invocations(dispatch, state.registers);
  const uint32_t number = dispatch_.dispatch_left();
  box_.dispatch_out.send(now, {dispatch, number, &state, parts_.book.dispatch_origin()});
  Work work{.kind = Work::Kind::kDispatch};
  std::copy_n(dispatch.groups, 3, work.groups.begin());
  parts_.draws.add_dispatch(now, {.number = number,
                                  .queue = parts_.queue,
                                  .state = &state,
                                  .packet = parts_.stream.place(),
                                  .work = steps_.begin_work(now, work)});
}

// Notes the depth surface that the draw uses, and all else that it writes.
void DrawPackets::watch_depth() {
  DepthWatch& watch = parts_.cache_orders.depth;
  const arch::Surface& depth = parts_.versions.current().registers.depth.surface;
  if (arch::format_info(depth.format).bytes) watch.used(range_of(depth));
  for (const MemoryRange& memory : use_.written) watch.written(memory);
}

// Notes all memory that the draw uses. Its programs may store commands.
void DrawPackets::watch_memory() {
  const messages::DrawState& current = parts_.versions.current();
  parts_.watch.add_draw(current.registers, use_);
  const auto& stages = current.stage;
  if (std::any_of(stages.begin(), stages.end(),
                  [](const auto& stage) { return stage.program && !stage.program->stored.empty(); }))
    parts_.stream.distrust();
}

// Draws follow one another as their arguments arrive; one is fetched at a time.
Result DrawPackets::draw_indirect(Cycle now) {
  const auto packet = arch::packet_as<arch::IndirectPacket>(parts_.stream.payload());
  if (indirect_.step() == IndirectPacket::Step::kCount) {
    uint32_t asked = packet.draws;
    if (packet.count_address && !steps_.read(now, packet.count_address, std::span(&asked, 1)))
      return Result::kWait;
    indirect_.count(packet.draws, asked);
  }
  const bool indexed = parts_.stream.opcode() == Opcode::kDrawIndexedIndirect;
  const std::span<uint32_t> words = indirect_.words(command_stream::draw_words(indexed));
  while (!indirect_.ended()) {
    if (indirect_.step() == IndirectPacket::Step::kArguments) {
      if (!steps_.read(now, indirect_.address(packet), words)) return Result::kWait;
      indirect_.read();
    }
    const Result result = send_draw(now, command_stream::make_draw(indexed, words, indirect_.draw()));
    if (result != Result::kDone) return result;
    indirect_.next();
    steps_.progressed = true;
  }
  indirect_ = {};
  return Result::kDone;
}

Result DrawPackets::draw_byte_count(Cycle now) {
  const auto packet = arch::packet_as<arch::DrawByteCountPacket>(parts_.stream.payload());
  const std::span<uint32_t> filled = indirect_.words(1);
  if (indirect_.step() != IndirectPacket::Step::kLaunch) {
    if (!steps_.read(now, packet.counter, filled)) return Result::kWait;
    indirect_.read();
  }
  const Result result = send_draw(now, command_stream::make_draw(packet, filled[0]));
  if (result == Result::kDone) indirect_ = {};
  return result;
}

Result DrawPackets::dispatch_indirect(Cycle now) {
  const auto packet = arch::packet_as<arch::DispatchIndirectPacket>(parts_.stream.payload());
  const std::span<uint32_t> groups = indirect_.words(3);
  if (indirect_.step() != IndirectPacket::Step::kLaunch) {
    if (!steps_.read(now, packet.address, groups)) return Result::kWait;
    indirect_.read();
  }
  const Result result = send_dispatch(now, {{groups[0], groups[1], groups[2]}, {0, 0, 0}});
  if (result == Result::kDone) indirect_ = {};
  return result;
}

}  // namespace cutaway::boxes
