#include "boxes/stream_out/stream_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"
#include "messages/testing/memory_model.h"

namespace cutaway::boxes::stream_out_test {
namespace {

using arch::FeedbackOutput;
using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::DrawAssembled;
using messages::FeedbackFilled;
using messages::FeedbackOrder;
using messages::PrimitiveMessage;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr arch::Address kBuffer = 0x1000;

struct Bench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state(),
                                       plain = messages::testing::plain_state();
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  StreamOut& box;
  std::vector<Source<PrimitiveMessage>*> before;  // by front end
  std::vector<Sink<PrimitiveMessage>*> clipper;
  std::vector<Sink<DrawAssembled>*> processor;
  Source<FeedbackOrder>& orders = sim.add<Source<FeedbackOrder>>(clock, "orders");
  Sink<FeedbackFilled>& filled = sim.add<Sink<FeedbackFilled>>(clock, "filled");
  messages::testing::MemoryModel& memory = sim.add<messages::testing::MemoryModel>(clock, "memory", 20);

  // Captures points of `words` words, `stride` bytes apart, into a buffer of 4096 bytes.
  explicit Bench(const StreamOutSpec& spec = {.units = 1}, uint32_t words = 4, uint32_t stride = 16,
                 unsigned front_ends = 1)
      : box(sim.add<StreamOut>(clock, "stream_out", spec, front_ends)) {
    auto& feedback = state->registers.feedback;
    feedback.on = 1;
    feedback.outputs = words;
    for (uint32_t i = 0; i < words; i++) feedback.output[i] = FeedbackOutput::make(i / 4, i % 4, 0, 4 * i);
    feedback.buffer[0] = {kBuffer, 4096, stride};
    memory.memory.map(0, 65536);
    for (unsigned f = 0; f < front_ends; f++) {
      const std::string number = std::to_string(f);
      before.push_back(&sim.add<Source<PrimitiveMessage>>(clock, "before" + number));
      clipper.push_back(&sim.add<Sink<PrimitiveMessage>>(clock, "clipper" + number));
      processor.push_back(&sim.add<Sink<DrawAssembled>>(clock, "processor" + number));
      sim.connect(before[f]->out, box.primitives_in[f], {1, 2, 5});
      sim.connect(box.primitives_out[f], clipper[f]->in, {1, 2, 5});
      sim.connect(box.assembled_out[f], processor[f]->in, {1, 1, 2});
    }
    sim.connect(orders.out, box.orders_in, {1, 1, 2});
    sim.connect(box.filled_out, filled.in, {1, 1, 2});
    sim.connect(box.memory_out, memory.requests, {1, 1, 4});
    sim.connect(memory.replies, box.memory_in, {1, 1, 4});
    sim.elaborate();
  }

