#pragma once

#include "boxes/shader_unit/issue_policy.h"

namespace cutaway::boxes {

// 1 to n instructions of any kind (ATT-9): as many ALUs that can do everything.
class NWayIssue final : public IssuePolicy {
 public:
  explicit NWayIssue(uint32_t ways) : ways_(ways) {}

  uint32_t most() const override { return ways_; }
  bool joins(const IssueBundle&, const func::MicroOp&) const override { return true; }

 private:
  uint32_t ways_;
};

}  // namespace cutaway::boxes
