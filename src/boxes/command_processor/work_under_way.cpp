// Work that has been sent off: what it is counted for, and when all of it is done.
#include <algorithm>

#include "boxes/command_processor/command_processor.h"

namespace cutaway::boxes {

using engine::Cycle;

void CommandProcessor::batch_assembled(Cycle now, const parts::DrawAssembled& assembled) {
  queries_ += assembled.counts;
  if (--under_way(assembled.draw)->batches == 0) draw_left(now, assembled.draw, draw_done.size());
}

std::vector<CommandProcessor::DrawUnderWay>::iterator CommandProcessor::under_way(uint32_t number) {
  const auto draw = std::find_if(draws_under_way_.begin(), draws_under_way_.end(),
                                 [&](const DrawUnderWay& d) { return d.draw == number; });
  CUTAWAY_CHECK(draw != draws_under_way_.end(), "draw {}", number);
  return draw;
}

// A unit has ended a draw or dispatch: a color write unit by its number, after them what tells of batches,
// and the compute distributor.
void CommandProcessor::draw_left(Cycle now, uint32_t number, size_t unit) {
  const auto draw = under_way(number);
  draw->missing &= ~(1ull << unit);
  if (draw->missing) return;
  if (const char* error = fault_of_draw ? fault_of_draw(number) : nullptr) stop(draw->packet, error);
  count_driver_cycles(now);
  draw->state->users--;
  end_work(now, draw->work);
  draws_under_way_.erase(draw);
}

// The packet under way has been sent off with the number of a new piece of work. What is prepared from now on
// belongs to the next one.
uint32_t CommandProcessor::begin_work(Cycle now, parts::Work::Kind kind, const draw::Draw& draw) {
  return begin_work(now, parts::Work{.kind = kind, .origin = origin_, .draw = draw, .marker = marker_});
}

uint32_t CommandProcessor::begin_dispatch(Cycle now, const arch::DispatchPacket& dispatch) {
  parts::Work work{.kind = parts::Work::Kind::kDispatch, .origin = origin_, .marker = marker_};
  work.origin.draw = 0;
  std::copy_n(dispatch.groups, 3, work.groups.begin());
  return begin_work(now, work);
}

uint32_t CommandProcessor::begin_work(Cycle now, parts::Work work) {
  if (!work_list) return 0;
  const parts::Work::Kind kind = work.kind;
  if (parts::has_packet(kind)) work.opcode = stream_.opcode();
  work.of_driver = kind == parts::Work::Kind::kDraw && latest_->of_driver;
  const uint32_t number = work_list->next();
  work_list->begin(work, now);
  origin_.work = work_list->next();
  // Packets wait until caches are flushed and surfaces are cleared.
  const bool held = kind == parts::Work::Kind::kControl || work.opcode == arch::Opcode::kClear;
  works_for(held ? number : origin_.work);
  return number;
}

void CommandProcessor::end_work(Cycle now, uint32_t number) {
  if (!work_list) return;
  work_list->end(number, now);
  works_for(origin_.work);
}

CommandProcessor::Phase CommandProcessor::phase() const {
  if (state_ == State::kIdle || state_ == State::kFault) return Phase::kNone;
  if (!draws_under_way_.empty()) return Phase::kDraws;
  if (!copies_under_way_.empty() || clear_ != Clear::kNone) return Phase::kCopies;
  if (state_ == State::kControl) return Phase::kCaches;
  return waits_for_display_ ? Phase::kDisplay : Phase::kCommands;
}

// All cycles up to now.
void CommandProcessor::count_phase(Cycle now) {
  const Cycle cycles = now - phase_since_;
  phase_since_ = now;
  if (phase_ == Phase::kNone) return;
  if (phase_scans_out_) counters.scan_out_cycles += cycles;
  uint64_t* const of[] = {&counters.draw_cycles, &counters.copy_cycles, &counters.cache_cycles,
                          &counters.display_cycles, &counters.command_cycles};
  *of[static_cast<size_t>(phase_) - 1] += cycles;
}

// Up to now; called before a draw begins or ends.
void CommandProcessor::count_driver_cycles(Cycle now) {
  if (!draws_under_way_.empty() && draws_under_way_.front().state->of_driver)
    counters.driver_cycles += now - draws_since_;
  draws_since_ = now;
}

}  // namespace cutaway::boxes
