#include "boxes/work_distributor/distribution.h"

namespace cutaway::boxes {
namespace {

// Serves the takers one after the other, each with a batch of groups, and passes over those without room.
class Turns final : public Distribution {
 public:
  Turns(unsigned takers, unsigned batch) : takers_(takers), batch_(batch) {}

  int choose(const Group&, const Room& room) const override {
    for (unsigned i = 0; i < takers_; i++) {
      const unsigned taker = (turn_ + i) % takers_;
      if (room[taker]) return static_cast<int>(taker);
    }
    return kNobody;
  }
  void given(const Group&, unsigned taker) override {
    given_ = taker == turn_ ? given_ + 1 : 1;
    turn_ = taker;
    if (given_ < batch_) return;
    turn_ = (taker + 1) % takers_;
    given_ = 0;
  }
  unsigned waits_for(const Group&) const override { return turn_; }

 private:
  unsigned takers_, batch_;
  unsigned turn_ = 0;   // who is looked at first
  unsigned given_ = 0;  // groups of the batch that it has
};

const FragmentDistributions::Member<Turns> kOfFragments("turns");
const VertexDistributions::Member<Turns> kOfVertices("turns");

}  // namespace
}  // namespace cutaway::boxes
