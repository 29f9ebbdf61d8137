#include "boxes/z_stencil/early_tests.h"

#include "base/few_bits.h"
#include "boxes/z_stencil/quad_tests.h"
#include "func/rop/depth_stencil.h"
#include "func/rop/exported_fragment.h"
#include "messages/log_fragments.h"

namespace cutaway::boxes {

bool EarlyTests::push(const messages::QuadMessage& quad, Earlier earlier) {
  Entry& entry = entries_.push_stale();
  entry.quad = quad;
  entry.last = true;
  entry.to_shade = quad.draw_end ? 0 : quads_to_shade(quad);
  entry.tests = earlier != Earlier::kUnknown && tests_early(quad);
  counters_.quads += !quad.draw_end && !split_.begun();
  if (!entry.tests) return true;
  SampleSplit::Test slice;
  if (quad.state->samples > 1) slice = split_.next(quad.alive);
  entry.last = slice.last;
  entry.test = tester_.begin(quad, slice.sample);
  entry.test.settled = earlier == Earlier::kDone;
  waits_ = true;
  return slice.last;
}

bool EarlyTests::acquire() {
  Entry& newest = entries_.back();
  waits_ = !tester_.acquire(newest.test, newest.quad, DepthTester::Side::kEarly);
  return !waits_;
}

bool EarlyTests::test(unsigned& budget) {
  bool progress = false;
  for (; tested_ < entries_.size(); tested_++, progress = true) {
    Entry& next = entries_[tested_];
    if (!next.tests) {
      end(next.quad);
      continue;
    }
    if (!budget || !tester_.can_make(next.test)) break;
    budget--;
    make(next);
    if (next.last) end(next.quad);
  }
  return progress;
}

void EarlyTests::make(Entry& entry) {
  messages::QuadMessage& quad = entry.quad;
  const uint32_t sample = entry.test.sample;
  const uint32_t mask = tested_lanes(quad, sample);
  float z[4];
  depth_at(quad, sample, z);
  const func::DepthResult result =
      tester_.make(entry.test, quad, mask, z, nullptr,
                   decides_early(*quad.state) ? func::DepthPhase::kTestAndWrite : func::DepthPhase::kTest);
  counters_.fragments_tested += count_of_four(mask);
  const uint64_t failed = count_of_four(mask & ~result.pass);
  counters_.fragments_failed += failed;
  if (quad.state->of_driver) counters_.driver_fragments_failed += failed;
  note_killed(quad, sample, mask, result, false);
  split_.note(quad, entry.test.sample, entry.last, result.pass & mask);
}

// A quad is through: counts its samples for queries, which leave the unit with the end of its draw on the
// late side, and ends it if nothing behind the test has an effect on it.
void EarlyTests::end(messages::QuadMessage& quad) {
  if (quad.draw_end) return samples_of_draws_.push_back(std::exchange(samples_, 0));
  const messages::DrawState& state = *quad.state;
  const arch::Registers& registers = state.registers;
  if (registers.query.samples_passed && (state.ends_before_shading || func::counts_early(registers)))
    samples_ += messages::count_alive(quad, state.samples);
  if (!state.ends_before_shading || !quad.mask) return;
  counters_.quads_ended++;
  if (state.log) messages::log_quad(*state.log, quad, run_record::FragmentEvent::Kind::kPassed, quad.mask, 0);
  quad.mask = 0;
}

uint32_t EarlyTests::lost() const {
  const Entry& entry = entries_.front();
  return entry.last && entry.to_shade ? entry.to_shade - quads_to_shade(entry.quad) : 0;
}

bool EarlyTests::goes_on() const {
  const Entry& entry = entries_.front();
  const bool holds_place = sends_dead_ && !entry.quad.state->ends_before_shading;
  return entry.last && (entry.quad.mask || entry.quad.draw_end || holds_place);
}

}  // namespace cutaway::boxes
