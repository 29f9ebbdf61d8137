#include "boxes/command_processor/state_versions.h"

#include <algorithm>

namespace cutaway::boxes {

StateVersions::StateVersions(const CommandProcessorSpec& spec, structures::DepthOrderName order)
    : order_(structures::DepthOrders::make(order, 1)),
      current_(std::make_unique<messages::DrawState>()),
      storage_(spec) {}

void StateVersions::begin_submission() {
  order_->drained();
  *current_ = messages::DrawState{};
  blocks_.begin_submission();
  changed_ = true;
}

void StateVersions::resume(const Standing& standing) {
  begin_submission();
  *current_ = *standing.state;
  blocks_.resume(standing.blocks);
  for (uint32_t i = 0; i < arch::kStages; i++) change_stage(static_cast<arch::Stage>(i));
}

arch::Registers& StateVersions::change_registers(unsigned first, unsigned words) {
  changed_ = true;
  blocks_.change_registers(first * 4, words * 4);
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

uint64_t StateVersions::travelling_bytes() const {
  uint64_t blocks = 0;
  for (const StateKind kind : {StateKind::kRegisters, StateKind::kConstants, StateKind::kDescriptors})
    if (storage_.travels(kind)) blocks += blocks_.set(kind);
  return blocks * StateBlocks::kBytes;
}

StateVersions::Version StateVersions::take(Use use) {
  const bool draws = use == Use::kDraw;
  const bool made = changed_ || (draws && order_->mode(*latest_) != latest_->depth_mode);
  // A program, and the time of a depth test, are named by registers.
  const StateStorage::Changes changes = {std::max(blocks_.changed(StateKind::kRegisters), unsigned{made}),
                                         blocks_.changed(StateKind::kConstants),
                                         blocks_.changed(StateKind::kDescriptors)};
  if (!storage_.room(changes)) return {};
  if (made) {
    Kept* const version = unused();
    if (!version) return {};
    version->assign(*current_);
    version->prepare();
    if (draws) version->test_at(order_->mode(*version));
    latest_ = version;
    changed_ = false;
    blocks_.drawn();
  }
  if (latest_->users++ == 0) latest_->held = storage_.take(changes);
  return {latest_, made};
}

// Returns a version that no draw uses, or null.
StateVersions::Kept* StateVersions::unused() {
  for (const auto& version : versions_)
    if (version->users == 0) return version.get();
  if (versions_.size() == kMost) return nullptr;
  return versions_.emplace_back(std::make_unique<Kept>()).get();
}

void StateVersions::release(messages::DrawState& state) {
  if (--state.users == 0) storage_.release(static_cast<Kept&>(state).held);
}

}  // namespace cutaway::boxes
