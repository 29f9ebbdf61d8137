#include "boxes/hierarchical_z/hz_buffer.h"

#include <bit>
#include <gtest/gtest.h>

#include "messages/testing/draws.h"

namespace cutaway::boxes::hz_buffer_test {
namespace {

using Outcome = HzBuffer::Outcome;
using Verdict = HzBuffer::Verdict;

// Immediately, for either direction of later draws, until one of them writes.
TEST(HzBuffer, AClearIsABoundOfBothDirections) {
  messages::Pools pools;
  auto less = messages::testing::plain_state(), greater = messages::testing::plain_state();
  messages::testing::add_depth(*less, arch::Compare::kLess, false);
  messages::testing::add_depth(*greater, arch::Compare::kGreater);
  const auto near = messages::testing::cover(pools, *less, 0.25f),
             far = messages::testing::cover(pools, *less, 0.75f);
  arch::ClearPacket packet{};
  packet.surface = less->registers.depth.surface;
  packet.width = 24, packet.height = 64;
  packet.value[0] = std::bit_cast<uint32_t>(0.5f);
  HzMemory memory(64, 1);
  HzBuffer buffer(memory, {8});
  EXPECT_EQ(buffer.clear(packet), 24u);
  for (int turn = 0; turn < 2; turn++) {
    buffer.begin_draw(less->registers);
    EXPECT_EQ(buffer.test(less->registers, far->primitive, 8, 8), Verdict::kRejected);
    EXPECT_NE(buffer.test(less->registers, near->primitive, 8, 8), Verdict::kRejected);
    EXPECT_NE(buffer.test(less->registers, far->primitive, 24, 8), Verdict::kRejected)
        << "beside the rectangle";
    buffer.begin_draw(greater->registers);
    EXPECT_EQ(buffer.test(greater->registers, near->primitive, 8, 8), Verdict::kRejected);
  }
  EXPECT_NE(buffer.test(greater->registers, far->primitive, 8, 8), Verdict::kRejected);
  buffer.begin_draw(less->registers);
  EXPECT_NE(buffer.test(less->registers, far->primitive, 8, 8), Verdict::kRejected) << "written since";
  EXPECT_EQ(buffer.test(less->registers, far->primitive, 16, 8), Verdict::kRejected);
  packet.aspect = static_cast<uint32_t>(arch::CopyAspect::kStencil);
  EXPECT_EQ(buffer.clear(packet), 0u);
}

// After a clear, every draw nearer than all earlier ones is accepted, in either direction, until a draw
// stores depths that hierarchical Z cannot follow.
TEST(HzBuffer, AcceptsWhatLiesBeforeAllThatWasDrawn) {
  for (const bool rising : {false, true}) {
    messages::Pools pools;
    auto state = messages::testing::plain_state(), always = messages::testing::plain_state();
    messages::testing::add_depth(*state, rising ? arch::Compare::kGreater : arch::Compare::kLess);
    messages::testing::add_depth(*always, arch::Compare::kAlways);
    const auto at = [&](float z) { return messages::testing::cover(pools, *state, rising ? 1 - z : z); };
    arch::ClearPacket packet{};
    packet.surface = state->registers.depth.surface;
    packet.width = 8, packet.height = 64;
    packet.value[0] = std::bit_cast<uint32_t>(rising ? 0.0f : 1.0f);
    HzMemory memory(64, 1);
    HzBuffer buffer(memory, {8}, true);
    buffer.clear(packet);
    buffer.begin_draw(state->registers);
    const auto verdict = [&](float z, int32_t x = 0) {
      return buffer.test(state->registers, at(z)->primitive, x, 0);
    };
    EXPECT_EQ(verdict(0.75f), Verdict::kAccepted);
    EXPECT_EQ(verdict(0.75f), Verdict::kMixed) << "as far as what was drawn";
    EXPECT_EQ(verdict(0.5f), Verdict::kAccepted);
    EXPECT_EQ(verdict(0.625f), Verdict::kMixed);
    EXPECT_EQ(verdict(0.375f, 8), Verdict::kMixed) << "nothing is known of tiles that were not cleared";
    buffer.begin_draw(always->registers);
    EXPECT_EQ(buffer.test(always->registers, at(0.25f)->primitive, 0, 0), Verdict::kMixed);
    buffer.begin_draw(state->registers);
    EXPECT_EQ(verdict(0.125f), Verdict::kMixed) << "what was stored is not known";
  }
}

TEST(HzBuffer, DropsUpdatesOlderThanTheTilesOpening) {
  messages::Pools pools;
  auto less = messages::testing::plain_state(), always = messages::testing::plain_state();
  messages::testing::add_depth(*less, arch::Compare::kLess);
  messages::testing::add_depth(*always, arch::Compare::kAlways);
  const auto near = messages::testing::cover(pools, *less, 0.25f),
             far = messages::testing::cover(pools, *less, 0.75f);
  HzMemory memory(64, 1);
  HzBuffer buffer(memory, {8});
  buffer.begin_draw(less->registers);
  EXPECT_NE(buffer.test(less->registers, near->primitive, 0, 0), Verdict::kRejected);
  const uint32_t before = buffer.epoch();
  buffer.begin_draw(less->registers);
  const messages::HzUpdate update{
      .surface = messages::testing::kDepthAddress, .least = 0.25f, .greatest = 0.25f};
  messages::HzUpdate now = update;
  now.epoch = buffer.epoch();
  EXPECT_EQ(buffer.update(now), Outcome::kNarrowed);
  EXPECT_EQ(buffer.test(less->registers, far->primitive, 0, 0), Verdict::kRejected);
  EXPECT_NE(buffer.test(less->registers, far->primitive, 8, 0), Verdict::kRejected);
  // A draw that may store anything opens the tile.
  buffer.begin_draw(always->registers);
  const uint32_t opening = buffer.epoch();
  EXPECT_NE(buffer.test(always->registers, far->primitive, 0, 0), Verdict::kRejected);
  buffer.begin_draw(less->registers);
  EXPECT_NE(buffer.test(less->registers, far->primitive, 0, 0), Verdict::kRejected);
  for (uint32_t epoch : {before, opening}) {
    messages::HzUpdate stale = update;
    stale.epoch = epoch;
    EXPECT_EQ(buffer.update(stale), Outcome::kStale) << epoch;
  }
  EXPECT_NE(buffer.test(less->registers, far->primitive, 0, 0), Verdict::kRejected);
  // Updates of another surface, or outside the buffer.
  messages::HzUpdate other = update;
  other.epoch = buffer.epoch(), other.surface++;
  EXPECT_EQ(buffer.update(other), Outcome::kStale);
  other = update, other.epoch = buffer.epoch(), other.x = 4096;
  EXPECT_EQ(buffer.update(other), Outcome::kStale);
}

// Under GREATER the entry is a lower bound: the least stored depth of any sample.
TEST(HzBuffer, SamplesUnderGreaterCountByTheLeastOfThem) {
  messages::Pools pools;
  auto state = messages::testing::plain_state();
  state->registers.raster.samples = 4;
  messages::testing::add_depth(*state, arch::Compare::kGreater);
  const auto near = messages::testing::cover(pools, *state, 0.25f),
             middle = messages::testing::cover(pools, *state, 0.5f);
  for (uint32_t least = 0; least < 4; least++) {  // the sample that stores 0.375, others 0.75
    HzMemory memory(64, 1);
    HzBuffer buffer(memory, {8});
    buffer.begin_draw(state->registers);
    buffer.begin_draw(state->registers);
    for (uint32_t sample = 0; sample < 4; sample++)
      EXPECT_EQ(buffer.update({.surface = messages::testing::kDepthAddress,
                               .least = sample == least ? 0.375f : 0.75f,
                               .greatest = 0.875f,
                               .epoch = buffer.epoch(),
                               .sample = sample}),
                sample == 3 ? Outcome::kNarrowed : Outcome::kNothingNew);
    EXPECT_NE(buffer.test(state->registers, middle->primitive, 0, 0), Verdict::kRejected)
        << "passes at sample " << least;
    EXPECT_EQ(buffer.test(state->registers, near->primitive, 0, 0), Verdict::kRejected);
  }
}

// A tile with several samples may be rejected only if none of them can pass.
TEST(HzBuffer, NarrowsWhenEachSampleHasBeenDescribed) {
  messages::Pools pools;
  auto state = messages::testing::plain_state();
  state->registers.raster.samples = 4;
  messages::testing::add_depth(*state, arch::Compare::kLess);
  const auto middle = messages::testing::cover(pools, *state, 0.5f),
             far = messages::testing::cover(pools, *state, 0.75f);
  HzMemory memory(64, 1);
  HzBuffer buffer(memory, {8});
  buffer.begin_draw(state->registers);
  buffer.begin_draw(state->registers);
  const auto describe = [&](uint32_t sample, float z) {
    return buffer.update({.surface = messages::testing::kDepthAddress,
                          .least = z,
                          .greatest = z,
                          .epoch = buffer.epoch(),
                          .sample = sample});
  };
  EXPECT_EQ(describe(0, 0.25f), Outcome::kNothingNew);
  EXPECT_EQ(describe(2, 0.625f), Outcome::kNothingNew);
  EXPECT_EQ(describe(0, 0.125f), Outcome::kNothingNew);
  EXPECT_EQ(describe(3, 0.25f), Outcome::kNothingNew);
  EXPECT_NE(buffer.test(state->registers, far->primitive, 0, 0), Verdict::kRejected)
      << "sample 1 is not known";
  EXPECT_EQ(describe(1, 0.25f), Outcome::kNarrowed);
  EXPECT_EQ(buffer.test(state->registers, far->primitive, 0, 0), Verdict::kRejected);
  EXPECT_NE(buffer.test(state->registers, middle->primitive, 0, 0), Verdict::kRejected)
      << "nearer than sample 2";
  for (uint32_t sample = 0; sample < 4; sample++)
    EXPECT_EQ(describe(sample, 0.25f), sample == 3 ? Outcome::kNarrowed : Outcome::kNothingNew);
  EXPECT_EQ(buffer.test(state->registers, middle->primitive, 0, 0), Verdict::kRejected);
}

// Depths beyond 1 may be stored where nothing is known, or where 1 is: a far fragment may pass.
TEST(HzBuffer, AnOpenEntryRejectsNothing) {
  messages::Pools pools;
  auto less = messages::testing::plain_state();
  messages::testing::add_depth(*less, arch::Compare::kLess);
  const auto farthest = messages::testing::cover(pools, *less, 1.0f);
  HzMemory memory(64, 1);
  HzBuffer buffer(memory, {8});
  buffer.begin_draw(less->registers), buffer.begin_draw(less->registers);
  EXPECT_EQ(buffer.test(less->registers, farthest->primitive, 0, 0), Verdict::kMixed);
  const messages::HzUpdate beyond{
      .surface = messages::testing::kDepthAddress, .least = 5, .greatest = 5, .epoch = buffer.epoch()};
  buffer.update(beyond);
  EXPECT_EQ(buffer.test(less->registers, farthest->primitive, 0, 0), Verdict::kMixed);
}

TEST(HzBuffer, ADrawThatStoresNoDepthOpensNothing) {
  messages::Pools pools;
  auto less = messages::testing::plain_state(), always = messages::testing::plain_state(),
       other = messages::testing::plain_state();
  messages::testing::add_depth(*less, arch::Compare::kLess);
  messages::testing::add_depth(*always, arch::Compare::kAlways, false);
  messages::testing::add_depth(*other, arch::Compare::kGreater, true);
  other->registers.depth.hierarchical_z = 0;
  const auto far = messages::testing::cover(pools, *less, 0.75f);
  HzMemory memory(64, 1);
  HzBuffer buffer(memory, {8});
  buffer.begin_draw(less->registers), buffer.begin_draw(less->registers);
  EXPECT_EQ(buffer.update({.surface = messages::testing::kDepthAddress,
                           .least = 0.25f,
                           .greatest = 0.25f,
                           .epoch = buffer.epoch()}),
            Outcome::kNarrowed);
  buffer.begin_draw(always->registers);
  EXPECT_NE(buffer.test(always->registers, far->primitive, 0, 0), Verdict::kRejected);
  buffer.begin_draw(less->registers);
  EXPECT_EQ(buffer.test(less->registers, far->primitive, 0, 0), Verdict::kRejected);
  buffer.begin_draw(other->registers);
  EXPECT_NE(buffer.test(other->registers, far->primitive, 0, 0), Verdict::kRejected);
  buffer.begin_draw(less->registers);
  EXPECT_NE(buffer.test(less->registers, far->primitive, 0, 0), Verdict::kRejected);
}

// The buffer tracks one layer: a draw that selects among several is not tested, and nothing is known
// afterwards. Updates of its tiles that arrive during the next draw are too late.
TEST(HzBuffer, ADrawThatChoosesLayersForgets) {
  messages::Pools pools;
  auto less = messages::testing::plain_state(), layered = messages::testing::plain_state();
  messages::testing::add_depth(*less, arch::Compare::kLess);
  messages::testing::add_depth(*layered, arch::Compare::kLess);
  layered->registers.vertex_out.layer = 1;
  const auto far = messages::testing::cover(pools, *less, 0.75f);
  HzMemory memory(64, 1);
  HzBuffer buffer(memory, {8});
  const auto narrow = [&] {
    buffer.begin_draw(less->registers);
    EXPECT_EQ(buffer.update({.surface = messages::testing::kDepthAddress,
                             .least = 0.25f,
                             .greatest = 0.25f,
                             .epoch = buffer.epoch()}),
              Outcome::kNarrowed);
    EXPECT_EQ(buffer.test(less->registers, far->primitive, 0, 0), Verdict::kRejected);
  };
  narrow();
  for (const uint32_t layers : {2u, 1u}) {
    layered->registers.raster.layers = layers;  // with one layer there is no choice
    buffer.begin_draw(layered->registers);
    EXPECT_EQ(buffer.test(layered->registers, far->primitive, 0, 0) == Verdict::kRejected, layers == 1);
    const uint32_t before = buffer.epoch();
    buffer.begin_draw(less->registers);
    EXPECT_EQ(buffer.test(less->registers, far->primitive, 0, 0) == Verdict::kRejected, layers == 1);
    if (layers == 1) continue;
    EXPECT_EQ(buffer.update({.surface = messages::testing::kDepthAddress,
                             .least = 0.25f,
                             .greatest = 0.25f,
                             .epoch = before}),
              Outcome::kStale);
    narrow();
  }
}

// The first draw moves depths in the buffer's direction like later ones.
TEST(HzBuffer, FirstDrawsUpdatesCount) {
  messages::Pools pools;
  auto less = messages::testing::plain_state(), greater = messages::testing::plain_state();
  messages::testing::add_depth(*less, arch::Compare::kLess);
  messages::testing::add_depth(*greater, arch::Compare::kGreater);
  const auto far = messages::testing::cover(pools, *less, 0.75f);
  HzMemory memory(64, 1);
  HzBuffer buffer(memory, {8});
  buffer.begin_draw(greater->registers);
  const uint32_t before = buffer.epoch();
  buffer.begin_draw(less->registers);
  messages::HzUpdate update{
      .surface = messages::testing::kDepthAddress, .least = 0.25f, .greatest = 0.25f, .epoch = before};
  EXPECT_EQ(buffer.update(update), Outcome::kStale);
  update.epoch = buffer.epoch();
  EXPECT_EQ(buffer.update(update), Outcome::kNarrowed);
  EXPECT_EQ(buffer.test(less->registers, far->primitive, 0, 0), Verdict::kRejected);
}

// Memory drawn to in one format and then in another holds other depths.
TEST(HzBuffer, AnotherFormatAtTheSameAddressBeginsAnew) {
  messages::Pools pools;
  auto state = messages::testing::plain_state();
  messages::testing::add_depth(*state, arch::Compare::kLess);
  const auto far = messages::testing::cover(pools, *state, 0.75f);
  HzMemory memory(64, 1);
  HzBuffer buffer(memory, {8});
  buffer.begin_draw(state->registers);
  buffer.begin_draw(state->registers);
  EXPECT_EQ(buffer.update({.surface = messages::testing::kDepthAddress,
                           .least = 0.25f,
                           .greatest = 0.25f,
                           .epoch = buffer.epoch()}),
            Outcome::kNarrowed);
  EXPECT_EQ(buffer.test(state->registers, far->primitive, 0, 0), Verdict::kRejected);
  state->registers.depth.surface.format = static_cast<uint32_t>(arch::Format::D32_SFLOAT);
  buffer.begin_draw(state->registers);
  EXPECT_NE(buffer.test(state->registers, far->primitive, 0, 0), Verdict::kRejected);
}

}  // namespace
}  // namespace cutaway::boxes::hz_buffer_test
