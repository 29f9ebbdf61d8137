#include "parts/work_list.h"

#include "base/error.h"

namespace cutaway::parts {

void WorkList::begin(Work work, engine::Cycle now) {
  work.origin.work = next();
  work.state = states_.empty() ? 0 : static_cast<uint32_t>(states_.size() - 1);
  work.began = now;
  works_.push_back(work);
}

void WorkList::end(uint32_t number, engine::Cycle now) {
  CUTAWAY_CHECK(number >= first_ && number < next() && !works_[number - first_].ended, "work {}", number);
  Work& work = works_[number - first_];
  work.ended = true;
  work.end = now;
  if (!windows_) return;
  work.row = static_cast<uint32_t>(windows_->rows());
  windows_->request();
}

void WorkList::note_state(const DrawState& state) {
  WorkState& noted = states_.emplace_back();
  noted.registers = state.registers;
  for (uint32_t i = 0; i < arch::kStages; i++) {
    const auto stage = static_cast<arch::Stage>(i);
    const StageState& from = state.stage[stage];
    noted.program[stage] = from.program;
    if (!from.program) continue;
    for (const uint32_t binding : from.program->resources)
      if (from.resources[binding].valid)
        noted.textures.push_back({stage, binding, from.resources[binding].surface});
  }
}

void WorkList::clear() {
  first_ = next();
  works_.clear();
  // Draws to come may use the version made last.
  if (states_.size() > 1) states_.erase(states_.begin(), states_.end() - 1);
}

}  // namespace cutaway::parts
