#pragma once

#include <string>
#include <string_view>

#include "structures/replacement/replacement.h"

namespace cutaway::structures {

// One set of a cache whose lines are letters.
class SetForTest {
 public:
  SetForTest(const char* policy, uint32_t ways)
      : policy_(ReplacementPolicies::make(policy, 1, ways)), lines_(ways, kNothing) {}

  // An access to each line in turn: 'h' where it hits, 'm' where it misses.
  std::string access(std::string_view lines) {
    std::string outcomes;
    for (const char line : lines) outcomes += access(line) ? 'h' : 'm';
    return outcomes;
  }
  // The line of each way.
  const std::string& lines() const { return lines_; }

 private:
  static constexpr char kNothing = '.';

  bool access(char line) {
    const size_t found = lines_.find(line);
    if (found != lines_.npos) {
      policy_->used(0, static_cast<uint32_t>(found));
      return true;
    }
    size_t way = lines_.find(kNothing);
    if (way == lines_.npos) {
      way = policy_->victim(0, ~0ull >> (64 - lines_.size()));
      policy_->evicted(0, static_cast<uint32_t>(way));
    }
    lines_[way] = line;
    policy_->filled(0, static_cast<uint32_t>(way));
    return false;
  }

  std::unique_ptr<Replacement> policy_;
  std::string lines_;
};

}  // namespace cutaway::structures
