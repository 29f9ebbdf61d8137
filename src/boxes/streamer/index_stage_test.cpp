#include "boxes/streamer/index_stage.h"

#include <deque>
#include <gtest/gtest.h>
#include <random>

#include "arch/memory.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::index_stage_test {
namespace {

using Kind = IndexedVertex::Kind;

constexpr arch::Address kIndices = 0x20000;
constexpr int64_t kRestart = -1, kNextInstance = -2, kDrawEnd = -3, kBatchEnd = -4;

struct Bench {
  IndexStage stage;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();
  arch::Memory memory;
  std::vector<arch::Address> asked;
  std::deque<std::pair<arch::Address, uint32_t>> waiting;  // sector and tag
  std::vector<uint32_t> instances;                         // of the vertices

  explicit Bench(uint32_t sectors = 4, const structures::FrontEnds& front_ends = {})
      : stage(sectors, front_ends) {
    memory.map(0, 1 << 18);
  }

  template <class Index>
  void indices(const std::vector<Index>& values, arch::IndexType type, arch::Address at = kIndices) {
    auto& assembly = state->registers.assembly;
    assembly.index_address = at;
    assembly.index_bytes = static_cast<uint32_t>(values.size() * sizeof(Index));
    assembly.index_type = static_cast<uint32_t>(type);
    memory.write(at, values.data(), values.size() * sizeof(Index));
  }
  void start(command_stream::Draw draw, uint32_t batch = 0) {
    if (!draw.instances) draw.instances = 1;
    stage.start({.draw = draw, .batch = batch, .state = state.get(), .origin = {}});
  }
  void ask() {
    arch::Address sector;
    uint32_t tag;
    while (stage.wants(sector, tag)) {
      asked.push_back(sector);
      waiting.emplace_back(sector, tag);
      stage.asked();
    }
  }
  void answer(size_t which = 0) {
    ASSERT_LT(which, waiting.size());
    const auto [sector, tag] = waiting[which];
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(which));
    messages::MemoryReply reply{.tag = tag};
    memory.read(sector, reply.data.data(), messages::kSectorBytes);
    stage.reply(reply);
  }
  int64_t take() {
    const IndexedVertex item = stage.next();
    stage.take();
    if (item.kind == Kind::kVertex) instances.push_back(item.instance);
    return item.kind == Kind::kVertex         ? int64_t{item.vertex}
           : item.kind == Kind::kRestart      ? kRestart
           : item.kind == Kind::kNextInstance ? kNextInstance
           : item.kind == Kind::kBatchEnd     ? kBatchEnd
                                              : kDrawEnd;
  }
  // Walks a whole draw; answers a sector request only when nothing else can be done.
  std::vector<int64_t> walk(const command_stream::Draw& draw, uint32_t batch = 0) {
    std::vector<int64_t> all;
    for (start(draw, batch); stage.active();) {
      ask();
      if (stage.available()) {
        all.push_back(take());
      } else {
        EXPECT_FALSE(waiting.empty());
        if (waiting.empty()) break;
        answer();
      }
    }
    return all;
  }
};

TEST(IndexStage, CountsVerticesWithoutIndices) {
  Bench bench;
  EXPECT_FALSE(bench.stage.active());
  EXPECT_FALSE(bench.stage.available());
  EXPECT_EQ(bench.walk({.count = 3, .instances = 2, .first = 5}),
            (std::vector<int64_t>{5, 6, 7, kNextInstance, 5, 6, 7, kDrawEnd}));
  EXPECT_EQ(bench.instances, (std::vector<uint32_t>{0, 0, 0, 1, 1, 1}));
  EXPECT_TRUE(bench.asked.empty());
}

TEST(IndexStage, AnEmptyDrawIsItsEnd) {
  Bench bench;
  EXPECT_EQ(bench.walk({.count = 0}), std::vector<int64_t>{kDrawEnd});
  EXPECT_EQ(bench.walk({.indexed = true, .count = 0, .instances = 4}), std::vector<int64_t>{kDrawEnd});
  EXPECT_TRUE(bench.asked.empty());
}

