#include "boxes/command_processor/state_way/state_way.h"

namespace cutaway::boxes {
namespace {

// One copy: it changes when all draws that use it have ended.
class Flush final : public StateWay {
 public:
  bool room(unsigned changed) const override { return changed == 0 || users_ == 0; }
  uint32_t take(unsigned) override { return users_++; }
  void release(uint32_t) override { users_--; }
  uint64_t storage(uint64_t bytes) const override { return bytes; }

 private:
  uint32_t users_ = 0;
};

const StateWays::Member<Flush> kFlush("flush");

}  // namespace
}  // namespace cutaway::boxes
