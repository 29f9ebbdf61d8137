#include <bit>

#include "structures/replacement/replacement.h"

namespace cutaway::structures {
namespace {

// Gives up any line. What it draws follows from the size of the cache and from how many lines it has given up
// before: every run draws the same.
class Random final : public Replacement {
 public:
  Random(uint32_t sets, uint32_t ways) : state_(mixed(uint64_t{sets} << 32 | ways) | 1) {}

  uint32_t victim(uint32_t, uint64_t candidates) const override {
    const auto count = static_cast<uint64_t>(std::popcount(candidates));
    // The upper bits of the state are the most random ones: takes them as a fraction of `count`.
    for (uint64_t n = (state_ >> 32) * count >> 32; n; n--) candidates &= candidates - 1;
    return static_cast<uint32_t>(std::countr_zero(candidates));
  }
  // Xorshift with 64 bits of state (RND-1).
  void evicted(uint32_t, uint32_t) override {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
  }
  void filled(uint32_t, uint32_t) override {}
  void used(uint32_t, uint32_t) override {}

 private:
  // An odd multiplier spreads the few bits of a seed over all.
  static uint64_t mixed(uint64_t seed) { return seed * 0x9e3779b97f4a7c15u; }

  uint64_t state_;  // never 0
};

const ReplacementPolicies::Member<Random> kRandom("random");

}  // namespace
}  // namespace cutaway::structures
