#include "structures/replacement/line_stamps.h"
#include "structures/replacement/replacement.h"

namespace cutaway::structures {
namespace {

// Gives up the line that came in first, however often it has been used.
class Fifo final : public Replacement {
 public:
  Fifo(uint32_t sets, uint32_t ways) : fill_(sets, ways) {}

  uint32_t victim(uint32_t set, uint64_t candidates) const override { return fill_.oldest(set, candidates); }
  void filled(uint32_t set, uint32_t way) override { fill_.stamp(set, way); }
  void used(uint32_t, uint32_t) override {}

 private:
  LineStamps fill_;
};

const ReplacementPolicies::Member<Fifo> kFifo("fifo");

}  // namespace
}  // namespace cutaway::structures
