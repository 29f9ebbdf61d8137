#include "boxes/command_processor/state_versions.h"

#include <algorithm>

namespace cutaway::boxes {

StateVersions::StateVersions(unsigned versions) : current_(std::make_unique<messages::DrawState>()) {
  for (unsigned i = 0; i < versions; i++) versions_.push_back(std::make_unique<messages::DrawState>());
}

void StateVersions::begin_submission() {
  *current_ = messages::DrawState{};
  changed_ = true;
}

arch::Registers& StateVersions::change_registers() {
  changed_ = true;
  return current_->registers;
}

messages::StageState& StateVersions::change_stage(arch::Stage stage) {
  changed_ = true;
  messages::StageState& state = current_->stage[stage];
  state.version = ++stage_changes_;
  return state;
}

void StateVersions::change_driver(bool of_driver) {
  changed_ |= of_driver != current_->of_driver;
  current_->of_driver = of_driver;
}

StateVersions::Version StateVersions::take() {
  const bool made = changed_;
  if (changed_) {
    const auto free =
        std::find_if(versions_.begin(), versions_.end(), [](const auto& v) { return v->users == 0; });
    if (free == versions_.end()) return {};
    (*free)->assign(*current_);
    (*free)->prepare();
    latest_ = free->get();
    changed_ = false;
  }
  latest_->users++;
  return {latest_, made};
}

}  // namespace cutaway::boxes
