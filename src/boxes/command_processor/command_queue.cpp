#include "boxes/command_processor/command_queue.h"

#include "boxes/command_processor/command_processor.h"

namespace cutaway::boxes {

using engine::Cycle;
using messages::Work;

void CommandQueue::submit(const arch::Submission& submission, const command_stream::WorkLimits& limits) {
  if (state == State::kRunning) {
    parts.waiting.push(submission, limits);
    return;
  }
  state = State::kRunning;
  parts.stream.start(submission);
  begin(submission, limits, false);
}

// The stream has started.
void CommandQueue::begin(const arch::Submission& submission, const command_stream::WorkLimits& limits,
                         bool overlaps) {
  box_.preemption().begin();
  if (!overlaps && box_.other(parts.queue)) ended_before(submission.id);
  follows_ = box_.other(parts.queue) ? submission.after : 0;
  parts.begin_submission(submission, overlaps);
  packets.begin_submission(submission, limits);
  if (const std::string error = command_stream::PacketCheck::submission_error(submission); !error.empty())
    parts.fault.note(parts.stream.place(), error);
}

void CommandQueue::ended_before(uint64_t submission) { note_ended(submission - 1, box_.contexts().bound()); }

bool CommandQueue::waits_for_doorbell() const { return parts.stream.submission() > box_.announced(); }

bool CommandQueue::run(Cycle now) {
  result_ = PacketResult::kDone;
  if (stopped()) return end_work_before_fault();
  if (!running() || waits_for_doorbell()) return false;
  if (bool progress = false; follows_other(progress)) return progress;
  const bool fetched = !box_.preemption().asked() && fetch(now);
  return take_packets(now) || fetched;
}

// A fault has stopped the queue. Submissions before the one whose packets were taken still end, if one of the
// other queue follows them. True: a step was taken.
bool CommandQueue::end_work_before_fault() {
  parts.draws.expect(parts.queue, nullptr);
  if (!box_.other(parts.queue) || parts.cache_orders.under_way() || !awaited()) return false;
  if (bool progress = false; !pay_barriers(progress)) return progress;
  if (!parts.drained()) return false;
  ended_before(parts.stream.submission());
  return true;
}

// True while submissions of the other queue have to end first. progress: it was told so. Then caches may hold
// lines that it has overwritten.
bool CommandQueue::follows_other(bool& progress) {
  if (!follows_) return false;
  CommandQueue& other = *box_.other(parts.queue);
  if (!other.idle() && other.ended() < follows_) {
    progress = other.await(Waiter::kOtherQueue, follows_);
    return true;
  }
  follows_ = 0;
  parts.watch.begin_submission();
  return false;
}

bool CommandQueue::fetch(Cycle now) {
  if (!box_.memory_out.ready(now)) return false;
  arch::Address sector;
  uint32_t tag;
  PacketStream* stream = &parts.stream;
  if (!stream->wants(sector, tag)) stream = parts.waiting.wants(box_.announced(), sector, tag);
  if (!stream) return false;
  tag &= ~CommandParts::kArgumentTag;
  box_.memory_out.send(now, {.address = sector, .tag = tag, .origin = parts.book.origin()});
  stream->asked();
  return true;
}

// Takes the words of one cycle, which may hold several small packets. A packet that waits holds up all behind
// it.
bool CommandQueue::take_packets(Cycle now) {
  bool progress = false;
  PacketStream& stream = parts.stream;
  for (unsigned words = 0; running() && !parts.cache_orders.under_way() && words < words_per_cycle_;) {
    if (box_.preemption().asked() && !stream.ended()) return suspend(now) || progress;
    if (stream.packet_complete()) {
      result_ = packets.execute(now);
      progress |= packets.progressed();
      if (result_ != PacketResult::kDone) break;
      progress = true;
      box_.counters.packets++;
      // A cache order that the packet gave ends it when all have answered.
      if (running() && !parts.cache_orders.under_way()) end_packet(now);
      continue;
    }
    if (stream.ended()) return end_submission(now) || progress;
    if (!stream.take_word()) break;
    progress = true;
    words++;
    box_.counters.words++;
    if (!stream.at_header()) continue;
    if (const std::string error = packets.header_error(); !error.empty())
      parts.fault.note(stream.place(), error);
  }
  return progress;
}

// Behind a packet that works the context may lose the GPU.
void CommandQueue::end_packet(Cycle now) {
  const arch::Opcode opcode = parts.stream.opcode();
  parts.stream.packet_done();
  Preemption& preemption = box_.preemption();
  if (!preempts_ || !box_.contexts().turns.on() || preemption.asked() || !preemption.possible()) return;
  const bool works = command_stream::is_draw(opcode) || command_stream::is_dispatch(opcode) ||
                     opcode == arch::Opcode::kClear || command_stream::is_copy(opcode);
  if (works && box_.contexts().turns.preempted(now, box_.contexts().announced())) preemption.ask(now);
}

// Carries out the barriers that are owed. True: none is any more. progress: a step was taken.
bool CommandQueue::pay_barriers(bool& progress) {
  if (!parts.owed.any()) return true;
  result_ = packets.carry_out_barriers();
  progress = packets.progressed();
  return result_ == PacketResult::kDone;
}

// The submission waits for its next turn, once nothing of it is under way. True: a step was taken.
bool CommandQueue::suspend(Cycle now) {
  if (bool progress = false; !pay_barriers(progress)) return progress;
  if (!box_.preemption().drained()) return false;
  box_.suspend(now);
  state = State::kChooses;
  return true;
}

// Begins the oldest submission that waits. Commands of it that were fetched are dropped if the GPU may have
// written them since.
void CommandQueue::begin_waiting(bool overlaps) {
  SubmissionQueue::Entry& next = parts.waiting.front();
  const bool distrusted = parts.stream.distrusted() || (box_.other(parts.queue) && next.submission.after);
  std::swap(parts.stream, next.stream);
  if (distrusted) parts.stream.start(next.submission);
  begin(next.submission, next.limits, overlaps);
  parts.waiting.pop();
}

// True if the next submission may begin while work is under way: that does not write its commands.
bool CommandQueue::may_overlap() {
  if (!parts.watch.on() || parts.waiting.empty()) return false;
  const arch::Submission& next = parts.waiting.front().submission;
  if (!parts.may_run(next.id)) return false;
  if (box_.other(parts.queue) && next.after) return false;
  const MemoryRange commands{next.commands, next.commands + next.words * uint64_t{4}};
  return !parts.watch.load_needs_barrier(commands) && !parts.copies.write(commands);
}

// All words have been taken. The next submission begins now if the memory of draws under way is watched; else
// barriers are carried out first, and all work ends. True: a step was taken.
bool CommandQueue::end_submission(Cycle now) {
  if (!parts.owed.begun() && may_overlap() && !awaited()) {
    if (parts.loader.loading()) return false;
    end_packets(now);
    parts.owed.owe_wait();
    box_.counters.overlapped_submissions += parts.draws.any(parts.queue);
    begin_waiting(true);
    return true;
  }
  if (bool progress = false; !pay_barriers(progress)) return progress;
  if (!parts.drained()) return false;
  end_packets(now);
  const bool several = box_.contexts().turns.on();
  if (several) {
    if (!parts.fault.get()) box_.end_turn(now);  // else the submission stays the one at fault
    return true;
  }
  ended_before(parts.stream.submission() + 1);
  if (parts.waiting.empty() || !parts.may_run(parts.waiting.front().submission.id)) state = State::kIdle;
  else begin_waiting(false);
  return true;
}

void CommandQueue::end_packets(Cycle now) {
  box_.end_work(now, parts.book, parts.book.begin(now, {.kind = Work::Kind::kRest}));
  if (const std::string error = packets.end_error(); !error.empty())
    parts.fault.note(parts.stream.place(), error);
}

}  // namespace cutaway::boxes
