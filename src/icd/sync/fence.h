#pragma once

#include <memory>

#include "host/sync.h"
#include "icd/object.h"

namespace cutaway::icd {

class Fence {
 public:
  explicit Fence(const VkFenceCreateInfo& info) : state_(std::make_shared<host::FenceState>()) {
    state_->signaled = info.flags & VK_FENCE_CREATE_SIGNALED_BIT;
  }
  const std::shared_ptr<host::FenceState>& state() const { return state_; }

 private:
  const std::shared_ptr<host::FenceState> state_;  // shared with the work that signals it
};

}  // namespace cutaway::icd
