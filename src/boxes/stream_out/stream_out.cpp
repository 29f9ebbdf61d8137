#include "boxes/stream_out/stream_out.h"

#include "messages/batch_end.h"
#include "messages/draw_state.h"

namespace cutaway::boxes {

using engine::Cycle;
using messages::PrimitiveMessage;

namespace {

// Tags of writes: front end, and the number of the batch for which the sector was sent.
constexpr uint32_t kNumberBits = 16;
constexpr uint32_t kNumbers = (1u << kNumberBits) - 1;

bool captures(const PrimitiveMessage& message) { return message.state->registers.feedback.on != 0; }

}  // namespace

StreamOut::StreamOut(std::string path, const StreamOutSpec& spec, unsigned front_ends)
    : Box(std::move(path)),
      primitives_in(front_ends),
      primitives_out(front_ends),
      assembled_out(front_ends),
      spec_(spec),
      front_ends_(front_ends),
      combiner_(spec.sectors) {}

void StreamOut::list_ports(engine::PortList& list) {
  list("primitives_in", primitives_in,
       "from each front end: primitives, of all streams in draws with feedback; ends of batches");
  list("primitives_out", primitives_out, "primitives of stream 0, ends of batches");
  list("assembled_out", assembled_out,
       "for each front end: a captured batch is in memory, with its counts for queries");
  list("memory_out", memory_out, "writes of sectors");
  list("memory_in", memory_in, "replies");
  list("orders_in", orders_in, "an order to read or set the fill level of a buffer");
  list("filled_out", filled_out, "the fill level");
}

std::vector<std::string_view> StreamOut::costs_nothing() const {
  return {"Looking up the captured words of a vertex, in any order"};
}

Cycle StreamOut::tick(Cycle now) {
  bool progress = take_reply(now);
  progress |= obey(now);
  progress |= tell(now);
  const uint32_t turn = this->turn();
  for (uint32_t f = 0; f < front_ends_.size(); f++) {
    const PrimitiveMessage* next = primitives_in[f].peek(now);
    if (next && (f == turn || !captures(*next))) progress |= take(now, f);
  }
  return account(now, progress);
}

Cycle StreamOut::account(Cycle now, bool progress) {
  if (progress) return busy(now);
  // A stall of the front end whose turn it is stalls the others.
  const uint32_t turn = this->turn(), count = static_cast<uint32_t>(front_ends_.size());
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t f = (turn + i) % count;
    const PrimitiveMessage* next = primitives_in[f].peek(now);
    if (!next) continue;
    if (captures(*next) && f != turn) return starved(now, primitives_in[turn]);
    if (!primitives_out[f].ready(now)) return blocked(now, primitives_out[f]);
    if (front_ends_[f].batches.full() && front_ends_[f].batches.front().writes)
      return starved(now, memory_in);
    if (front_ends_[f].batches.full()) return blocked(now, assembled_out[f]);
    return writes_ == spec_.writes ? starved(now, memory_in) : blocked(now, memory_out);
  }
  for (uint32_t f = 0; f < front_ends_.size(); f++)
    if (!front_ends_[f].batches.empty() && front_ends_[f].batches.front().ended)
      return front_ends_[f].batches.front().writes ? starved(now, memory_in) : blocked(now, assembled_out[f]);
  if (orders_in.peek(now)) return blocked(now, filled_out);
  return writes_ ? starved(now, memory_in) : idle(now);
}

// ---- The command processor ----

bool StreamOut::obey(Cycle now) {
  using Kind = messages::FeedbackOrder::Kind;
  const messages::FeedbackOrder* order = orders_in.peek(now);
  if (!order) return false;
  if (order->kind == Kind::kEmptyAll) {
    filled_ = {};
  } else {
    if (!filled_out.ready(now)) return false;
    uint32_t& filled = filled_.filled[order->buffer];
    if (order->kind == Kind::kSet) filled = order->filled;
    filled_out.send(now, {filled});
  }
  orders_in.drop(now);
  return true;
}

bool StreamOut::take_reply(Cycle now) {
  const messages::MemoryReply* reply = memory_in.peek(now);
  if (!reply) return false;
  FrontEnd& of = front_ends_[reply->tag >> kNumberBits];
  of.batches[((reply->tag & kNumbers) - of.first) & kNumbers].writes--;
  writes_--;
  memory_in.drop(now);
  return true;
}

// Reports the oldest batch of each front end, once it has ended and is in memory.
bool StreamOut::tell(Cycle now) {
  bool progress = false;
  for (uint32_t f = 0; f < front_ends_.size(); f++) {
    FrontEnd& of = front_ends_[f];
    if (of.batches.empty()) continue;
    const Batch& oldest = of.batches.front();
    if (!oldest.ended || oldest.writes || !assembled_out[f].ready(now)) continue;
    assembled_out[f].send(now, oldest.assembled);
    of.batches.drop();
    of.first++;
    progress = true;
  }
  return progress;
}

// ---- Primitives ----

// The front end of the oldest unfinished batch: the one with the fewest ended batches, the first among
// equals.
uint32_t StreamOut::turn() const {
  uint32_t turn = 0;
  for (uint32_t f = 1; f < front_ends_.size(); f++)
    if (front_ends_[f].passed < front_ends_[turn].passed) turn = f;
  return turn;
}

