#include "run_record/fragment_log.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cutaway::run_record {
namespace {

using Kind = FragmentEvent::Kind;

std::vector<FragmentEvent> example() {
  FragmentEvent tile{
      .cycle = 1'000'000'000'000, .work = 70'000, .x = 16'376, .y = 8, .kind = Kind::kKilledHz};
  tile.set_coverage(1ull << 63 | 1ull << 9);
  return {tile,
          {.cycle = tile.cycle, .work = 2, .x = 4, .y = 6, .kind = Kind::kKilledZ, .lanes = 5, .sample = 7},
          {.cycle = tile.cycle + 9,
           .x = 2,
           .kind = Kind::kWritten,
           .lanes = 10,
           .target = 3,
           .color = {0, 7, 0, 9}},
          {.cycle = tile.cycle + 9, .x = 2, .kind = Kind::kUnseen, .lanes = 15}};
}

TEST(FragmentLog, ComesBackAsItWas) {
  const std::vector<FragmentPart> parts = pack_fragments(example());
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].first_cycle, example().front().cycle);
  EXPECT_EQ(parts[0].last_cycle, example().back().cycle);
  EXPECT_EQ(parts[0].events, 4u);
  std::vector<FragmentEvent> back;
  unpack_fragments(parts[0], back);
  EXPECT_EQ(back, example());
  EXPECT_TRUE(pack_fragments({}).empty());
}

TEST(FragmentLog, IsCutIntoParts) {
  std::vector<FragmentEvent> events(2 * kFragmentPartEvents + 3);
  for (size_t i = 0; i < events.size(); i++)
    events[i] = {.cycle = i, .x = static_cast<uint16_t>(i * i), .kind = Kind::kPassed, .lanes = 1};
  events.back().cycle += 1ull << 33;  // too far for a stored difference
  const std::vector<FragmentPart> parts = pack_fragments(events);
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_EQ(parts[1].first_cycle, parts[0].last_cycle + 1);
  EXPECT_EQ(parts[3].events, 1u);
  std::vector<FragmentEvent> back;
  for (const FragmentPart& part : parts) unpack_fragments(part, back);
  EXPECT_EQ(back, events);
}

TEST(FragmentLog, TellsWhatAnEventTouches) {
  const std::vector<FragmentEvent> events = example();
  EXPECT_TRUE(events[0].touches(16'383, 15));
  EXPECT_TRUE(events[0].touches(16'377, 9));
  EXPECT_FALSE(events[0].touches(16'376, 8));
  EXPECT_FALSE(events[0].touches(16'384, 15));
  EXPECT_EQ(events[0].fragments(), 2u);
  EXPECT_TRUE(events[1].touches(4, 6));
  EXPECT_TRUE(events[1].touches(4, 7));
  EXPECT_FALSE(events[1].touches(5, 6));
  EXPECT_FALSE(events[1].touches(3, 7));
  EXPECT_EQ(events[3].fragments(), 4u);
}

// Any file is either rejected or gives readable events.
TEST(FragmentLog, RefusesDamagedParts) {
  const FragmentPart good = pack_fragments(example())[0];
  std::vector<FragmentEvent> events;
  const auto refuses = [&](auto change) {
    FragmentPart part = good;
    change(part);
    EXPECT_THROW(unpack_fragments(part, events), UserError);
  };
  refuses([](FragmentPart& p) { p.events = 0; });
  refuses([](FragmentPart& p) { p.events = 3; });
  refuses([](FragmentPart& p) { p.events = 5; });
  refuses([](FragmentPart& p) { p.events = kFragmentPartEvents + 1; });
  refuses([](FragmentPart& p) { p.last_cycle++; });
  refuses([](FragmentPart& p) { p.data.clear(); });
  for (size_t i = 0; i < good.data.size(); i++) {
    refuses([&](FragmentPart& p) { p.data.resize(i); });
    FragmentPart part = good;
    part.data[i] = static_cast<char>(part.data[i] ^ 0x55);
    try {
      unpack_fragments(part, events);
    } catch (const UserError&) {}
  }
  for (const FragmentEvent& event : events)
    EXPECT_LT(static_cast<uint32_t>(event.kind), FragmentEvent::kKinds);
}

}  // namespace
}  // namespace cutaway::run_record
