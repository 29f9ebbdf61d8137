#include "replay/frame_message.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cutaway::replay {
namespace {

SimulatedFrame example() {
  SimulatedFrame frame;
  run_record::FrameFigures& f = frame.figures;
  f.frame = 3, f.cycles = 1000, f.executed_ticks = 5, f.possible_ticks = 9, f.memory_hash = ~0ull;
  f.statistics_hash = 7, f.peak_memory_bytes = 8, f.seconds = 0.25;
  f.units = {{"gpu.a", 10, 4, 3, 2, 1, {{true, "in", "gpu.b", 3}, {false, "out", "gpu.c", 2}}}, {}};
  f.counters = {{"gpu.a", "things", 12, CounterRole::kPrimitives, CountOf::kDriver}};
  f.clients = {{"texture0", 64, 128}};
  f.wires = {{"gpu.a.out", "gpu.b.in", "int", 3, 12, 30, 20, 2}};
  frame.picture = arch::Picture{1, 2, {1, 2, 3, 4, 5, 6, 7, 8}};
  frame.difference = "line\nline", frame.hangs_on_order = true;
  run_record::FrameRecord& r = frame.record.emplace();
  r.counters = {{"gpu.a", "things", "things", "done"}};
  r.wires = {{"gpu.a.out", "gpu.b.in", "int", 1, 2, 3}};
  r.states = {{.width = 64, .topology = "points", .targets = "{}", .program = {256}}};
  r.work = {{.kind = "draw", .packet = "DRAW", .submission = 9, .state = 0, .pass = 1, .end = 10}};
  r.own = {{0, 0, 5}, {1, 0, 6}}, r.meanwhile = {{0, 0, 11}}, r.intervals = {{0, 0, 12}};
  r.fragments = {.parts = {{3, 8, 2, "bytes"}},
                 .targets = {{.pass = 1, .target = 0, .color = true, .address = 1 << 20, .format = "R8"}},
                 .events = 2,
                 .end = 9};
  r.instructions = {{.instruction = 7, .waited_output = 9}};
  r.work[0].texture_first_touches = 77, r.texture_footprint = 78;
  r.interval_end = {16}, r.wire_intervals = {{1, 0, 12, 0.75}};
  return frame;
}

TEST(FrameMessage, ComesBackAsItWas) {
  const std::string message = encode_frame(example());
  const SimulatedFrame back = decode_frame(message);
  EXPECT_EQ(encode_frame(back), message);
  EXPECT_EQ(back.figures.units[0].waits[1].neighbour, "gpu.c");
  EXPECT_EQ(back.figures.counters[0].role, CounterRole::kPrimitives);
  EXPECT_EQ(back.figures.counters[0].of, CountOf::kDriver);
  EXPECT_EQ(back.figures.wires[0].message, "int");
  EXPECT_EQ(back.figures.wires[0].mean(), 1.5);
  EXPECT_EQ(back.figures.wires[0].peak, 2u);
  EXPECT_EQ(back.figures.seconds, 0.25);
  EXPECT_EQ(back.picture->rgba[7], 8);
  EXPECT_EQ(back.difference, "line\nline");
  EXPECT_TRUE(back.hangs_on_order);
  EXPECT_EQ(back.record->states[0].program[0], 256u);
  EXPECT_EQ(back.record->work[0].submission, 9u);
  EXPECT_EQ(back.record->own[1].value, 6u);
  EXPECT_EQ(back.record->instructions[0].waited_output, 9u);
  EXPECT_EQ(back.record->work[0].texture_first_touches, 77u);
  EXPECT_EQ(back.record->texture_footprint, 78u);
  EXPECT_EQ(back.record->wire_intervals[0].filling, 0.75);
  EXPECT_EQ(back.record->fragments->parts[0].data, "bytes");
  EXPECT_EQ(back.record->fragments->targets[0].format, "R8");
  EXPECT_EQ(back.record->fragments->end, 9u);
  EXPECT_FALSE(decode_frame(encode_frame({})).picture.has_value());
  EXPECT_FALSE(decode_frame(encode_frame({})).record.has_value());
}

TEST(FrameMessage, ACutOneIsADefect) {
  const std::string message = encode_frame(example());
  for (size_t bytes = 0; bytes < message.size(); bytes++)
    EXPECT_THROW(decode_frame(message.substr(0, bytes)), InternalError) << bytes;
  EXPECT_THROW(decode_frame(message + "x"), InternalError);
}

}  // namespace
}  // namespace cutaway::replay
