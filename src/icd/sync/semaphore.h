#pragma once

#include <memory>

#include "host/sync.h"
#include "icd/object.h"

namespace cutaway::icd {

class Semaphore {
 public:
  explicit Semaphore(const VkSemaphoreCreateInfo& info);

  bool timeline() const { return state_->timeline; }
  const std::shared_ptr<host::SemaphoreState>& state() const { return state_; }

 private:
  const std::shared_ptr<host::SemaphoreState> state_;  // shared with work that waits for it or signals it
};

}  // namespace cutaway::icd
