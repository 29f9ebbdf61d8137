#include <algorithm>
#include <bit>
#include <vector>

#include "structures/replacement/replacement.h"

namespace cutaway::structures {
namespace {

// Static re-reference interval prediction with 2 bits, promotion on a hit (RRIP-1). Each line has a predicted
// interval until its next use: 0 is near, 3 is distant. A line comes in with 2, a use sets 0, and the victim
// is the first line with 3. Where no candidate has 3, all lines of the set age together until one has. A scan
// of lines that are used once thus gives up its own lines first.
class Rrip final : public Replacement {
 public:
  Rrip(uint32_t sets, uint32_t ways) : ways_(ways), interval_(size_t{sets} * ways, kDistant) {}

  uint32_t victim(uint32_t set, uint64_t candidates) const override {
    const uint8_t* of_set = &interval_[size_t{set} * ways_];
    auto best = static_cast<uint32_t>(std::countr_zero(candidates));
    for (candidates &= candidates - 1; candidates; candidates &= candidates - 1) {
      const auto way = static_cast<uint32_t>(std::countr_zero(candidates));
      if (of_set[way] > of_set[best]) best = way;
    }
    return best;
  }
  // The victim had the greatest interval of the candidates: by as much as it lacked the set ages.
  void evicted(uint32_t set, uint32_t way) override {
    uint8_t* of_set = &interval_[size_t{set} * ways_];
    const int lacked = kDistant - of_set[way];
    for (uint32_t i = 0; i < ways_; i++)
      of_set[i] = static_cast<uint8_t>(std::min<int>(of_set[i] + lacked, kDistant));
  }
  void filled(uint32_t set, uint32_t way) override { interval_[size_t{set} * ways_ + way] = kLong; }
  void used(uint32_t set, uint32_t way) override { interval_[size_t{set} * ways_ + way] = 0; }

 private:
  static constexpr uint8_t kDistant = 3, kLong = 2;

  uint32_t ways_;
  std::vector<uint8_t> interval_;  // by line
};

const ReplacementPolicies::Member<Rrip> kRrip("rrip");

}  // namespace
}  // namespace cutaway::structures
