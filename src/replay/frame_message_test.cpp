#include "replay/frame_message.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cutaway::replay {
namespace {

SimulatedFrame example() {
  SimulatedFrame frame;
  FrameFigures& f = frame.figures;
  f.frame = 3, f.cycles = 1000, f.executed_ticks = 5, f.possible_ticks = 9, f.memory_hash = ~0ull;
  f.statistics_hash = 7, f.peak_memory_bytes = 8, f.seconds = 0.25;
  f.units = {{"gpu.a", 10, 4, 3, 2, 1, {{true, "in", "gpu.b", 3}, {false, "out", "gpu.c", 2}}}, {}};
  f.counters = {{"gpu.a", "things", 12, CounterRole::kPrimitives, CountOf::kDriver}};
  f.clients = {{"texture0", 64, 128}};
  frame.picture = arch::Picture{1, 2, {1, 2, 3, 4, 5, 6, 7, 8}};
  frame.difference = "line\nline";
  return frame;
}

TEST(FrameMessage, ComesBackAsItWas) {
  const std::string message = encode_frame(example());
  const SimulatedFrame back = decode_frame(message);
  EXPECT_EQ(encode_frame(back), message);
  EXPECT_EQ(back.figures.units[0].waits[1].neighbour, "gpu.c");
  EXPECT_EQ(back.figures.counters[0].role, CounterRole::kPrimitives);
  EXPECT_EQ(back.figures.counters[0].of, CountOf::kDriver);
  EXPECT_EQ(back.figures.seconds, 0.25);
  EXPECT_EQ(back.picture->rgba[7], 8);
  EXPECT_EQ(back.difference, "line\nline");
  EXPECT_FALSE(decode_frame(encode_frame({})).picture.has_value());
}

TEST(FrameMessage, ACutOneIsADefect) {
  const std::string message = encode_frame(example());
  for (size_t bytes = 0; bytes < message.size(); bytes++)
    EXPECT_THROW(decode_frame(message.substr(0, bytes)), InternalError) << bytes;
  EXPECT_THROW(decode_frame(message + "x"), InternalError);
}

}  // namespace
}  // namespace cutaway::replay
