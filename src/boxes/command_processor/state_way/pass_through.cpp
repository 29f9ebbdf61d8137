#include "boxes/command_processor/state_way/state_way.h"

namespace cutaway::boxes {
namespace {

// Nothing is kept: state goes down the pipeline with each draw.
class PassThrough final : public StateWay {
 public:
  bool room(unsigned) const override { return true; }
  uint32_t take(unsigned) override { return 0; }
  void release(uint32_t) override {}
  bool travels() const override { return true; }
  uint64_t storage(uint64_t) const override { return 0; }
};

const StateWays::Member<PassThrough> kPassThrough("pass-through");

}  // namespace
}  // namespace cutaway::boxes
