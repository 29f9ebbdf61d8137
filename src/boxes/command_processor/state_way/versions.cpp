#include <algorithm>
#include <vector>

#include "boxes/command_processor/state_way/state_way.h"

namespace cutaway::boxes {
namespace {

// Several copies: a change makes one that no draw uses.
class Versions final : public StateWay {
 public:
  explicit Versions(unsigned versions) : users_(versions) {}

  bool room(unsigned changed) const override {
    return changed == 0 || std::find(users_.begin(), users_.end(), 0u) != users_.end();
  }
  uint32_t take(unsigned changed) override {
    if (changed)
      latest_ = static_cast<uint32_t>(std::find(users_.begin(), users_.end(), 0u) - users_.begin());
    users_[latest_]++;
    return latest_;
  }
  void release(uint32_t held) override { users_[held]--; }
  uint64_t storage(uint64_t bytes) const override { return users_.size() * bytes; }

 private:
  std::vector<uint32_t> users_;  // draws under way with a version
  uint32_t latest_ = 0;
};

const StateWays::Member<Versions> kVersions("versions");

}  // namespace
}  // namespace cutaway::boxes
