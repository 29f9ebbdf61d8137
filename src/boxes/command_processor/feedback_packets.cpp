// Transform feedback: how far its buffers are filled, and draws of as much.
#include "boxes/command_processor/command_processor.h"

namespace cutaway::boxes {

using arch::Opcode;
using engine::Cycle;

CommandProcessor::Result CommandProcessor::draw_byte_count(Cycle now) {
  const auto packet = arch::packet_as<arch::DrawByteCountPacket>(stream_.payload());
  uint32_t& filled = indirect_.words[0];
  if (!indirect_.read && !read_arguments(now, packet.counter, std::span(&filled, 1))) return Result::kWait;
  indirect_.read = true;
  const Result result = send_draw(now, draw::make_draw(packet, filled));
  if (result == Result::kDone) indirect_ = {};
  return result;
}

// Before the first capture or counter of a submission: nothing is filled. False: not yet.
bool CommandProcessor::begin_feedback(Cycle now) {
  if (feedback_begun_) return true;
  if (!feedback_out.ready(now)) return false;
  feedback_out.send(now, {.kind = parts::FeedbackOrder::Kind::kEmptyAll});
  feedback_begun_ = worked_ = true;
  return true;
}

// Loaded or stored behind all draws. Stream-out keeps the counters: it sets or tells one.
CommandProcessor::Result CommandProcessor::feedback_counter(Cycle now) {
  const auto packet = arch::packet_as<arch::FeedbackPacket>(stream_.payload());
  const bool stores = stream_.opcode() == Opcode::kStoreFeedback;
  FeedbackCounter& counter = feedback_;
  if (!counter.asked) {
    if (!settled()) return Result::kWait;
    const bool reads = !stores && packet.address && !counter.read;
    if (reads && !read_arguments(now, packet.address, std::span(&counter.filled, 1))) return Result::kWait;
    counter.read = true;
    if (!begin_feedback(now) || !feedback_out.ready(now)) return Result::kBlocked;
    using Kind = parts::FeedbackOrder::Kind;
    feedback_out.send(now, {stores ? Kind::kAsk : Kind::kSet, packet.buffer, counter.filled});
    counter.asked = worked_ = true;
    return Result::kWait;
  }
  if (!counter.answered) return Result::kWait;
  if (stores) {
    const Result result = write_bytes(now, packet.address, std::as_bytes(std::span(&counter.filled, 1)));
    if (result != Result::kDone) return result;
  }
  counter = {};
  return Result::kDone;
}

}  // namespace cutaway::boxes