  void send(PrimitiveMessage message, uint32_t draw, unsigned front_end) {
    message.origin.draw = draw;
    before[front_end]->messages.push_back(std::move(message)), before[front_end]->wake();
  }
  // Sends a primitive whose vertices begin with these words; the other words count on from there.
  void primitive(std::initializer_list<uint32_t> first_words, unsigned front_end = 0, uint8_t stream = 0,
                 bool captured = true) {
    PrimitiveMessage message;
    for (const uint32_t first : first_words) {
      messages::VertexRef vertex = pools.vertices.allocate();
      for (uint32_t i = 0; i < 4 * arch::kShaderOutputs; i++) vertex->output[i / 4][i % 4] = first + i;
      message.vertex[message.vertices++] = std::move(vertex);
    }
    message.state = captured ? state.get() : plain.get();
    message.stream = stream;
    send(std::move(message), 1, front_end);
  }
  void end(uint32_t draw = 1, unsigned front_end = 0, bool batch = false, bool captured = true) {
    PrimitiveMessage message;
    message.state = captured ? state.get() : plain.get();
    message.draw_end = !batch, message.batch_end = batch;
    send(std::move(message), draw, front_end);
  }
  void order(FeedbackOrder order) { orders.messages.push_back(order), orders.wake(); }
  void run(Cycle cycles = 1000) { sim.run(clock, cycles); }
  uint32_t word(uint64_t at) const { return memory.memory.read_as<uint32_t>(kBuffer + at); }
  Cycle passed(size_t i, unsigned front_end = 0) const { return clipper[front_end]->received.at(i).first; }
};

TEST(StreamOut, PassesPrimitivesOfOtherDrawsACycleEach) {
  Bench bench;
  for (uint32_t i = 0; i < 5; i++) bench.primitive({i, i, i}, 0, 0, false);
  bench.end(1, 0, false, false);
  bench.run();
  // Sent in 1, arrives in 2, received behind it in 3.
  for (uint32_t i = 0; i < 6; i++) EXPECT_EQ(bench.passed(i), 3 + i);
  EXPECT_EQ(bench.box.counters.passed, 5u);
  EXPECT_EQ(bench.box.counters.primitives, 0u);
  EXPECT_THAT(bench.memory.seen, IsEmpty());
  ASSERT_EQ(bench.processor[0]->received.size(), 1u);
  EXPECT_EQ(bench.processor[0]->received[0].first, bench.passed(5) + 1);
}

TEST(StreamOut, TheEndOfABatchOfOtherDrawsTakesNoCycle) {
  Bench bench;
  bench.primitive({1, 2, 3}, 0, 0, false);
  bench.before[0]->messages = messages::testing::two_batches(bench.before[0]->messages[0]);
  bench.before[0]->per_cycle = bench.clipper[0]->per_cycle = 2;
  bench.run();
  messages::testing::expect_ends_pass_along(bench.clipper[0]->received);
  EXPECT_EQ(bench.processor[0]->received.size(), 3u);
}

// Each vertex begins in a new cycle.
TEST(StreamOut, CapturesTheDeclaredBytesPerCycle) {
  struct Case {
    unsigned bytes_per_cycle;
    uint32_t words;
    Cycle cycles;  // per vertex
  };
  for (const auto& [bytes, words, cycles] :
       {Case{16, 4, 1}, {16, 5, 2}, {16, 8, 2}, {4, 3, 3}, {8, 7, 4}, {64, 16, 1}, {64, 2, 1}}) {
    Bench bench({.units = 1, .bytes_per_cycle = bytes}, words, 4 * words);
    bench.primitive({100});
    bench.primitive({200, 300});
    bench.primitive({400, 500, 600});
    bench.end();
    bench.run();
    EXPECT_EQ(bench.passed(0), 3 + cycles - 1) << bytes << ", " << words;
    EXPECT_EQ(bench.passed(1), 3 + 3 * cycles - 1) << bytes << ", " << words;
    EXPECT_EQ(bench.passed(2), 3 + 6 * cycles - 1) << bytes << ", " << words;
    EXPECT_EQ(bench.box.counters.bytes, 24u * words);
    for (uint32_t v = 0; v < 6; v++)
      for (uint32_t i = 0; i < words; i++) EXPECT_EQ(bench.word(4 * (v * words + i)), 100 * (v + 1) + i);
  }
}

// An unaligned draw of 64 bytes takes two sectors, each written once.
TEST(StreamOut, CombinesWordsToSectors) {
  Bench bench;
  bench.state->registers.feedback.buffer[0].address = kBuffer + 32;
  for (uint32_t i = 0; i < 4; i++) bench.primitive({10 * i});
  bench.end();
  bench.run();
  ASSERT_EQ(bench.memory.seen.size(), 2u);
  EXPECT_EQ(bench.memory.seen[0].second.address, kBuffer);
  EXPECT_EQ(bench.memory.seen[0].second.mask, messages::byte_mask(32, 32));
  EXPECT_EQ(bench.memory.seen[1].second.address, kBuffer + 64);
  EXPECT_EQ(bench.memory.seen[1].second.mask, messages::byte_mask(0, 32));
  EXPECT_EQ(bench.box.counters.sectors, 2u);
}

TEST(StreamOut, ReportsADrawWhenItsWritesAreInMemory) {
  Bench bench;
  for (uint32_t i = 0; i < 20; i++) bench.primitive({i});
  bench.end();
  bench.run();
  ASSERT_EQ(bench.processor[0]->received.size(), 1u);
  const auto& [told, assembled] = bench.processor[0]->received[0];
  // The last of five sectors; 20 cycles of memory, a wire, this box, a wire.
  ASSERT_EQ(bench.memory.seen.size(), 5u);
  EXPECT_EQ(told, bench.memory.seen[4].first + 20 + 1 + 1);
  EXPECT_EQ(assembled.draw, 1u);
  EXPECT_EQ(assembled.counts.primitives_written[0], 20u);
  EXPECT_EQ(assembled.counts.primitives_needed[0], 20u);
}

TEST(StreamOut, APrimitiveWithoutRoomIsCountedAndPasses) {
  Bench bench;
  bench.state->registers.feedback.buffer[0].bytes = 16 * 5 + 15;
  bench.primitive({100, 200, 300});
  bench.primitive({400, 500, 600});  // 48 bytes, but only 47 remain
  bench.primitive({700, 800});
  bench.primitive({900});
  bench.end();
  bench.run();
  EXPECT_EQ(bench.clipper[0]->received.size(), 5u);
  EXPECT_EQ(bench.word(48), 700u);
  EXPECT_EQ(bench.word(64), 800u);
  EXPECT_EQ(bench.word(80), 0u);
  EXPECT_EQ(bench.box.counters.primitives, 4u);
  EXPECT_EQ(bench.box.counters.captured, 2u);
  EXPECT_EQ(bench.passed(1), bench.passed(0) + 1);
}

// Last-vertex convention: the provoking vertex comes first in the message and is captured last.
TEST(StreamOut, CapturesVerticesInTheOrderOfTheApi) {
  Bench bench;
  bench.state->registers.assembly.provoking_vertex = static_cast<uint32_t>(arch::ProvokingVertex::kLast);
  bench.primitive({100, 200, 300});
  bench.end();
  bench.run();
  EXPECT_EQ(bench.word(0), 200u);
  EXPECT_EQ(bench.word(16), 300u);
  EXPECT_EQ(bench.word(32), 100u);
}

TEST(StreamOut, PrimitivesOfOtherStreamsGoNoFurther) {
  Bench bench;
  auto& feedback = bench.state->registers.feedback;
  feedback.output[1] = FeedbackOutput::make(0, 1, 1, 0, 2);
  feedback.buffer[1] = {kBuffer + 4096, 4096, 4};
  bench.primitive({100}, 0, 2);
  bench.primitive({200}, 0, 0);
  bench.primitive({300}, 0, 2);
  bench.end();
  bench.run();
  EXPECT_EQ(bench.clipper[0]->received.size(), 2u);
  EXPECT_EQ(bench.word(4096), 101u);
  EXPECT_EQ(bench.word(4100), 301u);
  EXPECT_EQ(bench.word(0), 200u);
  EXPECT_EQ(bench.word(4), 0u);
  EXPECT_THAT(bench.processor[0]->received[0].second.counts.primitives_written, ElementsAre(1, 0, 2, 0));
}

// The first front end has batches 0 and 2, the second has 1 and 3, and is far ahead.
TEST(StreamOut, CapturesTheBatchesOfFrontEndsInTurn) {
  Bench bench({.units = 1}, 4, 16, 2);
  bench.before[0]->interval = 50;
  bench.primitive({300}, 1);
  bench.primitive({400}, 1);
  bench.end(1, 1, true);
  bench.primitive({700}, 1);
  bench.end(1, 1);
  bench.primitive({100}, 0);
  bench.primitive({200}, 0);
  bench.end(1, 0, true);
  bench.primitive({500}, 0);
  bench.primitive({600}, 0);
  bench.end(1, 0, true);
  bench.run();
  for (uint32_t i = 0; i < 7; i++) EXPECT_EQ(bench.word(16 * i), 100 * (i + 1));
  EXPECT_GT(bench.passed(0, 1), bench.passed(2, 0));  // the end of the first batch
  EXPECT_EQ(bench.processor[0]->received.size(), 2u);
  EXPECT_EQ(bench.processor[1]->received.size(), 2u);
}

// It is the second front end's turn, and its slow clipper also delays the first.
TEST(StreamOut, BlamesWhatHoldsUpTheFrontEndWhoseTurnItIs) {
  Bench bench({.units = 1}, 4, 16, 2);
  bench.clipper[1]->interval = 1000;
  bench.primitive({1}, 0);
  bench.end(1, 0, true);
  for (uint32_t i = 0; i < 20; i++) bench.primitive({i}, 1);
  bench.primitive({2}, 0);
  bench.run(900);
  const auto account = messages::testing::account_of(bench.sim, bench.box);
  EXPECT_GT(account.blocked_by("clipper1"), 800u);
  EXPECT_LT(account.starved_by("before1"), 10u);
}

TEST(StreamOut, DrawsWithoutFeedbackPassAtOnce) {
  Bench bench({.units = 1}, 4, 16, 2);
  bench.before[0]->interval = 50;
  bench.primitive({1}, 0);
  bench.end(1, 0);
  bench.primitive({2}, 1, 0, false);
  bench.end(2, 1, false, false);
  bench.run();
  EXPECT_EQ(bench.passed(0, 1), 3u);
  EXPECT_EQ(bench.passed(1, 1), 4u);
  EXPECT_EQ(bench.processor[1]->received[0].first, 5u);
}

TEST(StreamOut, ItsCountersAreSetAndTold) {
  using Kind = FeedbackOrder::Kind;
  Bench bench;
  bench.order({Kind::kSet, 1, 64});
  bench.order({Kind::kEmptyAll});
  bench.order({Kind::kSet, 0, 32});
  bench.order({Kind::kAsk, 0});
  bench.order({Kind::kAsk, 1});
  bench.run(20);
  bench.primitive({100});
  bench.end();
  bench.run(100);
  bench.order({Kind::kAsk, 0});
  bench.run(100);
  std::vector<uint32_t> told;
  for (const auto& [cycle, message] : bench.filled.received) told.push_back(message.bytes);
  EXPECT_THAT(told, ElementsAre(64, 32, 32, 0, 48));
  EXPECT_EQ(bench.word(32), 100u);
}

// Two of eight sectors are in flight at a time: the third is sent one cycle after the first is answered, and
// so on.
TEST(StreamOut, LimitsSectorsInFlight) {
  const auto last = [](unsigned writes) {
    Bench bench({.units = 1, .bytes_per_cycle = 64, .sectors = 1, .writes = writes}, 16, 64);
    for (uint32_t i = 0; i < 8; i++) bench.primitive({i});
    bench.end();
    bench.run();
    EXPECT_EQ(bench.memory.seen.size(), 8u);
    return bench.memory.seen.back().first - bench.memory.seen.front().first;
  };
  EXPECT_EQ(last(8), 7u);
  const Cycle trip = 1 + 20 + 1;  // to memory, its latency, back
  EXPECT_EQ(last(1), 7 * trip);
  EXPECT_EQ(last(2), 3 * trip + 1);
}

}  // namespace
}  // namespace cutaway::boxes::stream_out_test