TEST(IndexStage, RestartsAndInstances) {
  Bench bench;
  bench.indices<uint8_t>({0, 1, 0xff, 2}, arch::IndexType::kUint8);
  bench.state->registers.assembly.primitive_restart = 1;
  EXPECT_EQ(bench.walk({.indexed = true, .count = 4, .instances = 2, .vertex_offset = 10}),
            (std::vector<int64_t>{10, 11, kRestart, 12, kNextInstance, 10, 11, kRestart, 12, kDrawEnd}));
  EXPECT_EQ(bench.instances, (std::vector<uint32_t>{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(bench.asked, (std::vector<arch::Address>{kIndices, kIndices}));  // requested anew for every
                                                                             // instance
  bench.state->registers.assembly.primitive_restart = 0;
  EXPECT_EQ(bench.walk({.indexed = true, .count = 3}), (std::vector<int64_t>{0, 1, 255, kDrawEnd}));
}

TEST(IndexStage, ReadsIndicesAcrossSectorsAndNothingBeyond) {
  for (uint32_t first : {0u, 13u, 30u}) {
    Bench bench;
    std::mt19937 random(first);
    std::vector<uint32_t> values(70);
    for (uint32_t& value : values) value = random() % 64;
    bench.indices(values, arch::IndexType::kUint32);
    std::vector<int64_t> expected;
    for (uint32_t i = first; i < first + 60; i++)
      expected.push_back((i < 70 ? values[i] : 0) + 1);  // beyond the buffer: index 0 (DX-3)
    expected.push_back(kDrawEnd);
    EXPECT_EQ(bench.walk({.indexed = true, .count = 60, .first = first, .vertex_offset = 1}), expected);
    std::vector<arch::Address> sectors;
    for (arch::Address a = kIndices + first * 4 / 64 * 64; a < kIndices + std::min(first + 60, 70u) * 4;
         a += 64)
      sectors.push_back(a);
    EXPECT_EQ(bench.asked, sectors) << first;
  }
}

// An index buffer need not start at a multiple of its index size.
TEST(IndexStage, IndicesMayStraddleSectors) {
  Bench bench(2);
  std::vector<uint32_t> values(40);
  for (uint32_t i = 0; i < 40; i++) values[i] = 0x01020340 - i;
  bench.indices(values, arch::IndexType::kUint32, kIndices + 62);
  const std::vector<int64_t> order =
      bench.walk({.indexed = true, .count = 40, .instances = 2, .vertex_offset = 0u - 0x01020318u});
  ASSERT_EQ(order.size(), 82u);
  for (size_t i = 0; i < 40; i++) {
    EXPECT_EQ(order[i], 40 - static_cast<int64_t>(i));
    EXPECT_EQ(order[i + 41], order[i]);
  }
}

TEST(IndexStage, AnIndexIsThereWhenAllOfItHasCome) {
  Bench bench;
  bench.indices<uint32_t>({5, 6}, arch::IndexType::kUint32, kIndices + 62);
  bench.start({.indexed = true, .count = 2});
  EXPECT_FALSE(bench.stage.available());
  bench.ask();
  ASSERT_EQ(bench.asked, (std::vector<arch::Address>{kIndices, kIndices + 64}));
  bench.answer(1);  // the first index lies in both sectors
  EXPECT_FALSE(bench.stage.available());
  bench.answer();
  EXPECT_TRUE(bench.stage.available());
  EXPECT_EQ(bench.take(), 5);
  EXPECT_EQ(bench.take(), 6);
  EXPECT_EQ(bench.take(), kDrawEnd);
  EXPECT_FALSE(bench.stage.active());
}

// Batches of two triangles for two front ends; positions are values. Leftover vertices are in the last batch.
TEST(IndexStage, WalksTheBatchesOfItsFrontEnd) {
  std::vector<uint32_t> values(200);
  for (uint32_t i = 0; i < 200; i++) values[i] = i;
  const auto walk = [&](arch::Topology topology, uint32_t count, uint32_t instances, uint32_t batch) {
    Bench bench(4, {.units = 2, .batch = 2});
    bench.state->registers.assembly.topology = static_cast<uint32_t>(topology);
    bench.indices(values, arch::IndexType::kUint32);
    const command_stream::Draw draw{.indexed = true, .count = count, .instances = instances, .first = 1};
    const std::vector<int64_t> indexed = bench.walk(draw, batch);
    EXPECT_EQ(bench.walk({.count = count, .instances = instances, .first = 1}, batch), indexed);
    return indexed;
  };
  using List = std::vector<int64_t>;
  EXPECT_EQ(walk(arch::Topology::kTriangleList, 17, 1, 0),
            (List{1, 2, 3, 4, 5, 6, kBatchEnd, 13, 14, 15, 16, 17, kDrawEnd}));
  EXPECT_EQ(walk(arch::Topology::kTriangleList, 17, 1, 1), (List{7, 8, 9, 10, 11, 12, kBatchEnd}));
  EXPECT_EQ(walk(arch::Topology::kTriangleStrip, 7, 1, 0), (List{1, 2, 3, 4, kBatchEnd, 5, 6, 7, kDrawEnd}));
  EXPECT_EQ(walk(arch::Topology::kTriangleStrip, 7, 1, 1), (List{3, 4, 5, 6, kBatchEnd}));
  EXPECT_EQ(walk(arch::Topology::kTriangleFan, 8, 1, 0), (List{1, 2, 3, 4, kBatchEnd, 1, 6, 7, 8, kDrawEnd}));
  EXPECT_EQ(walk(arch::Topology::kTriangleFan, 8, 1, 1), (List{1, 4, 5, 6, kBatchEnd}));
  EXPECT_EQ(walk(arch::Topology::kTriangleList, 9, 2, 0),
            (List{1, 2, 3, 4, 5, 6, kBatchEnd, 1, 2, 3, 4, 5, 6, kBatchEnd}));
  EXPECT_EQ(walk(arch::Topology::kTriangleList, 9, 2, 1), (List{7, 8, 9, kBatchEnd, 7, 8, 9, kDrawEnd}));
}

TEST(IndexStage, MarksRepeatedVerticesAndBatchStarts) {
  Bench bench(4, {.units = 2, .batch = 2});
  const auto repeated = [&](arch::Topology topology) {
    bench.state->registers.assembly.topology = static_cast<uint32_t>(topology);
    std::vector<bool> all;
    bench.start({.count = 30}, 1);
    while (bench.stage.next().kind == Kind::kVertex) {
      EXPECT_EQ(bench.stage.next().batch.first_primitive, 2u);
      all.push_back(bench.stage.next().batch.repeated);
      bench.stage.take();
    }
    return all;
  };
  EXPECT_EQ(repeated(arch::Topology::kTriangleList), std::vector<bool>(6));
  EXPECT_EQ(repeated(arch::Topology::kTriangleStrip), (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(repeated(arch::Topology::kTriangleFan), (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(repeated(arch::Topology::kLineStrip), (std::vector<bool>{true, false, false}));
}

// Batches of 96 bytes, of which this front end has every second one: their sectors are requested in a row,
// before any arrives.
TEST(IndexStage, ReadsAheadOverBatches) {
  Bench bench(6, {.units = 2, .batch = 8});
  bench.indices(std::vector<uint32_t>(400, 1), arch::IndexType::kUint32);
  bench.start({.indexed = true, .count = 240});
  bench.ask();
  std::vector<arch::Address> expected;
  for (const uint32_t sector : {0, 1, 3, 4, 6, 7}) expected.push_back(kIndices + 64 * sector);
  EXPECT_EQ(bench.asked, expected);
  // All sectors of a batch are released after its last index.
  bench.answer(), bench.answer();
  for (int i = 0; i < 24; i++) bench.take();
  bench.ask();
  expected.push_back(kIndices + 64 * 9), expected.push_back(kIndices + 64 * 10);
  EXPECT_EQ(bench.asked, expected);
  EXPECT_TRUE(bench.stage.available());
  EXPECT_EQ(bench.take(), kBatchEnd);
  EXPECT_FALSE(bench.stage.available());
}

// 16 indices per sector: the next is requested after the last of them is taken.
TEST(IndexStage, ReadsAsManySectorsAheadAsDeclared) {
  for (uint32_t sectors : {2u, 5u}) {
    Bench bench(sectors);
    bench.indices(std::vector<uint32_t>(400, 1), arch::IndexType::kUint32);
    bench.start({.indexed = true, .count = 400});
    bench.ask();
    EXPECT_EQ(bench.asked.size(), sectors);
    bench.answer();
    bench.ask();
    EXPECT_EQ(bench.asked.size(), sectors);
    for (int i = 0; i < 15; i++) bench.take();
    bench.ask();
    EXPECT_EQ(bench.asked.size(), sectors);
    bench.take();
    bench.ask();
    EXPECT_EQ(bench.asked.size(), sectors + 1);
  }
}

}  // namespace
}  // namespace cutaway::boxes::index_stage_test
