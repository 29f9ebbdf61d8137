#pragma once

#include <memory>
#include <vector>

#include "arch/registers.h"
#include "messages/draw_state.h"
#include "structures/depth_order/depth_order.h"

namespace cutaway::boxes {

// The state that packets change, and the versions of it that draws and dispatches under way use.
class StateVersions {
 public:
  // versions: at least 1; order: says when a draw tests depth.
  explicit StateVersions(unsigned versions, structures::DepthOrderName order = "flush");

  void begin_submission();                        // the current state is empty
  void resume(const messages::DrawState& state);  // it was the current one of a suspended submission
  const messages::DrawState& current() const { return *current_; }
  arch::Registers& change_registers();
  messages::StageState& change_stage(arch::Stage stage);
  void change_driver(bool of_driver);  // true: draws are the driver's own work

  struct Version {
    messages::DrawState* state = nullptr;
    bool made = false;  // for this draw
  };
  enum class Use : uint8_t { kDraw, kDispatch };
  // The version that the next draw uses until release(): the latest one if nothing has changed, else one that
  // no draw uses. Null: all are in use.
  Version take(Use use = Use::kDraw);
  void drained() { order_->drained(); }  // a barrier: no version is in use
  static void release(messages::DrawState& state) { state.users--; }

 private:
  std::unique_ptr<structures::DepthOrder> order_;
  std::unique_ptr<messages::DrawState> current_;
  std::vector<std::unique_ptr<messages::DrawState>> versions_;
  messages::DrawState* latest_ = nullptr;  // equals current_ unless changed_
  bool changed_ = true;
  uint64_t stage_changes_ = 0;  // messages::StageState::version
};

}  // namespace cutaway::boxes
