#include "boxes/command_processor/state_versions.h"

#include <algorithm>

namespace cutaway::boxes {

StateVersions::StateVersions(unsigned versions, structures::DepthOrderName order)
    : order_(structures::DepthOrders::make(order, 1)), current_(std::make_unique<messages::DrawState>()) {
  for (unsigned i = 0; i < versions; i++) versions_.push_back(std::make_unique<messages::DrawState>());
}

void StateVersions::begin_submission() {
  order_->drained();
  *current_ = messages::DrawState{};
  changed_ = true;
}

void StateVersions::resume(const messages::DrawState& state) {
  begin_submission();
  *current_ = state;
  for (uint32_t i = 0; i < arch::kStages; i++) change_stage(static_cast<arch::Stage>(i));
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

StateVersions::Version StateVersions::take(Use use) {
  const bool draws = use == Use::kDraw;
  const bool made = changed_ || (draws && order_->mode(*latest_) != latest_->depth_mode);
  if (made) {
    const auto free =
        std::find_if(versions_.begin(), versions_.end(), [](const auto& v) { return v->users == 0; });
    if (free == versions_.end()) return {};
    (*free)->assign(*current_);
    (*free)->prepare();
    if (draws) (*free)->test_at(order_->mode(**free));
    latest_ = free->get();
    changed_ = false;
  }
  latest_->users++;
  return {latest_, made};
}

}  // namespace cutaway::boxes
