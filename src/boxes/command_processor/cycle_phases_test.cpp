#include "boxes/command_processor/cycle_phases.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::cycle_phases_test {
namespace {

using Phase = CyclePhases::Phase;

TEST(CyclePhases, CountsEachCycleForItsPhase) {
  CommandProcessorCounters counters;
  CyclePhases phases(counters);
  phases.change(5, Phase::kNone, false);
  phases.begin(10, false);
  phases.change(13, Phase::kDraws, false);
  phases.change(14, Phase::kDraws, false);
  phases.change(20, Phase::kCopies, false);
  phases.change(31, Phase::kCaches, false);
  phases.change(43, Phase::kDisplay, false);
  phases.change(56, Phase::kNone, false);
  phases.count(100);
  EXPECT_EQ(counters.command_cycles, 3u);
  EXPECT_EQ(counters.draw_cycles, 7u);
  EXPECT_EQ(counters.copy_cycles, 11u);
  EXPECT_EQ(counters.cache_cycles, 12u);
  EXPECT_EQ(counters.display_cycles, 13u);
  EXPECT_EQ(counters.scan_out_cycles, 0u);
}

TEST(CyclePhases, CountsScanOutsBesidePhases) {
  CommandProcessorCounters counters;
  CyclePhases phases(counters);
  phases.begin(0, true);
  phases.change(4, Phase::kDraws, true);
  phases.change(9, Phase::kDraws, false);
  phases.change(12, Phase::kDraws, true);
  phases.change(13, Phase::kNone, true);
  phases.count(50);
  EXPECT_EQ(counters.scan_out_cycles, 10u);
  EXPECT_EQ(counters.draw_cycles, 9u);
}

TEST(CyclePhases, CountsWithinAPhaseOnce) {
  CommandProcessorCounters counters;
  CyclePhases phases(counters);
  phases.begin(0, false);
  phases.count(3);
  phases.count(3);
  phases.count(8);
  EXPECT_EQ(counters.command_cycles, 8u);
}

}  // namespace
}  // namespace cutaway::boxes::cycle_phases_test
