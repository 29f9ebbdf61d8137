#pragma once

#include <cstdint>

#include "boxes/z_stencil/depth_tester.h"
#include "boxes/z_stencil/sample_split.h"
#include "boxes/z_stencil/z_stencil_counters.h"
#include "messages/messages.h"
#include "structures/ring.h"

namespace cutaway::boxes {

// Shaded quads and draw ends, in order, tested after shading or not; entries as in EarlyTests. A test is made
// when there is room behind it.
class LateTests {
 public:
  LateTests(uint32_t quads, DepthTester& tester, ZStencilCounters& counters)
      : tester_(tester), counters_(counters), entries_(quads) {}

  bool empty() const { return entries_.empty(); }
  bool full() const { return entries_.full(); }
  uint32_t size() const { return entries_.size(); }

  // ---- In ----
  // Adds an entry for the quad, or its next sample. Returns whether that was the last of it; if not, the same
  // quad comes again. Not when full, or while the newest entry waits for lines. The caller then gives
  // newest() the message, or a copy if it comes again.
  bool push(const messages::ShadedQuad& shaded);
  messages::ShadedQuad& newest() { return entries_.back().shaded; }
  // The newest entry has no lines yet: try again.
  bool waits_for_lines() const { return waits_; }
  // Returns whether it has got them now.
  bool acquire();

  // ---- Out ----
  // The oldest entry is tested; not when empty, as the next.
  bool tests() const { return entries_.front().tests; }
  // Its test can be made, or it has none.
  bool ready() const { return !tests() || tester_.can_make(entries_.front().test); }
  // Makes the test of the oldest entry. Only if it has one and is ready.
  void test();
  // The oldest goes on, with what is left of it.
  bool goes_on() const;
  messages::ShadedQuad& oldest() { return entries_.front().shaded; }
  // The oldest stands for the whole quad.
  bool whole() const { return entries_.front().last; }
  void drop() { entries_.drop(); }

 private:
  struct Entry {
    DepthTester::Test test;
    messages::ShadedQuad shaded;
    bool tests = false, last = true;
  };

  DepthTester& tester_;
  ZStencilCounters& counters_;
  structures::Ring<Entry> entries_;
  bool waits_ = false;
  SampleSplit split_;
};

}  // namespace cutaway::boxes
