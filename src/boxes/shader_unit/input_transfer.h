#pragma once

#include <cstdint>

#include "engine/domain.h"

namespace cutaway::boxes {

// The cycles that the inputs of a group take to come in, one group at a time. The first of them come when
// there is room for the group, which nothing can take meanwhile.
class InputTransfer {
 public:
  enum class Kind : uint8_t { kNone, kVertices, kFragments, kWorkgroup };

  // per_cycle: vectors of four words that come in a cycle.
  explicit InputTransfer(uint32_t per_cycle) : per_cycle_(per_cycle) {}

  // True if the last of the `vectors` inputs of a group comes in cycle `now`. If not, the transfer goes on
  // until ends(): then ask again.
  bool completes(engine::Cycle now, Kind kind, uint32_t vectors) {
    if (kind_ == Kind::kNone && vectors > per_cycle_) {
      kind_ = kind;
      ends_ = now + (vectors - 1) / per_cycle_;
      return false;
    }
    kind_ = Kind::kNone;
    return true;
  }
  Kind kind() const { return kind_; }  // kNone: no transfer goes on
  bool active() const { return kind_ != Kind::kNone; }
  engine::Cycle ends() const { return ends_; }  // of the transfer that goes on, or of the last one

 private:
  uint32_t per_cycle_;
  Kind kind_ = Kind::kNone;
  engine::Cycle ends_ = 0;
};

}  // namespace cutaway::boxes
