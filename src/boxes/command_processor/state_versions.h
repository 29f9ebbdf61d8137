#pragma once

#include <memory>
#include <vector>

#include "arch/registers.h"
#include "boxes/command_processor/state_storage.h"
#include "messages/draw_state.h"
#include "structures/depth_order/depth_order.h"

namespace cutaway::boxes {

// The state that packets change, and the versions of it that draws and dispatches under way use: as many as
// the storage of the units has room for, at most kMost.
class StateVersions {
 public:
  static constexpr size_t kMost = 64;  // versions that draws can name

  // order: says when a draw tests depth.
  explicit StateVersions(const CommandProcessorSpec& spec, structures::DepthOrderName order = "flush");

  void begin_submission();  // the current state is empty
  // The current state, and what of it has been set, for a submission that is suspended.
  struct Standing {
    std::unique_ptr<messages::DrawState> state;
    StateBlocks blocks;
  };
  Standing standing() const { return {std::make_unique<messages::DrawState>(*current_), blocks_}; }
  void resume(const Standing& standing);

  const messages::DrawState& current() const { return *current_; }
  // Changes these words of the registers.
  arch::Registers& change_registers(unsigned first, unsigned words);
  // Changes the stage's program; what else of it changes, blocks() is told.
  messages::StageState& change_stage(arch::Stage stage);
  StateBlocks& blocks() { return blocks_; }
  void change_driver(bool of_driver);  // true: draws are the driver's own work
  // True if state of this kind goes with each draw, and is not sent as it changes.
  bool travels(StateKind kind) const { return storage_.travels(kind); }
  // Bytes that travel with the next draw.
  uint64_t travelling_bytes() const;

  struct Version {
    messages::DrawState* state = nullptr;
    bool made = false;  // for this draw
  };
  enum class Use : uint8_t { kDraw, kDispatch };
  // The version that the next draw uses until release(): the latest one if nothing has changed, else one that
  // no draw uses. Null: there is no room.
  Version take(Use use = Use::kDraw);
  void drained() { order_->drained(); }  // a barrier: no version is in use
  void release(messages::DrawState& state);

 private:
  struct Kept : messages::DrawState {
    StateStorage::Held held{};  // while draws use it
  };
  Kept* unused();

  std::unique_ptr<structures::DepthOrder> order_;
  std::unique_ptr<messages::DrawState> current_;
  StateBlocks blocks_;
  StateStorage storage_;
  std::vector<std::unique_ptr<Kept>> versions_;  // as many as were needed at once
  Kept* latest_ = nullptr;                       // equals current_ unless changed_
  bool changed_ = true;
  uint64_t stage_changes_ = 0;  // messages::StageState::version
};

}  // namespace cutaway::boxes
