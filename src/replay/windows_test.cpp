#include "replay/windows.h"

#include <gtest/gtest.h>

namespace cutaway::replay::windows_test {
namespace {

constexpr arch::Address kWindow = 0x10000, kFirst = 0x40000, kSecond = 0x50000;
constexpr uint64_t kBytes = 2 * arch::kPageBytes;

machine::Config two_contexts() {
  machine::Config config;
  config.command_processor.contexts = 2;
  return config;
}

// A compositor with a window for the program in context 1, which presents two surfaces in turn from frame 1
// on.
struct Bench {
  Windows windows{{{.program = 1,
                    .address = kWindow,
                    .bytes = kBytes,
                    .pictures = {{1, kFirst}, {2, kSecond}, {3, kFirst}, {4, kSecond}}}}};
  machine::Machine gpu{two_contexts(), arch::Memory()};

  Bench() {
    arch::Memory compositor, program;
    compositor.map(kWindow, kBytes);
    compositor.write_as(kWindow, 7);
    program.map(kFirst, kBytes);
    program.map(kSecond, kBytes);
    program.write_as(kFirst, 11);
    program.write_as(kSecond, 22);
    gpu.add_context(0, compositor, {});
    gpu.add_context(1, program, {});
  }
  int seen() { return gpu.memory(Windows::kCompositor).read_as<int>(kWindow); }
};

TEST(Windows, ShowsTheNewestPictureFromAFrameOfTheCompositorOn) {
  Bench bench;
  bench.windows.begin_frame(bench.gpu, 5);
  EXPECT_EQ(bench.seen(), 7);
  bench.windows.note_ended(1, 1);
  EXPECT_EQ(bench.seen(), 7);
  bench.windows.begin_frame(bench.gpu, 6);
  EXPECT_EQ(bench.seen(), 11);
  bench.windows.begin_frame(bench.gpu, 7);
  bench.windows.note_ended(1, 2);
  bench.windows.begin_frame(bench.gpu, 8);
  EXPECT_EQ(bench.seen(), 22);
  EXPECT_EQ(bench.windows.shown(0), (Windows::Shown{{6, 1}, {7, 1}, {8, 2}}));
  EXPECT_EQ(bench.windows.shown_in(1, 1), 6u);
  EXPECT_EQ(bench.windows.shown_in(1, 2), 8u);
}

TEST(Windows, HoldsThePictureUntilALaterOneIsShown) {
  Bench bench;
  bench.windows.note_ended(1, 1);
  EXPECT_FALSE(bench.windows.may_draw(1, 3)) << "it waits";
  EXPECT_TRUE(bench.windows.may_draw(1, 2));
  bench.windows.begin_frame(bench.gpu, 5);
  EXPECT_FALSE(bench.windows.may_draw(1, 3)) << "it is held";
  bench.windows.note_ended(1, 2);
  EXPECT_FALSE(bench.windows.may_draw(1, 3));
  EXPECT_FALSE(bench.windows.may_draw(1, 4));
  bench.windows.begin_frame(bench.gpu, 6);
  EXPECT_TRUE(bench.windows.may_draw(1, 3));
  EXPECT_FALSE(bench.windows.may_draw(1, 4));
}

TEST(Windows, LeavesOutAPictureThatALaterOneReplaces) {
  Bench bench;
  bench.windows.note_ended(1, 1);
  bench.windows.note_ended(1, 2);
  EXPECT_TRUE(bench.windows.may_draw(1, 3));
  bench.windows.begin_frame(bench.gpu, 5);
  EXPECT_EQ(bench.seen(), 22);
  EXPECT_EQ(bench.windows.shown_in(1, 1), std::nullopt);
}

TEST(Windows, HasNoMemoryWhenTheCompositorHasEnded) {
  Bench bench;
  bench.windows.note_ended(1, 1);
  bench.windows.begin_frame(bench.gpu, 5);
  bench.windows.close(bench.gpu);
  EXPECT_FALSE(bench.gpu.memory(Windows::kCompositor).mapped(kWindow));
  EXPECT_EQ(bench.gpu.memory(1).read_as<int>(kFirst), 11);
  EXPECT_TRUE(bench.windows.may_draw(1, 3));
}

TEST(Windows, AProgramThatWasLostHoldsNothing) {
  Bench bench;
  bench.windows.note_ended(1, 1);
  bench.windows.begin_frame(bench.gpu, 5);
  bench.windows.note_ended(1, 2);
  bench.windows.note_reset(1);
  bench.windows.begin_frame(bench.gpu, 6);
  EXPECT_EQ(bench.windows.shown(0), (Windows::Shown{{5, 1}, {6, 1}}));
}

TEST(Windows, ALostCompositorHoldsNothing) {
  Bench bench;
  bench.windows.note_ended(1, 1);
  bench.windows.begin_frame(bench.gpu, 5);
  bench.windows.note_reset(Windows::kCompositor);
  EXPECT_TRUE(bench.windows.may_draw(1, 3));
}

TEST(Windows, KeepsTheMemoryOfAPictureThatItHolds) {
  Bench bench;
  bench.windows.note_ended(1, 1);
  EXPECT_TRUE(bench.windows.may_unmap(1, kFirst, kBytes)) << "it only waits";
  bench.windows.begin_frame(bench.gpu, 5);
  EXPECT_FALSE(bench.windows.may_unmap(1, kFirst, kBytes));
  EXPECT_FALSE(bench.windows.may_unmap(1, kFirst + kBytes - 1, 1));
  EXPECT_TRUE(bench.windows.may_unmap(1, kFirst + kBytes, kBytes));
  EXPECT_TRUE(bench.windows.may_unmap(1, kSecond, kBytes));
  EXPECT_TRUE(bench.windows.may_unmap(0, kFirst, kBytes)) << "another program's";
}

TEST(Windows, ForgetsAPictureWhoseMemoryIsUnmapped) {
  Bench bench;
  bench.windows.note_ended(1, 1);
  bench.windows.begin_frame(bench.gpu, 5);
  bench.windows.note_ended(1, 2);
  bench.windows.note_unmapped(1, kSecond, kBytes);
  bench.windows.begin_frame(bench.gpu, 6);
  EXPECT_EQ(bench.windows.shown(0), (Windows::Shown{{5, 1}, {6, 1}}));
}

TEST(Windows, OtherProgramsHaveTheScreen) {
  const Bench bench;
  EXPECT_EQ(bench.windows.offscreen(), 2u);
  EXPECT_FALSE(bench.windows.shows(0));
  EXPECT_TRUE(bench.windows.may_draw(0, 1));
}

}  // namespace
}  // namespace cutaway::replay::windows_test
