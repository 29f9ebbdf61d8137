#pragma once

#include <algorithm>

#include "base/in_round.h"

namespace cutaway::boxes {

// Chooses the rasteriser whose quad is taken next: in turn, a quad at a time. The draw end of one waits for
// those of the others. `head(input)` is a pointer to the quad that waits at an input, or null.
class RasterTurns {
 public:
  static constexpr unsigned kNone = ~0u;

  explicit RasterTurns(unsigned inputs) : inputs_(inputs) {}

  // The first input in turn that has a quad, or, once all have come to the draw end, any; else kNone.
  template <class Head>
  unsigned next(Head&& head) const {
    unsigned ends = 0;
    for (unsigned i = 0; i < inputs_; i++) {
      const unsigned input = in_round(turn_, i, inputs_);
      const auto* waiting = head(input);
      if (waiting && !waiting->draw_end) return input;
      ends += waiting != nullptr;
    }
    return ends == inputs_ ? turn_ : kNone;
  }

  // An input without a message while another one has: one whose draw end is missing, if next() is kNone.
  template <class Head>
  unsigned missing(Head&& head) const {
    unsigned ends = 0, missing = kNone;
    for (unsigned input = 0; input < inputs_; input++) {
      if (head(input)) ends++;
      else missing = std::min(missing, input);
    }
    return ends ? missing : kNone;
  }

  // A part of this input's quad is taken: the rest comes first.
  void stay(unsigned input) { turn_ = input; }
  // All of it is: the next input has its turn.
  void pass(unsigned input) { turn_ = (input + 1) % inputs_; }

  unsigned turn() const { return turn_; }

 private:
  unsigned inputs_;
  unsigned turn_ = 0;  // input that is looked at first
};

}  // namespace cutaway::boxes
