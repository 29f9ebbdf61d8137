#include <bit>
#include <vector>

#include "structures/replacement/replacement.h"

namespace cutaway::structures {
namespace {

// Approximates LRU by a binary tree over the ways of a set. Each inner node points to the half that was used
// longer ago: one bit, so that a set needs ways - 1 of them. A use turns the nodes on its way from the root
// so that they point elsewhere; the victim is where the nodes point. A half without candidates is passed by.
class PseudoLru final : public Replacement {
 public:
  PseudoLru(uint32_t sets, uint32_t ways) : leaves_(std::bit_ceil(ways)), points_(sets) {}

  uint32_t victim(uint32_t set, uint64_t candidates) const override {
    uint32_t node = 1, first = 0;  // the root is node 1; the ways below a node begin at `first`
    for (uint32_t half = leaves_ / 2; half; half /= 2) {
      const uint64_t ways = (uint64_t{1} << half) - 1;
      bool upper = points_[set] >> node & 1;
      if (!(candidates >> (first + (upper ? half : 0)) & ways)) upper = !upper;
      node = node * 2 + upper;
      first += upper ? half : 0;
    }
    return first;
  }
  void filled(uint32_t set, uint32_t way) override { used(set, way); }
  void used(uint32_t set, uint32_t way) override {
    // Leaf `way` has the number leaves_ + way, and every node twice the number of its parent, or one more.
    for (uint32_t child = leaves_ + way; child > 1; child /= 2) {
      const uint64_t node = uint64_t{1} << child / 2;
      if (child & 1) points_[set] &= ~node;
      else points_[set] |= node;
    }
  }

 private:
  uint32_t leaves_;               // a power of 2; ways that the set does not have are no candidates
  std::vector<uint64_t> points_;  // by set: bit n is set where node n points to its upper half
};

const ReplacementPolicies::Member<PseudoLru> kPseudoLru("pseudo-lru");

}  // namespace
}  // namespace cutaway::structures
