#pragma once

#include <cstdint>
#include <deque>
#include <utility>

#include "boxes/z_stencil/depth_tester.h"
#include "boxes/z_stencil/sample_split.h"
#include "boxes/z_stencil/z_stencil_counters.h"
#include "messages/messages.h"
#include "structures/ring.h"

namespace cutaway::boxes {

// Quads and draw ends before shading, in order, tested there or not. With several samples per pixel a quad
// has an entry for each sample that is tested; the last one stands for the quad afterwards.
//
// Tests are made in order, but do not wait for room behind them: a quad that held its lines while it waited
// could keep the late side, on which that room depends, from getting one.
class EarlyTests {
 public:
  // quads: entries; sends_dead: quads of which nothing is left go on too, but for draws that end here.
  EarlyTests(uint32_t quads, bool sends_dead, DepthTester& tester, ZStencilCounters& counters)
      : sends_dead_(sends_dead), tester_(tester), counters_(counters), entries_(quads) {}

  bool empty() const { return entries_.empty(); }
  bool full() const { return entries_.full(); }
  uint32_t size() const { return entries_.size(); }

  // State of the earlier quads at the place of a quad, when the quad comes.
  enum class Earlier : uint8_t {
    kDone,     // all have been tested and written
    kFailing,  // some have not, but what fails now fails after them
    kUnknown   // some have not: the quad is not tested
  };

  // ---- In ----
  // Adds an entry for the quad, or its next sample. Returns whether that was the last of it; if not, the same
  // quad comes again. Not when full, or while the newest entry waits for lines.
  bool push(const messages::QuadMessage& quad, Earlier earlier = Earlier::kDone);
  // The newest entry has no lines yet: try again.
  bool waits_for_lines() const { return waits_; }
  // Returns whether it has got them now.
  bool acquire();

  // ---- Tests ----
  // Some entries are not done.
  bool to_test() const { return tested_ < entries_.size(); }
  // Makes the tests that can be made, at most `budget`, which it takes them from. Returns whether any entry
  // moved.
  bool test(unsigned& budget);
  // Samples that have passed, of the oldest draw whose end is through and which has not been asked for: those
  // that queries count before shading.
  uint64_t take_samples() {
    const uint64_t samples = samples_of_draws_.front();
    samples_of_draws_.pop_front();
    return samples;
  }

  // ---- Out ----
  // The oldest entry waits for nothing but room behind it.
  bool done() const { return tested_ != 0; }
  // The oldest goes on, with what is left of it. Only if done().
  bool goes_on() const;
  messages::QuadMessage& oldest() { return entries_.front().quad; }
  // Quads to shade that came in with the oldest and of which nothing is left.
  uint32_t lost() const;
  void drop() { entries_.drop(), tested_--; }

 private:
  struct Entry {
    DepthTester::Test test;
    messages::QuadMessage quad;
    bool tests = false, last = true;
    uint32_t to_shade = 0;  // when it came
  };

  void make(Entry& entry);
  void end(messages::QuadMessage& quad);

  bool sends_dead_;
  DepthTester& tester_;
  ZStencilCounters& counters_;
  structures::Ring<Entry> entries_;
  bool waits_ = false;
  SampleSplit split_;
  uint32_t tested_ = 0;                    // oldest entries that are done
  uint64_t samples_ = 0;                   // of the draw whose end is not through
  std::deque<uint64_t> samples_of_draws_;  // whose ends are: see take_samples()
};

}  // namespace cutaway::boxes
