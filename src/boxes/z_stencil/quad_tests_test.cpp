#include "boxes/z_stencil/quad_tests.h"

#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "messages/fragment_log.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::quad_tests_test {
namespace {

using Kind = run_record::FragmentEvent::Kind;

// Lane 0 fails the stencil test, lane 1 the depth test; lane 2 passes, and lane 3 is not tested.
TEST(QuadTests, TellWhichTestKilledAFragment) {
  for (const bool late : {false, true}) {
    engine::Simulator sim;
    messages::FragmentLog log(sim.add_domain("core", 1), 10);
    messages::Pools pools;
    auto state = messages::testing::plain_state();
    messages::TileCounts tiles(64, 64);
    state->log = &log, state->tiles = &tiles;
    const auto quad = messages::testing::quad(messages::testing::cover(pools, *state), 10, 4);
    note_killed(quad, 1, 0b0111, {.pass = 0b0100, .stencil_failed = 0b0001}, late);
    EXPECT_EQ(tiles.tile(1, 0).killed_stencil, 1u);
    EXPECT_EQ(tiles.tile(1, 0).killed_z, 1u);
    const auto events = log.sorted();
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[0].kind, late ? Kind::kKilledLateZ : Kind::kKilledZ);
    EXPECT_EQ(events[0].lanes, 0b0010);
    EXPECT_EQ(events[1].kind, late ? Kind::kKilledLateStencil : Kind::kKilledStencil);
    EXPECT_EQ(events[1].lanes, 0b0001);
    EXPECT_EQ(events[1].sample, 1);
  }
}

}  // namespace
}  // namespace cutaway::boxes::quad_tests_test
