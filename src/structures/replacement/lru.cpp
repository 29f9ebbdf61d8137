#include "structures/replacement/line_stamps.h"
#include "structures/replacement/replacement.h"

namespace cutaway::structures {
namespace {

// Gives up the line that was used longest ago.
class Lru final : public Replacement {
 public:
  Lru(uint32_t sets, uint32_t ways) : use_(sets, ways) {}

  uint32_t victim(uint32_t set, uint64_t candidates) const override { return use_.oldest(set, candidates); }
  void filled(uint32_t set, uint32_t way) override { use_.stamp(set, way); }
  void used(uint32_t set, uint32_t way) override { use_.stamp(set, way); }

 private:
  LineStamps use_;
};

const ReplacementPolicies::Member<Lru> kLru("lru");

}  // namespace
}  // namespace cutaway::structures
