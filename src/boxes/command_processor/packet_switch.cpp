#include "boxes/command_processor/packet_switch.h"

#include <memory>
#include <span>
#include <vector>

#include "arch/marker.h"
#include "boxes/command_processor/command_processor.h"

namespace cutaway::boxes {

using arch::Opcode;
using engine::Cycle;
using messages::Control;
using messages::Work;
using Result = PacketResult;

void PacketSwitch::begin_submission(const arch::Submission& submission,
                                    const command_stream::WorkLimits& limits) {
  resume({.check = command_stream::PacketCheck(submission, limits), .predicate = true});
}

void PacketSwitch::resume(const Standing& standing) {
  check_ = standing.check;
  predicate_ = standing.predicate;
  judgement_ = Judgement::kNone;
  draws_.begin_submission();
}

std::string PacketSwitch::header_error() {
  const PacketStream& stream = parts_.stream;
  return check_.header_error(stream.header(), stream.words_left(), stream.header_mapped());
}

Result PacketSwitch::execute(Cycle now) {
  steps_.progressed = false;
  if (judgement_ == Judgement::kNone && !judge()) return Result::kWait;
  const Opcode opcode = parts_.stream.opcode();
  const bool predicated =
      command_stream::is_draw(opcode) || command_stream::is_dispatch(opcode) || opcode == Opcode::kClear;
  const Result result = predicated && !predicate_ ? Result::kDone : switch_packet(now);
  if (result == Result::kDone) judgement_ = Judgement::kNone;
  return result;
}

// Judges a packet once. False: it is refused.
bool PacketSwitch::judge() {
  judgement_ = Judgement::kLegal;
  const PacketStream& stream = parts_.stream;
  const arch::Registers& registers = parts_.versions.current().registers;
  std::string error = check_.packet_error(stream.opcode(), stream.payload(), registers, stream.depth());
  if (error.empty()) error = command_stream::unclocked(box_.abilities, stream.opcode(), registers);
  if (!error.empty()) steps_.refuse(error);
  return error.empty();
}

// True for packets before which owed barriers may stay owed: those that touch no memory, and those that look
// at the memory that they touch.
bool PacketSwitch::may_owe_barriers() const {
  if (box_.queue(parts_.queue).awaited()) return false;
  switch (parts_.stream.opcode()) {
    case Opcode::kNop:
    case Opcode::kMarker:
    case Opcode::kSetRegisters:
    case Opcode::kLoadConstants:
    case Opcode::kLoadResources:
    case Opcode::kLoadSamplers:
    case Opcode::kLoadProgram:
    case Opcode::kDraw:
    case Opcode::kDrawIndexed:
    case Opcode::kCall:
    case Opcode::kFlush:
    case Opcode::kInvalidate:
    case Opcode::kWaitIdle:
      return true;
    default:
      return false;
  }
}

Result PacketSwitch::switch_packet(Cycle now) {
  if (parts_.owed.any() && !may_owe_barriers())
    if (const Result result = steps_.carry_out_barriers(); result != Result::kDone) return result;
  const std::span<const uint32_t> payload = parts_.stream.payload();
  switch (parts_.stream.opcode()) {
    case Opcode::kNop:
      return Result::kDone;
    case Opcode::kMarker:
      return mark();
    case Opcode::kSetRegisters:
      return set_registers(now);
    case Opcode::kLoadConstants:
    case Opcode::kLoadResources:
    case Opcode::kLoadSamplers:
    case Opcode::kLoadProgram:
      return load(now);
    case Opcode::kDraw:
      return draws_.send_draw(now, command_stream::make_draw(false, payload));
    case Opcode::kDrawIndexed:
      return draws_.send_draw(now, command_stream::make_draw(true, payload));
    case Opcode::kDrawIndirect:
    case Opcode::kDrawIndexedIndirect:
      return draws_.draw_indirect(now);
    case Opcode::kDrawByteCount:
      return draws_.draw_byte_count(now);
    case Opcode::kDispatch:
      return draws_.send_dispatch(now, arch::packet_as<arch::DispatchPacket>(payload));
    case Opcode::kDispatchIndirect:
      return draws_.dispatch_indirect(now);
    case Opcode::kPredicate:
      return set_predicate(now);
    case Opcode::kCopyBuffer:
    case Opcode::kFillBuffer:
    case Opcode::kCopySurface:
    case Opcode::kCopyQueries:
      return copy(now);
    case Opcode::kClear:
      return clear(now);
    case Opcode::kFlush:
      return flush_or_invalidate(now, Control::Kind::kFlush);
    case Opcode::kInvalidate:
      return flush_or_invalidate(now, Control::Kind::kInvalidate);
    case Opcode::kWaitIdle:
      return wait_idle();
    case Opcode::kWriteValue:
      return write_value(now);
    case Opcode::kWriteQuery:
      return write_query(now);
    case Opcode::kWaitValue:
      return wait_value(now);
    case Opcode::kLoadFeedback:
    case Opcode::kStoreFeedback:
      return feedback_counter(now);
    case Opcode::kPresent:
      return present(now);
    case Opcode::kCall:
      return call();
  }
  return Result::kWait;
}

// ---- State ----

Result PacketSwitch::mark() {
  const uint32_t id = parts_.stream.payload()[0];
  if (id == arch::kDriverWorkBegins || id == arch::kDriverWorkEnds)
    parts_.versions.change_driver(id == arch::kDriverWorkBegins);
  else parts_.book.mark(id);
  return Result::kDone;
}

// The payload is the number of the first register and the values.
Result PacketSwitch::set_registers(Cycle now) {
  const std::span<const uint32_t> payload = parts_.stream.payload();
  const auto words = static_cast<unsigned>(payload.size()) - 1;
  command_stream::set_registers(payload, parts_.versions.change_registers(payload[0], words));
  if (!parts_.versions.travels(StateKind::kRegisters)) parts_.sender.send(now, words * sizeof(uint32_t));
  return Result::kDone;
}

Result PacketSwitch::load(Cycle now) {
  const arch::Registers& registers = parts_.versions.current().registers;
  messages::LoadCommand order =
      StateLoader::order_of(parts_.stream.opcode(), parts_.stream.payload(), registers);
  if (order.kind == Opcode::kLoadProgram) {
    const uint32_t instructions = registers.shader[static_cast<uint32_t>(order.stage)].instructions;
    if (instructions > instruction_memory_)
      return steps_.refuse(fmt::format("a program of {} instructions, but instruction memory holds {}",
                                       instructions, instruction_memory_));
    if (instructions == 0) {
      // A program that is still on its way would come after this and stay.
      if (parts_.loader.loading()) return Result::kWait;
      parts_.versions.change_stage(order.stage).program = nullptr;
      return Result::kDone;
    }
    if (parts_.loader.loads_program(order.stage)) return Result::kWait;
  }
  if (order.bytes == 0) return Result::kDone;
  const MemoryRange memory{order.address, order.address + order.bytes};
  if (parts_.copies.write(memory)) return Result::kWait;
  if (const Result result = wait_for_barriers(memory); result != Result::kDone) return result;
  if (!box_.loader_out.ready(now)) return Result::kWait;
  order.queue = parts_.queue;
  order.origin = parts_.book.origin();
  box_.loader_out.send(now, order);
  parts_.loader.begin(order, parts_.stream.place(), registers);
  return Result::kDone;
}

// Carries out owed barriers if this memory, which is read next, needs one.
Result PacketSwitch::wait_for_barriers(const MemoryRange& read) {
  if (!parts_.owed.any()) return Result::kDone;
  if (!parts_.owed.begun() && !parts_.watch.load_needs_barrier(read)) return Result::kDone;
  return steps_.carry_out_barriers();
}

Result PacketSwitch::call() {
  const auto packet = arch::packet_as<arch::CallPacket>(parts_.stream.payload());
  const MemoryRange memory{packet.address, packet.address + packet.words * uint64_t{4}};
  if (parts_.copies.write(memory)) return Result::kWait;
  if (const Result result = wait_for_barriers(memory); result != Result::kDone) return result;
  parts_.stream.call(packet);
  return Result::kDone;
}

Result PacketSwitch::set_predicate(Cycle now) {
  const auto packet = arch::packet_as<arch::PredicatePacket>(parts_.stream.payload());
  predicate_ = true;
  if (!packet.address) return Result::kDone;
  uint32_t value = 0;
  if (!steps_.read(now, packet.address, std::span(&value, 1))) return Result::kWait;
  predicate_ = command_stream::predicate_holds(packet, value);
  return Result::kDone;
}

// ---- Copies, clears, caches and the display ----

Result PacketSwitch::copy(Cycle now) {
  if (parts_.copies.full()) return Result::kWait;
  use_of_copy(parts_.stream.opcode(), parts_.stream.payload(), use_);
  if (parts_.scan_out.torn_by(use_)) return Result::kWaitForDisplay;
  if (!box_.copy_out.ready(now)) return Result::kWait;
  send_copy(now);
  for (const MemoryRange& memory : use_.written) {
    parts_.cache_orders.depth.written(memory);
    parts_.watch.overwritten(memory);
  }
  box_.written_by(parts_.queue);
  parts_.stream.distrust();
  parts_.copies.begin(use_, steps_.begin_work(now, {.kind = Work::Kind::kCopy}), parts_.queue);
  return Result::kDone;
}

void PacketSwitch::send_copy(Cycle now) {
  const std::span<const uint32_t> payload = parts_.stream.payload();
  box_.copy_out.send(
      now, {.kind = parts_.stream.opcode(),
            .payload = std::make_shared<const std::vector<uint32_t>>(payload.begin(), payload.end()),
            .origin = parts_.book.origin()});
}

// Behind all draws the caches forget the surface, then the copy engine clears memory.
Result PacketSwitch::clear(Cycle now) {
  switch (clear_) {
    case ClearStep::kCaches:
      return clear_caches(now);
    case ClearStep::kMemory:
      if (!box_.copy_out.ready(now)) return Result::kWait;
      send_copy(now);
      parts_.copies.begin({}, parts_.book.held(), parts_.queue);
      clear_ = ClearStep::kCopy;
      steps_.progressed = true;
      return Result::kWait;
    case ClearStep::kCopy:
      if (parts_.copies.any(parts_.queue)) return Result::kWait;
      clear_ = ClearStep::kCaches;
      return Result::kDone;
  }
  return Result::kWait;
}

Result PacketSwitch::clear_caches(Cycle now) {
  if (!parts_.drained()) return Result::kWait;
  parts_.versions.drained();
  const auto packet = arch::packet_as<arch::ClearPacket>(parts_.stream.payload());
  const MemoryRange memory = range_of(packet.surface);
  if (parts_.scan_out.torn_by(memory)) return Result::kWaitForDisplay;
  parts_.watch.overwritten(memory);
  box_.written_by(parts_.queue);
  parts_.stream.distrust();
  CacheOrders& orders = parts_.cache_orders;
  const bool color = arch::format_info(packet.surface.format).is_color();
  if (color) {
    orders.depth.written(memory);
  } else {
    if (const Result result = steps_.forget_lost_bounds(); result != Result::kDone) return result;
    orders.depth.used(memory);
  }
  orders.begin({.kind = Control::Kind::kClear,
                .origin = parts_.book.origin(),
                .clear = std::make_shared<const arch::ClearPacket>(packet)},
               parts_.caches(color ? arch::kCacheColor : arch::kCacheDepth), CacheOrders::Then::kPacketGoesOn,
               parts_.queue);
  steps_.begin_work(now, {.kind = Work::Kind::kCopy});
  clear_ = ClearStep::kMemory;
  steps_.progressed = true;
  box_.counters.clears++;
  return Result::kWait;
}

// Waits until the work before it has settled(); then the units that hold the caches get the order. The packet
// ends with their last answer.
Result PacketSwitch::flush_or_invalidate(Cycle now, Control::Kind kind) {
  uint32_t caches = parts_.stream.payload()[0];
  if (parts_.watch.on()) {
    if (kind == Control::Kind::kFlush) parts_.owed.owe_flush(caches);
    else parts_.owed.owe_invalidate(caches);
    return Result::kDone;
  }
  if (!parts_.settled()) return Result::kWait;
  parts_.versions.drained();
  if (kind == Control::Kind::kFlush) box_.counters.flushes++;
  if (kind == Control::Kind::kInvalidate) box_.counters.invalidates++, caches &= ~box_.skip_invalidate;
  const Control order{.kind = kind, .origin = parts_.book.origin(), .clear = nullptr};
  if (parts_.cache_orders.begin(order, parts_.caches(caches), CacheOrders::Then::kPacketEnds, parts_.queue))
    steps_.begin_work(now, {.kind = Work::Kind::kControl});
  return Result::kDone;
}

Result PacketSwitch::wait_idle() {
  if (parts_.watch.on()) {
    parts_.owed.owe_wait();
    return Result::kDone;
  }
  if (!parts_.settled()) return Result::kWait;
  parts_.versions.drained();
  return Result::kDone;
}

// All draws have ended; the driver has flushed the surface. A picture that is not for the screen is done.
Result PacketSwitch::present(Cycle now) {
  if (!parts_.drained()) return Result::kWait;
  const bool offscreen = box_.offscreen >> box_.contexts().bound() & 1;
  const Result result = offscreen ? Result::kDone : box_.display_link().present(now, parts_.stream.payload());
  box_.counters.presents += result == Result::kDone;
  return result;
}

// ---- Values in memory ----

Result PacketSwitch::write_value(Cycle now) {
  const auto packet = arch::packet_as<arch::WriteValuePacket>(parts_.stream.payload());
  if (!parts_.drained() || !box_.memory_out.ready(now)) return Result::kWait;
  const uint64_t value = packet.value;
  steps_.write(now, packet.address, std::as_bytes(std::span(&value, 1)));
  return Result::kDone;
}

// When all draws have ended, the units' counters have come with their ends.
Result PacketSwitch::write_query(Cycle now) {
  const auto packet = arch::packet_as<arch::QueryPacket>(parts_.stream.payload());
  if (!parts_.queries.begun() && !parts_.drained()) return Result::kWait;
  if (!box_.memory_out.ready(now)) return Result::kWait;
  const QueryWriter::Words words = parts_.queries.next(packet, now);
  if (!words.error.empty()) steps_.refuse(words.error);
  steps_.write(now, words.address, std::as_bytes(std::span(words.word).first(words.count)));
  if (parts_.queries.written(packet)) return Result::kDone;
  steps_.progressed = true;
  return Result::kWait;
}

// Once all work before has ended, nothing can change the value any more: what of the other queue may write it
// has ended before the submission began.
Result PacketSwitch::wait_value(Cycle now) {
  const auto packet = arch::packet_as<arch::WaitValuePacket>(parts_.stream.payload());
  if (parts_.arguments.idle() && !parts_.drained()) return Result::kWait;
  steps_.progressed |= steps_.ask(now, packet.address, sizeof(uint64_t));
  uint64_t value = 0;
  if (!parts_.arguments.take(packet.address, std::as_writable_bytes(std::span(&value, 1))))
    return Result::kWait;
  return value >= packet.value ? Result::kDone : steps_.refuse(command_stream::wait_error(packet, value));
}

// Behind all draws stream-out is told or asked how far a buffer is filled.
Result PacketSwitch::feedback_counter(Cycle now) {
  using Step = FeedbackCounter::Step;
  using Kind = messages::FeedbackOrder::Kind;
  const auto packet = arch::packet_as<arch::FeedbackPacket>(parts_.stream.payload());
  const bool stores = parts_.stream.opcode() == Opcode::kStoreFeedback;
  FeedbackCounter& counter = parts_.feedback;
  if (counter.step() == Step::kRead) {
    if (!parts_.settled()) return Result::kWait;
    uint32_t filled = 0;
    if (!stores && packet.address && !steps_.read(now, packet.address, std::span(&filled, 1)))
      return Result::kWait;
    counter.read(filled);
  }
  if (counter.step() == Step::kOrder) {
    if (!steps_.empty_feedback(now) || !box_.feedback_out.ready(now)) return Result::kWait;
    box_.feedback_out.send(now, {stores ? Kind::kAsk : Kind::kSet, packet.buffer, counter.bytes()});
    counter.ordered();
    steps_.progressed = true;
    return Result::kWait;
  }
  if (counter.step() == Step::kAnswer) return Result::kWait;
  if (stores) {
    if (!box_.memory_out.ready(now)) return Result::kWait;
    const uint32_t filled = counter.bytes();
    steps_.write(now, packet.address, std::as_bytes(std::span(&filled, 1)));
  }
  counter.ended();
  return Result::kDone;
}

}  // namespace cutaway::boxes
