#include "boxes/dac/present_mode.h"

#include <algorithm>

#include "boxes/dac/bench_for_test.h"

namespace cutaway::boxes::dac_test {
namespace {

using enum PresentMode;

DacSpec with(PresentMode mode) {
  DacSpec spec = kScreen;
  spec.present_mode = mode;
  return spec;
}

// Lets a PRESENT reach the display in cycle `at`. Its number is also that of its submission.
void present_at(Bench& bench, Cycle at, uint32_t number, const arch::Surface& surface = kPicture) {
  bench.sim.run(bench.clock, at - 2 - bench.clock.now());
  bench.present(surface, number);
}

// The cycle in which the first row of a picture came to the screen; 0: it did not.
Cycle shown(const Bench& bench, uint32_t number) {
  for (const auto& [cycle, fence] : bench.shown.received)
    if (fence.submission == number) return cycle - 1;
  return 0;
}
// The cycle in which its surface was free; 0: it is not.
Cycle freed(const Bench& bench, uint32_t number) {
  for (const auto& [cycle, done] : bench.done.received)
    if (done.number == number) return cycle - 1;
  return 0;
}

// A surface of the picture's size, all of whose bytes are `value`.
arch::Surface filled(Bench& bench, uint32_t number, uint8_t value) {
  arch::Surface surface = kPicture;
  surface.address = 0x10000 + 0x8000 * number;
  const std::vector<uint8_t> bytes(size_t{64} * 80 * 4, value);
  bench.memory.memory.write(surface.address, bytes.data(), bytes.size());
  return surface;
}
// Red of the first pixel of a row of tiles.
uint8_t red(const arch::Picture& picture, uint32_t row) {
  return picture.rgba[size_t{row} * arch::kTileSize * picture.width * 4];
}

// The mailbox holds one picture: of three that come before a retrace the last is shown, and the others'
// surfaces are free as soon as they are replaced.
TEST(DacMailbox, ShowsTheLatestPictureAtTheRetrace) {
  Bench bench(with(PresentMode::kMailbox));
  for (uint32_t number : {0u, 1u, 2u}) bench.present(kPicture, number);
  bench.sim.run(bench.clock, 30'000);
  ASSERT_EQ(bench.done.received.size(), 3u);
  for (uint32_t number : {0u, 1u}) {
    EXPECT_EQ(bench.done.received[number].second.number, number);
    EXPECT_TRUE(bench.done.received[number].second.left_out);
    EXPECT_LT(bench.done.received[number].first, 10u);
  }
  EXPECT_FALSE(bench.done.received[2].second.left_out);
  EXPECT_EQ(bench.done.received[2].first, 10'000u + 9'500 + 1);
  ASSERT_EQ(bench.shown.received.size(), 1u);
  EXPECT_EQ(bench.shown.received[0].first, 10'001u);
  EXPECT_EQ(bench.shown.received[0].second.submission, 2u);
  EXPECT_EQ(bench.box.counters.frames, 1u);
  EXPECT_EQ(bench.box.counters.left_out, 2u);
}

// A picture that is left out while another one is shown is told of behind it, and its surface is free before.
TEST(DacMailbox, TellsOfPicturesInTheOrderOfTheirPresents) {
  Bench bench(with(PresentMode::kMailbox));
  bench.present(kPicture, 0);
  bench.sim.run(bench.clock, 12'000);  // in which it is being read
  for (uint32_t number : {1u, 2u}) bench.present(kPicture, number);
  bench.sim.run(bench.clock, 1'000);
  ASSERT_EQ(bench.done.received.size(), 1u);
  EXPECT_EQ(bench.done.received[0].second.number, 1u);
  EXPECT_TRUE(bench.pictures.empty());
  bench.sim.run(bench.clock, 30'000);
  ASSERT_EQ(bench.pictures.size(), 3u);
  EXPECT_EQ(bench.pictures[0].width, 64u);
  EXPECT_EQ(bench.pictures[1].width, 0u) << "left out";
  EXPECT_EQ(bench.pictures[2].width, 64u);
}

TEST(DacPresentMode, ReplacesNothingWithoutARefresh) {
  for (const PresentMode mode : {kMailbox, kImmediate, kFifoRelaxed}) {
    Bench bench({.present_mode = mode});
    for (int i = 0; i < 3; i++) bench.present(kPicture);
    bench.sim.run(bench.clock, 10'000);
    EXPECT_EQ(bench.box.counters.frames, 3u);
    EXPECT_EQ(bench.box.counters.left_out + bench.box.counters.torn, 0u);
  }
}

TEST(DacImmediate, BeginsWithTheNextRowThatTheScreenTakes) {
  for (const Cycle late : {0u, 1u}) {
    Bench bench(with(kImmediate));
    present_at(bench, 3 * 950 + late, 7);
    bench.sim.run(bench.clock, 20'000);
    EXPECT_EQ(shown(bench, 7), (3 + late) * 950);
    EXPECT_EQ(freed(bench, 7), 9'500u) << "the screen has shown its last row";
    EXPECT_EQ(bench.own_rows.at(0).first, (3 + late) * 8);
    EXPECT_EQ(bench.own_rows.at(0).end, 80u);
    EXPECT_EQ(bench.box.counters.torn, 1u);
    EXPECT_EQ(bench.box.counters.bytes, (7 - late) * 64u * 8 * 4);
  }
}

// In the cycle in which a row is due the next picture brings it, a cycle later the one after that.
TEST(DacImmediate, ReplacesThePictureOnTheScreen) {
  for (const Cycle late : {0u, 1u}) {
    Bench bench(with(kImmediate));
    present_at(bench, 10'000, 0, filled(bench, 0, 100));
    present_at(bench, 10'000 + 4 * 950 + late, 1, filled(bench, 1, 200));
    bench.sim.run(bench.clock, 20'000);
    ASSERT_EQ(bench.pictures.size(), 2u);
    for (uint32_t row = 0; row < 10; row++) {
      EXPECT_EQ(red(bench.pictures[0], row), row < 4 + late ? 100 : 0) << row;
      EXPECT_EQ(red(bench.pictures[1], row), row < 4 + late ? 100 : 200) << row;
    }
    EXPECT_EQ(bench.own_rows[0].end, (4 + late) * 8);
    EXPECT_EQ(bench.own_rows[1].first, (4 + late) * 8);
    EXPECT_EQ(shown(bench, 1), 10'000 + (4 + late) * 950);
    // Its fifth row is 32 reads, one a cycle, and the last one's latency.
    EXPECT_EQ(freed(bench, 0), 10'000 + 4 * 950 + late * (32 + 10 + 1)) << "its last read has ended";
    EXPECT_EQ(bench.box.counters.frames, 2u);
    EXPECT_EQ(bench.box.counters.torn, 1u);
  }
}

TEST(DacImmediate, LeavesOutWhatNoRowWaitedFor) {
  Bench bench(with(kImmediate));
  for (uint32_t number : {0u, 1u}) present_at(bench, 960 + number, number);    // before the row of 1,900
  for (uint32_t number : {2u, 3u}) present_at(bench, 9'600 + number, number);  // in the blanking
  bench.sim.run(bench.clock, 20'000);
  EXPECT_EQ(shown(bench, 0), 0u);
  EXPECT_EQ(shown(bench, 1), 1'900u);
  EXPECT_EQ(shown(bench, 2), 0u);
  EXPECT_EQ(shown(bench, 3), 10'000u);
  EXPECT_EQ(bench.box.counters.left_out, 2u);
  EXPECT_EQ(bench.box.counters.frames, 2u);
  EXPECT_EQ(bench.box.counters.torn, 1u);
}

// Rows that the screen took before the next picture came are read, however late memory gives them.
TEST(DacImmediate, LeavesNoGapWhereRowsAreLate) {
  Bench bench(with(kImmediate), 3'000);
  present_at(bench, 10'000, 0);
  for (uint32_t number = 1; number < 4; number++) present_at(bench, 10'000 + 1'500 * number, number);
  bench.sim.run(bench.clock, 100'000);
  uint32_t next = 0;
  for (size_t i = 0; i < bench.pictures.size(); i++) {
    if (!bench.pictures[i].width) continue;
    EXPECT_EQ(bench.own_rows[i].first, next);
    next = bench.own_rows[i].end;
  }
  EXPECT_EQ(next, 80u);
  EXPECT_EQ(bench.box.counters.frames + bench.box.counters.left_out, 4u);
}

// Reads of the first picture come late; the second one's row is due before it can begin, and the third one
// takes that row.
TEST(DacImmediate, ARowThatHasComeGoesToTheNextPicture) {
  Bench bench(with(kImmediate), 3'000);
  present_at(bench, 10'000, 0);
  present_at(bench, 10'000 + 3 * 950 + 1, 1);  // its row is due at 13,800
  present_at(bench, 10'000 + 5 * 950 + 1, 2);
  bench.sim.run(bench.clock, 100'000);
  ASSERT_EQ(bench.pictures.size(), 3u);
  EXPECT_EQ(bench.own_rows[0].end, 4u * 8);
  EXPECT_EQ(bench.pictures[1].width, 0u) << "left out";
  EXPECT_EQ(bench.own_rows[2].first, 4u * 8);
}

// The next one begins in this refresh, behind the last row of the first, which ends then.
TEST(DacImmediate, APictureWithMoreRowsMayBeginBehindTheLastRow) {
  Bench bench(with(kImmediate));
  arch::Surface two_rows = filled(bench, 1, 200);
  two_rows.height = 16;  // rows at 0 and 4,750
  present_at(bench, 10'000, 0, two_rows);
  present_at(bench, 18'000, 1);  // ten rows, the next at 18,550
  bench.sim.run(bench.clock, 30'000);
  EXPECT_EQ(shown(bench, 1), 18'550u);
  EXPECT_EQ(bench.own_rows.at(0).end, 16u);
  EXPECT_EQ(bench.own_rows.at(1).first, 9u * 8);
}

TEST(DacImmediate, APictureOfAnotherSizeBeginsOnABlackScreen) {
  Bench bench(with(kImmediate));
  arch::Surface lower = filled(bench, 1, 200);
  lower.height = 40;
  present_at(bench, 10'000, 0, filled(bench, 0, 100));
  present_at(bench, 12'000, 1, lower);  // its row of 1,900 cycles is over
  bench.sim.run(bench.clock, 20'000);
  ASSERT_EQ(bench.pictures.size(), 2u);
  EXPECT_EQ(bench.own_rows[0].end, 4u * 8);
  EXPECT_EQ(bench.pictures[1].height, 40u);
  EXPECT_EQ(bench.own_rows[1].first, 2u * 8);
  EXPECT_EQ(shown(bench, 1), 13'800u);
  EXPECT_EQ(red(bench.pictures[1], 1), 0);
  EXPECT_EQ(red(bench.pictures[1], 2), 200);
}

// A picture of which a refresh has passed is late, and does not wait for the next one.
TEST(DacFifoRelaxed, WaitsForTheRetraceUnlessItIsLate) {
  for (const Cycle late : {0u, 1u}) {
    Bench bench(with(kFifoRelaxed));
    present_at(bench, 2, 0);
    present_at(bench, 20'000 + late, 1);
    present_at(bench, 20'500, 2);
    bench.sim.run(bench.clock, 40'000);
    EXPECT_EQ(shown(bench, 0), 10'000u);
    EXPECT_EQ(shown(bench, 1), 20'000 + late * 950);
    EXPECT_EQ(shown(bench, 2), 30'000u);
    EXPECT_EQ(bench.box.counters.frames, 3u);
    EXPECT_EQ(bench.box.counters.torn, late);
    EXPECT_EQ(bench.box.counters.left_out, 0u);
  }
}

TEST(DacFifoRelaxed, ShowsPicturesInTimeAsFifo) {
  Bench relaxed(with(kFifoRelaxed)), fifo(with(kFifo));
  for (Bench* bench : {&relaxed, &fifo}) {
    for (uint32_t number : {0u, 1u, 2u}) present_at(*bench, 5'000 + number, number);
    bench->sim.run(bench->clock, 60'000);
  }
  for (uint32_t number : {0u, 1u, 2u}) EXPECT_EQ(shown(relaxed, number), shown(fifo, number));
  EXPECT_EQ(relaxed.box.counters.retrace_cycles, fifo.box.counters.retrace_cycles);
  EXPECT_EQ(relaxed.box.counters.torn, 0u);
}

// How long a picture waits for its first row that comes 4,000 cycles behind a retrace, with none since the
// refresh before.
TEST(DacPresentMode, LatencyOfALatePicture) {
  const auto latency = [](PresentMode mode) {
    Bench bench(with(mode));
    present_at(bench, 24'000, 0);
    bench.sim.run(bench.clock, 40'000);
    return shown(bench, 0) - 24'000;
  };
  EXPECT_EQ(latency(kFifo), 6'000u);
  EXPECT_EQ(latency(kMailbox), 6'000u);
  EXPECT_EQ(latency(kImmediate), 5u * 950 - 4'000);
  EXPECT_EQ(latency(kFifoRelaxed), 5u * 950 - 4'000);
}

}  // namespace
}  // namespace cutaway::boxes::dac_test