StreamOut::Batch* StreamOut::open_batch(uint32_t front_end) {
  FrontEnd& of = front_ends_[front_end];
  if (of.open()) return &of.batches.back();
  if (of.batches.full()) return nullptr;
  of.batches.push({});
  return &of.batches.back();
}

bool StreamOut::take(Cycle now, uint32_t front_end) {
  const PrimitiveMessage& message = *primitives_in[front_end].peek(now);
  if (message.is_end()) return take_end(now, front_end, message);
  if (captures(message)) return capture(now, front_end, message);
  if (!primitives_out[front_end].ready(now)) return false;
  counters.passed++;
  primitives_out[front_end].send(now, primitives_in[front_end].take(now));
  if (const auto* end = messages::end_behind(now, primitives_in[front_end])) take_end(now, front_end, *end);
  return true;
}

// Writes the remaining combined sectors at the end of the draw.
bool StreamOut::take_end(Cycle now, uint32_t front_end, const PrimitiveMessage& end) {
  Batch* batch = open_batch(front_end);
  if (!batch) return false;
  if (end.draw_end && captures(end) && !combiner_.empty()) return write_oldest(now, front_end, end.origin);
  if (!primitives_out[front_end].ready(now)) return false;
  batch->assembled.draw = end.origin.draw;
  batch->ended = true;
  front_ends_[front_end].passed++;
  primitives_out[front_end].send(now, primitives_in[front_end].take(now));
  return true;
}

// ---- Capture ----

// Captures at most one vertex per cycle. The primitive is sent on after its last vertex.
bool StreamOut::capture(Cycle now, uint32_t front_end, const PrimitiveMessage& message) {
  Batch* batch = open_batch(front_end);
  if (!batch) return false;
  bool progress = !capture_.begun;
  if (!capture_.begun) begin_capture(message, *batch);
  if (capture_.fits && capture_.vertex < message.vertices) {
    progress |= capture_vertex(now, front_end, message);
    if (capture_.vertex < message.vertices) return progress;
  }
  if (message.stream != 0) {
    primitives_in[front_end].drop(now);
  } else {
    if (!primitives_out[front_end].ready(now)) return progress;
    primitives_out[front_end].send(now, primitives_in[front_end].take(now));
  }
  capture_ = {};
  return true;
}

void StreamOut::begin_capture(const PrimitiveMessage& message, Batch& batch) {
  const func::Feedback& feedback = message.state->registers.feedback;
  capture_.begun = true;
  capture_.fits = func::feedback_fits(feedback, filled_, message.vertices, message.stream);
  counters.primitives++;
  batch.assembled.counts.primitives_needed[message.stream]++;
  if (!capture_.fits) return;
  counters.captured++;
  batch.assembled.counts.primitives_written[message.stream]++;
}

// Captures as many words of the vertex as the path takes in a cycle. Returns false if memory accepts no
// sector.
bool StreamOut::capture_vertex(Cycle now, uint32_t front_end, const PrimitiveMessage& message) {
  const arch::Registers& registers = message.state->registers;
  const func::Feedback& feedback = registers.feedback;
  const uint32_t from = func::feedback_vertex(registers.assembly, message.vertices, capture_.vertex);
  const auto& output = message.vertex[from]->output;
  uint32_t words = spec_.bytes_per_cycle / 4;
  bool progress = false;
  for (; capture_.output < feedback.outputs; capture_.output++) {
    const arch::FeedbackOutput captured = feedback.output[capture_.output];
    if (captured.stream() != message.stream) continue;
    if (!words) return progress;
    const arch::Address address = func::feedback_address(feedback, filled_, captured);
    const uint32_t word = output[captured.source()][captured.component()];
    if (!combiner_.add(address, word)) {
      if (!write_oldest(now, front_end, message.origin)) return progress;
      combiner_.add(address, word);
    }
    counters.bytes += sizeof word;
    words--;
    progress = true;
  }
  func::feedback_advance(feedback, filled_, message.stream);
  counters.vertices++;
  capture_.vertex++;
  capture_.output = 0;
  return true;
}

bool StreamOut::write_oldest(Cycle now, uint32_t front_end, const messages::Origin& origin) {
  if (writes_ == spec_.writes || !memory_out.ready(now)) return false;
  FrontEnd& of = front_ends_[front_end];
  const uint32_t number = of.first + of.batches.size() - 1;
  const WriteCombiner::Sector oldest = combiner_.take_oldest();
  memory_out.send(now, {.address = oldest.address,
                        .tag = front_end << kNumberBits | (number & kNumbers),
                        .write = true,
                        .mask = oldest.mask,
                        .origin = origin,
                        .data = oldest.data});
  of.batches.back().writes++;
  writes_++;
  counters.sectors++;
  return true;
}

std::string StreamOut::why_busy() const {
  uint32_t batches = 0;
  for (const FrontEnd& of : front_ends_) batches += of.batches.size();
  if (!batches && combiner_.empty()) return "";
  return fmt::format("{} batches not told, {} sectors on the way to memory", batches, writes_);
}

}  // namespace cutaway::boxes
