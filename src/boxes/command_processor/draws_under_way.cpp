#include "boxes/command_processor/draws_under_way.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace cutaway::boxes {

using engine::Cycle;

void DrawsUnderWay::add_draw(Cycle now, Entry entry) {
  count_driver_cycles(now);
  entry.missing = (uint64_t{2} << color_units_) - 1;
  entries_.push_back(entry);
}

void DrawsUnderWay::add_dispatch(Cycle now, Entry entry) {
  count_driver_cycles(now);
  entry.missing = uint64_t{2} << color_units_;
  entries_.push_back(entry);
}

bool DrawsUnderWay::end_in_color_unit(uint32_t number, size_t unit) { return end(at(number), unit); }

bool DrawsUnderWay::assemble_batch(uint32_t number) {
  Entry& entry = at(number);
  return --entry.batches == 0 && end(entry, color_units_);
}

bool DrawsUnderWay::end_dispatch(uint32_t number) { return end(at(number), color_units_ + 1); }

bool DrawsUnderWay::end(Entry& entry, size_t unit) {
  entry.missing &= ~(uint64_t{1} << unit);
  return entry.missing == 0;
}

DrawsUnderWay::Entry DrawsUnderWay::remove(Cycle now, uint32_t number) {
  count_driver_cycles(now);
  Entry& entry = at(number);
  const Entry removed = entry;
  entries_.erase(entries_.begin() + (&entry - entries_.data()));
  return removed;
}

const DrawsUnderWay::Entry* DrawsUnderWay::find(uint32_t number) const {
  const auto entry =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.number == number; });
  return entry == entries_.end() ? nullptr : &*entry;
}

DrawsUnderWay::Entry& DrawsUnderWay::at(uint32_t number) {
  const Entry* entry = find(number);
  CUTAWAY_CHECK(entry, "draw {}", number);
  return entries_[static_cast<size_t>(entry - entries_.data())];
}

bool DrawsUnderWay::run(const std::shared_ptr<const command_stream::Program>& program) const {
  const auto runs = [&](const messages::DrawState& state) {
    return std::any_of(state.stage.begin(), state.stage.end(),
                       [&](const auto& stage) { return stage.program == program; });
  };
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return runs(*e.state); }) ||
         std::any_of(expected_.begin(), expected_.end(),
                     [&](const auto* state) { return state && runs(*state); });
}

DrawsUnderWay::Unit DrawsUnderWay::oldest_in(arch::QueueKind queue) const {
  const auto oldest =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.queue == queue; });
  const auto unit = static_cast<size_t>(std::countr_zero(oldest->missing));
  if (unit < color_units_) return {Unit::Kind::kColorWrite, unit};
  return {unit == color_units_ ? Unit::Kind::kAssembly : Unit::Kind::kDispatch};
}

// Counts the cycles up to now. The oldest draw changes only when one begins or ends.
void DrawsUnderWay::count_driver_cycles(Cycle now) {
  if (!entries_.empty() && entries_.front().state->of_driver) driver_cycles_ += now - changed_at_;
  changed_at_ = now;
}

}  // namespace cutaway::boxes
