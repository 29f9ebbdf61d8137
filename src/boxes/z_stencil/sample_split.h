#pragma once

#include <bit>
#include <cstdint>
#include <utility>

#include "func/raster/samples.h"
#include "messages/draw_state.h"
#include "messages/messages.h"

namespace cutaway::boxes {

// Splits quads of several samples per pixel into a test for each sample that is alive, in rising order, and
// collects which of them pass. Tests are made in the order in which they were split off.
class SampleSplit {
 public:
  struct Test {
    uint8_t sample = 0;
    bool last = true;  // no other test of its quad follows
  };

  // A quad is partly split.
  bool begun() const { return left_ != 0; }
  // The next test of a quad with these samples alive, at least one; the same quad until its last test.
  Test next(func::QuadSamples alive) {
    if (!left_) left_ = alive;
    const auto sample = static_cast<uint32_t>(std::countr_zero(left_)) / 4;
    left_ &= ~(15u << 4 * sample);
    return {static_cast<uint8_t>(sample), !left_};
  }

  // Notes which lanes passed a test of the quad. After the last test the quad has what passed in all.
  void note(messages::QuadMessage& quad, uint32_t sample, bool last, uint32_t pass) {
    if (quad.state->samples == 1) {
      quad.mask &= static_cast<uint8_t>(pass);
      return;
    }
    passed_ |= (pass & 15) << 4 * sample;
    if (!last) return;
    quad.alive &= std::exchange(passed_, 0);
    quad.mask = static_cast<uint8_t>(func::any_sample(quad.alive));
  }

 private:
  func::QuadSamples left_ = 0;    // samples of a quad that have no test yet
  func::QuadSamples passed_ = 0;  // samples of the quad under test that have passed
};

}  // namespace cutaway::boxes
