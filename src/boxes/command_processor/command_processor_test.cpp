#include "arch/marker.h"
#include "boxes/command_processor/bench_for_test.h"

namespace cutaway::boxes {
namespace {

using namespace testing;
using ::testing::HasSubstr;

TEST(CommandProcessor, EveryDrawHasTheStateOfItsPlace) {
  for (unsigned versions : {1u, 2u, 4u}) {
    Bench bench({.state_versions = versions});
    for (uint32_t i = 0; i < 8; i++) bench.mark(100 + i), bench.draw();
    ASSERT_TRUE(bench.run()) << bench.fault();
    EXPECT_EQ(bench.pipeline.state_word, (std::vector<uint32_t>{100, 101, 102, 103, 104, 105, 106, 107}));
    for (uint32_t i = 0; i < 8; i++) EXPECT_EQ(bench.pipeline.draws[i].second.origin.draw, i + 1);
    EXPECT_EQ(bench.box.counters.state_changes, 8u);
  }
}

// Batches of two primitives, by draw: three for all front ends, two for the next ones, one, five. Each begins
// where the one before has ended.
TEST(CommandProcessor, SharesOutBatchesAmongFrontEnds) {
  Bench bench({}, {.units = 3, .batch = 2});
  bench.topology(arch::Topology::kTriangleList);
  for (const uint32_t primitives : {6, 3, 1, 10})
    bench.commands.packet(Opcode::kDraw, arch::DrawPacket{3 * primitives, 1, 0, 0});
  bench.start();
  bench.sim.run(bench.clock, 400);
  using Batches = std::vector<std::pair<uint32_t, uint32_t>>;  // draw and batch
  const auto got = [](const auto& messages) {
    Batches batches;
    for (const auto& [cycle, command] : messages) batches.emplace_back(command.origin.draw, command.batch);
    return batches;
  };
  EXPECT_EQ(got(bench.pipeline.draws), (Batches{{1, 0}, {2, 0}, {4, 0}}));
  EXPECT_EQ(got(bench.others[0]->received), (Batches{{1, 1}, {2, 1}, {4, 1}}));
  EXPECT_EQ(got(bench.others[1]->received), (Batches{{1, 2}, {3, 0}, {4, 2}}));
  EXPECT_EQ(bench.box.counters.draws, 4u);
  EXPECT_FALSE(bench.box.finished()) << "batches that are not assembled";
}

// A draw waits for those front ends alone that have a batch of it.
TEST(CommandProcessor, WaitsForFrontEndsWithABatch) {
  Bench bench({}, {.units = 2, .batch = 2});
  bench.topology(arch::Topology::kTriangleList);
  bench.others[0]->refuse = true;
  for (int i = 0; i < 14; i++) bench.draw();  // one batch each
  bench.start();
  bench.sim.run(bench.clock, 2000);
  EXPECT_EQ(bench.pipeline.draws.size(), 5u);  // four wait at the other one, and the tenth has no room
  EXPECT_EQ(bench.box.counters.draws, 9u);
}

TEST(CommandProcessor, OneVersionDrainsAtEachChangeAndMoreDoNot) {
  const auto most_under_way = [](unsigned versions, bool change) {
    Bench bench({.state_versions = versions});
    for (uint32_t i = 0; i < 8; i++) {
      if (change) bench.mark(i);
      bench.draw();
    }
    bench.pipeline.latency = 200;
    EXPECT_TRUE(bench.run());
    size_t most = 0;
    const auto& draws = bench.pipeline.draws;
    for (size_t i = 0; i < draws.size(); i++) {
      size_t under_way = 0;
      for (size_t j = 0; j <= i; j++) under_way += draws[j].first + 200 > draws[i].first;
      most = std::max(most, under_way);
    }
    return most;
  };
  EXPECT_EQ(most_under_way(1, true), 1u);
  EXPECT_EQ(most_under_way(2, true), 2u);
  EXPECT_EQ(most_under_way(4, true), 4u);
  EXPECT_EQ(most_under_way(1, false), 8u);  // no change, no new version
}

// A draw ends 52 cycles after it was sent: the pipeline's latency and a wire on each side.
TEST(CommandProcessor, CyclesOfTheDriversDrawsAreCounted) {
  const auto driver_cycles = [](std::initializer_list<bool> of_driver, bool drains) {
    Bench bench;
    for (const bool driver : of_driver) {
      bench.commands.packet(Opcode::kMarker, driver ? arch::kDriverWorkBegins : arch::kDriverWorkEnds);
      bench.commands.packet(Opcode::kMarker, uint32_t{7});  // of an annotation
      bench.draw();
      if (drains) bench.commands.packet(Opcode::kWaitIdle);
    }
    EXPECT_TRUE(bench.run()) << bench.fault();
    EXPECT_EQ(bench.box.counters.driver_draws, static_cast<uint64_t>(std::ranges::count(of_driver, true)));
    return bench.box.counters.driver_cycles;
  };
  EXPECT_EQ(driver_cycles({false, false}, true), 0u);
  EXPECT_EQ(driver_cycles({true}, true), 52u);
  EXPECT_EQ(driver_cycles({true, false, true}, true), 104u);
  // Side by side, those count in which the driver's is the oldest: all of its own, or what it has left.
  EXPECT_EQ(driver_cycles({true, false}, false), 52u);
  EXPECT_EQ(driver_cycles({true, true}, false), 52 + driver_cycles({false, true}, false));
  EXPECT_GT(driver_cycles({false, true}, false), 0u);
  EXPECT_LT(driver_cycles({false, true}, false), 10u);
}

// 1,000 bytes by a bus of 200 MB/s are 5 us: 2,125 cycles at 425 MHz. What has come before one submission
// does not come again before the next.
TEST(CommandProcessor, ASubmissionWaitsForWhatTheHostHasWritten) {
  const auto first_draw = [](unsigned mb_per_s, uint64_t bytes) {
    CommandProcessorSpec spec;
    spec.upload_mb_per_s = mb_per_s;
    Bench bench(spec);
    bench.box.core_khz = 425000;
    bench.box.host_uploads(bytes / 4);
    bench.box.host_uploads(bytes - bytes / 4);
    bench.draw();
    EXPECT_TRUE(bench.run()) << bench.fault();
    EXPECT_EQ(bench.box.counters.uploaded_bytes, mb_per_s ? bytes : 0);
    const Cycle end = bench.clock.now();
    bench.commands.take(), bench.state(), bench.draw();
    EXPECT_TRUE(bench.run()) << bench.fault();
    EXPECT_LT(bench.pipeline.draws[1].first - end, 100u);
    return bench.pipeline.draws[0].first;
  };
  const Cycle at_once = first_draw(0, 1000);
  EXPECT_EQ(first_draw(200, 0), at_once);
  EXPECT_EQ(first_draw(200, 1000), at_once + 2125);
  EXPECT_EQ(first_draw(200, 1001), at_once + 2128);  // 2,127.1
  EXPECT_EQ(first_draw(400, 1000), at_once + 1063);
}

TEST(CommandProcessor, FlushWaitsForDrawsAndReachesTheCachesItNames) {
  Bench bench;
  bench.draw();
  bench.commands.packet(Opcode::kFlush, uint32_t{arch::kCacheColor});
  bench.commands.packet(Opcode::kInvalidate, uint32_t{arch::kCacheTexture | arch::kCacheDepth});
  bench.draw();
  ASSERT_TRUE(bench.run()) << bench.fault();
  ASSERT_EQ(bench.caches[1]->orders.size(), 1u);
  EXPECT_EQ(bench.caches[1]->orders[0].second.kind, Control::Kind::kFlush);
  EXPECT_GT(bench.caches[1]->orders[0].first, bench.pipeline.draws[0].first + bench.pipeline.latency);
  for (size_t cache : {0u, 2u}) {
    ASSERT_EQ(bench.caches[cache]->orders.size(), 1u);
    EXPECT_EQ(bench.caches[cache]->orders[0].second.kind, Control::Kind::kInvalidate);
    EXPECT_GT(bench.caches[cache]->orders[0].first, bench.caches[1]->orders[0].first + 20);
  }
  EXPECT_GT(bench.pipeline.draws[1].first, bench.caches[0]->orders[0].first + 20);
}

// Hierarchical Z, the first of these, forgets only what somebody else may have written over.
TEST(CommandProcessor, InvalidatesLeaveBoundsOfDepthThatNobodyElseHasWritten) {
  const auto told = [](const std::function<void(Bench&)>& between, bool host = false) {
    Bench bench;
    bench.box.control[0]->bounds = true;
    auto state = parts::testing::plain_state();
    state->registers.depth.surface = parts::testing::surface(arch::Format::D32_SFLOAT, 64, 64, kData);
    bench.set(state->registers, state->registers.depth);
    bench.draw();
    between(bench);
    EXPECT_TRUE(!host || bench.run());
    if (host) bench.box.host_wrote({kData + 100, kData + 104}), bench.commands.take(), bench.state();
    bench.commands.packet(Opcode::kInvalidate, uint32_t{arch::kCacheAll});
    bench.commands.packet(Opcode::kInvalidate, uint32_t{arch::kCacheAll});
    EXPECT_TRUE(bench.run()) << bench.fault();
    return bench.caches[0]->orders.size();
  };
  constexpr uint64_t kBytes = 64 * 64 * 4;
  const auto fill = [](arch::Address at) {
    return [at](Bench& b) { b.commands.packet(Opcode::kFillBuffer, arch::FillBufferPacket{at, 64, 1}); };
  };
  EXPECT_EQ(told([](Bench& b) { b.draw(); }), 0u);
  EXPECT_EQ(told(fill(kData + kBytes)), 0u);
  EXPECT_EQ(told(fill(kData + kBytes - 64)), 1u);  // the second INVALIDATE finds nothing new
  EXPECT_EQ(told([](Bench& b) {
              b.commands.packet(Opcode::kWriteValue, arch::WriteValuePacket{kData, 1});
            }),
            1u);
  const auto target = [](arch::Address at, uint32_t write_mask) {
    return [=](Bench& b) {
      auto state = parts::testing::plain_state();
      auto& color = state->registers.color.target[0];
      color.surface = parts::testing::surface(arch::Format::R8G8B8A8_UNORM, 64, 64, at);
      color.write_mask = write_mask;
      b.set(state->registers, state->registers.color);
      b.draw();
    };
  };
  EXPECT_EQ(told(target(kData + kBytes, 15)), 0u);
  EXPECT_EQ(told(target(kData, 15)), 1u);
  EXPECT_EQ(told(target(kData, 0)), 0u);
  EXPECT_EQ(told([](Bench&) {}, true), 1u);
}

// Without an INVALIDATE, too: before the next draw or clear of depth, behind the draws before it.
TEST(CommandProcessor, BoundsOfDepthThatSomebodyHasWrittenAreForgottenBeforeTheNextDraw) {
  const auto told = [](const std::function<void(Bench&)>& next) {
    Bench bench;
    bench.box.control[0]->bounds = true;
    auto state = parts::testing::plain_state();
    state->registers.depth.surface = parts::testing::surface(arch::Format::D32_SFLOAT, 64, 64, kData);
    bench.set(state->registers, state->registers.depth);
    bench.draw();
    bench.commands.packet(Opcode::kFillBuffer, arch::FillBufferPacket{kData, 64, 1});
    next(bench);
    EXPECT_TRUE(bench.run()) << bench.fault();
    std::vector<Control::Kind> kinds;
    for (const auto& [cycle, order] : bench.caches[0]->orders) kinds.push_back(order.kind);
    if (bench.pipeline.draws.size() > 1) {
      EXPECT_GT(bench.caches[0]->orders.at(0).first, bench.pipeline.draws[0].first + bench.pipeline.latency);
    }
    return kinds;
  };
  using Kinds = std::vector<Control::Kind>;
  EXPECT_EQ(told([](Bench&) {}), Kinds{});
  EXPECT_EQ(told([](Bench& b) { b.draw(), b.draw(); }), Kinds{Control::Kind::kInvalidate});
  const auto clear = [](arch::Format format, arch::Address at) {
    return [=](Bench& b) {
      arch::ClearPacket packet{};
      packet.surface = parts::testing::surface(format, 64, 64, at);
      packet.width = packet.height = 64;
      packet.value[0] = 0x3f800000;
      b.commands.packet(Opcode::kClear, packet);
    };
  };
  EXPECT_EQ(told(clear(arch::Format::D32_SFLOAT, kData)).at(0), Control::Kind::kInvalidate);
}

// Behind all draws, before all that follows; memory is cleared when the surface's caches have answered.
TEST(CommandProcessor, ClearsGoToTheCachesThenToMemory) {
  for (const bool depth : {false, true}) {
    Bench bench;
    arch::ClearPacket clear{};
    clear.surface = parts::testing::surface(depth ? arch::Format::D16_UNORM : arch::Format::R8G8B8A8_UNORM,
                                            64, 64, kData);
    clear.width = clear.height = 64, clear.value[0] = 17;
    bench.draw();
    bench.commands.packet(Opcode::kClear, clear);
    bench.draw();
    ASSERT_TRUE(bench.run()) << bench.fault();
    const auto& used = bench.caches[depth ? 0 : 1]->orders;
    ASSERT_EQ(used.size(), 1u);
    EXPECT_TRUE(bench.caches[depth ? 1 : 0]->orders.empty() && bench.caches[2]->orders.empty());
    EXPECT_EQ(used[0].second.kind, Control::Kind::kClear);
    EXPECT_EQ(used[0].second.clear->value[0], 17u);
    EXPECT_GT(used[0].first, bench.pipeline.draws[0].first + bench.pipeline.latency);
    ASSERT_EQ(bench.copies.orders.size(), 1u);
    EXPECT_EQ(bench.copies.orders[0].second.kind, Opcode::kClear);
    EXPECT_GT(bench.copies.orders[0].first, used[0].first + bench.caches[0]->latency);
    EXPECT_GT(bench.pipeline.draws[1].first, bench.copies.orders[0].first + bench.copies.latency);
    EXPECT_EQ(bench.box.counters.clears, 1u);
  }
}

TEST(CommandProcessor, TheFaultAcknowledgesInvalidatesOnly) {
  Bench bench;
  bench.box.skip_invalidate = arch::kCacheTexture;
  bench.commands.packet(Opcode::kFlush, uint32_t{arch::kCacheAll});
  bench.commands.packet(Opcode::kInvalidate, uint32_t{arch::kCacheAll});
  ASSERT_TRUE(bench.run());
  EXPECT_EQ(bench.caches[1]->orders.size(), 2u);
  EXPECT_EQ(bench.caches[2]->orders.size(), 1u);
}

TEST(CommandProcessor, WaitIdleWaitsForCopiesThatAreNotWatchedAndPresentForAll) {
  Bench bench({.watched_copies = 0});
  bench.copies.latency = 300;
  bench.commands.packet(Opcode::kCopyBuffer, arch::CopyBufferPacket{kData, kData + 64, 64});
  bench.draw();
  bench.commands.packet(Opcode::kWaitIdle);
  bench.draw();
  bench.present();
  ASSERT_TRUE(bench.run()) << bench.fault();
  const Cycle copied = bench.copies.orders.at(0).first + 300;
  EXPECT_LT(bench.pipeline.draws[0].first, copied);
  EXPECT_GT(bench.pipeline.draws[1].first, copied);
  bench.sim.run(bench.clock, 2);
  ASSERT_EQ(bench.dac.orders.size(), 1u);
  EXPECT_GT(bench.dac.orders[0].first, bench.pipeline.draws[1].first + bench.pipeline.latency);
}

TEST(CommandProcessor, ValuesAreWrittenAfterWorkAndWaitedFor) {
  Bench bench;
  bench.draw();
  bench.commands.packet(Opcode::kWriteValue, arch::WriteValuePacket{kData + 8, 0x1122334455667788});
  bench.commands.packet(Opcode::kWaitValue, arch::WaitValuePacket{kData + 8, 0x1122334455667787});
  bench.draw();
  ASSERT_TRUE(bench.run()) << bench.fault();
  uint64_t value = 0;
  bench.memory.memory.read(kData + 8, &value, 8);
  EXPECT_EQ(value, 0x1122334455667788u);
  for (const auto& [cycle, request] : bench.memory.seen)
    if (request.write) { EXPECT_GT(cycle, bench.pipeline.draws[0].first + bench.pipeline.latency); }
}

TEST(CommandProcessor, IndirectDrawsTakeTheirArgumentsFromMemory) {
  Bench bench;
  // The second lies in two sectors; the count in memory leaves out the third.
  const std::array<uint32_t, 15> arguments = {3, 1, 10, 0, 0, 6, 2, 20, ~0u, 4, 9, 1, 0, 0, 0};
  const uint32_t most = 2;
  bench.memory.memory.write(kData + 36, arguments.data(), sizeof arguments);
  bench.memory.memory.write(kData + 256, &most, sizeof most);
  bench.commands.packet(Opcode::kDrawIndexedIndirect, arch::IndirectPacket{kData + 36, 3, 20, kData + 256});
  bench.commands.packet(Opcode::kDrawIndirect, arch::IndirectPacket{kData + 36, 1, 0, 0});
  bench.commands.packet(Opcode::kDrawIndirect, arch::IndirectPacket{kData + 36, 0, 0, 0});
  // A count in memory asks for no more than the packet allows.
  bench.commands.packet(Opcode::kDrawIndexedIndirect, arch::IndirectPacket{kData + 36, 1, 20, kData + 256});
  ASSERT_TRUE(bench.run()) << bench.fault();
  ASSERT_EQ(bench.pipeline.draws.size(), 4u);
  const auto& indexed = bench.pipeline.draws[1].second;
  EXPECT_TRUE(indexed.draw.indexed);
  EXPECT_EQ(indexed.draw.count, 6u);
  EXPECT_EQ(indexed.draw.instances, 2u);
  EXPECT_EQ(indexed.draw.first, 20u);
  EXPECT_EQ(indexed.draw.vertex_offset, ~0u);
  EXPECT_EQ(indexed.draw.first_instance, 4u);
  const auto& plain = bench.pipeline.draws[2].second;
  EXPECT_FALSE(plain.draw.indexed);
  EXPECT_EQ(plain.draw.count, 3u);
  EXPECT_EQ(plain.draw.first, 10u);
  for (uint32_t i = 0; i < 3; i++) EXPECT_EQ(bench.pipeline.draws[i].second.origin.draw, i + 1);
}

TEST(CommandProcessor, QueriesWaitForTheDrawsBeforeThem) {
  Bench bench;
  const uint64_t before = 99;
  bench.memory.memory.write(kData, &before, 8);
  bench.draw();
  bench.commands.packet(Opcode::kWriteQuery, arch::QueryPacket{0, kData, 0});
  ASSERT_TRUE(bench.run()) << bench.fault();
  uint64_t value = 1;
  bench.memory.memory.read(kData, &value, 8);
  EXPECT_EQ(value, 0u);
  for (const auto& [cycle, request] : bench.memory.seen)
    if (request.write) { EXPECT_GT(cycle, bench.pipeline.draws[0].first + bench.pipeline.latency); }
}

TEST(CommandProcessor, StatisticsAndTimestampsGoIntoSlots) {
  Bench bench;
  const std::vector<parts::QueryValue> reported = {{7, kData + 72, 50},  {7, kData + 168, 51},
                                                   {7, kData + 200, 52}, {7, kData + 232, 53},
                                                   {7, kData + 296, 54}, {7, kData + 512, 77}};
  bench.box.query_values = reported;
  bench.draw();
  bench.draw();
  bench.commands.packet(Opcode::kWriteQuery, arch::QueryPacket{2, kData, 2});
  bench.commands.packet(Opcode::kWriteQuery, arch::QueryPacket{1, kData + 512, 1});
  ASSERT_TRUE(bench.run()) << bench.fault();
  arch::QuerySlot slot[11];
  bench.memory.memory.read(kData, slot, sizeof slot);
  EXPECT_EQ(slot[0].end, 6u);  // vertices
  EXPECT_EQ(slot[1].end, 2u);  // primitives
  EXPECT_EQ(slot[2].end, 50u);
  EXPECT_EQ(slot[3].end, 0u);
  EXPECT_EQ(slot[5].end, 51u);
  EXPECT_EQ(slot[10].end, 0u);  // compute invocations
  for (const arch::QuerySlot& s : slot) EXPECT_EQ(s.available, 1u);
  bench.memory.memory.read(kData + 512, slot, 32);
  EXPECT_EQ(slot[0].begin, 77u);
  EXPECT_EQ(slot[0].available, 0u);
}

TEST(CommandProcessor, APredicateLeavesDrawsOut) {
  Bench bench;
  const uint32_t values[] = {0, 5};
  bench.memory.memory.write(kData, values, sizeof values);
  const std::pair<arch::PredicatePacket, uint32_t> kCases[] = {
      {{kData, 0}, 10}, {{kData, 1}, 11}, {{kData + 4, 0}, 12}, {{kData + 4, 1}, 13}, {{0, 1}, 14}};
  for (const auto& [predicate, vertices] : kCases) {
    bench.commands.packet(Opcode::kPredicate, predicate);
    bench.commands.packet(Opcode::kDraw, arch::DrawPacket{vertices, 1, 0, 0});
  }
  ASSERT_TRUE(bench.run()) << bench.fault();
  std::vector<uint32_t> drawn;
  for (const auto& [cycle, draw] : bench.pipeline.draws) drawn.push_back(draw.draw.count);
  EXPECT_EQ(drawn, (std::vector<uint32_t>{11, 12, 14}));
}

TEST(CommandProcessor, CallsRunAndReturn) {
  Bench bench;
  arch::CommandWriter inner, outer;
  inner.packet(Opcode::kDraw, arch::DrawPacket{5, 1, 0, 0});
  bench.memory.memory.write(kData, inner.commands().data(), inner.commands().size() * 4);
  outer.packet(Opcode::kCall, arch::CallPacket{kData, static_cast<uint32_t>(inner.commands().size())});
  outer.packet(Opcode::kDraw, arch::DrawPacket{6, 1, 0, 0});
  bench.memory.memory.write(kData + 0x104, outer.commands().data(), outer.commands().size() * 4);
  bench.commands.packet(Opcode::kCall,
                        arch::CallPacket{kData + 0x104, static_cast<uint32_t>(outer.commands().size())});
  bench.commands.packet(Opcode::kDraw, arch::DrawPacket{7, 1, 0, 0});
  ASSERT_TRUE(bench.run()) << bench.fault();
  ASSERT_EQ(bench.pipeline.draws.size(), 3u);
  for (uint32_t i = 0; i < 3; i++) EXPECT_EQ(bench.pipeline.draws[i].second.draw.count, 5 + i);
}

// A program is read with the registers that its packet saw, and programs of one stage do not mix.
TEST(CommandProcessor, AProgramKeepsTheRegistersOfItsPacket) {
  Bench bench;
  std::string longer;
  for (int i = 0; i < 60; i++) longer += "MOV r7, i0\n";
  bench.program(arch::Stage::kFragment, longer + "MOV o0, r7\nEND\n", kProgram + 0x1000, 8);
  bench.program(arch::Stage::kFragment, "MOV o0, i0\nEND\n", kProgram + 0x4000, 0);
  bench.draw();
  ASSERT_TRUE(bench.run()) << bench.fault();
  const auto& state = *bench.pipeline.draws.at(0).second.state;
  EXPECT_EQ(state.fragment().program->micro.size(), 2u);
}

// The program that is on its way when its stage is told to have none comes first, and goes.
TEST(CommandProcessor, AProgramThatIsTakenAwayStaysAway) {
  for (const bool away : {false, true}) {
    Bench bench;
    std::string text;  // of many blocks
    for (int i = 0; i < 60; i++) text += "MOV o0, i0\n";
    bench.program(arch::Stage::kFragment, text + "END\n", kProgram + 0x1000);
    if (away) bench.program(arch::Stage::kFragment, "", kProgram + 0x2000);
    bench.draw();
    ASSERT_TRUE(bench.run()) << bench.fault();
    EXPECT_EQ(bench.pipeline.draws.at(0).second.state->fragment().program == nullptr, away);
  }
}

TEST(CommandProcessor, AFaultNamesThePacket) {
  const auto fault = [](auto&& write) {
    Bench bench;
    bench.commands.take();  // without the program
    write(bench);
    EXPECT_FALSE(bench.run());
    EXPECT_TRUE(bench.box.fault());
    if (bench.box.fault()) {
      EXPECT_EQ(bench.box.fault()->submission, 7u);
      EXPECT_EQ(bench.box.fault()->address, kCommands + 4);
    }
    return bench.fault();
  };
  const auto nop = [](Bench& b) { b.commands.packet(Opcode::kNop); };
  EXPECT_THAT(fault([&](Bench& b) { nop(b), b.commands.packet(static_cast<Opcode>(99)); }),
              HasSubstr("packet: unknown header 63000000"));
  EXPECT_THAT(fault([&](Bench& b) { nop(b), b.commands.packet(Opcode::kDraw, uint32_t{1}); }),
              HasSubstr("DRAW"));
  EXPECT_THAT(fault([&](Bench& b) { nop(b), b.draw(); }), HasSubstr("vertex program"));
  EXPECT_THAT(
      fault([&](Bench& b) {
        nop(b), b.commands.packet(Opcode::kSetRegisters, std::array<uint32_t, 2>{arch::kRegisterWords, 0});
      }),
      HasSubstr("registers"));
  EXPECT_THAT(fault([&](Bench& b) {
                nop(b);
                b.commands.packet(Opcode::kLoadConstants, arch::LoadPacket{0, arch::kConstants, 1, kData});
              }),
              HasSubstr("LOAD_CONSTANTS"));
  EXPECT_THAT(fault([&](Bench& b) {
                nop(b);
                b.commands.packet(Opcode::kWaitValue, arch::WaitValuePacket{kData, 1});
              }),
              HasSubstr("WAIT_VALUE"));
  EXPECT_THAT(fault([&](Bench& b) {
                nop(b), b.commands.packet(Opcode::kWaitValue, arch::WaitValuePacket{kData + 4, 1});
              }),
              HasSubstr("multiple of 8"));
  EXPECT_THAT(fault([&](Bench& b) {
                nop(b), b.commands.packet(Opcode::kWriteValue, arch::WriteValuePacket{kData + 4, 1});
              }),
              HasSubstr("multiple of 8"));
  EXPECT_THAT(fault([&](Bench& b) {
                nop(b), b.commands.packet(Opcode::kDispatch, arch::DispatchPacket{{1, 1, 1}, {}});
              }),
              HasSubstr("DISPATCH"));
}

TEST(CommandProcessor, APacketBeyondTheEndOfItsCommandsIsAFault) {
  Bench bench;
  bench.draw();
  std::vector<uint32_t> words = bench.commands.take();
  words.pop_back();
  bench.memory.memory.write(kCommands, words.data(), words.size() * 4);
  bench.box.submit({.id = 1, .commands = kCommands, .words = static_cast<uint32_t>(words.size())});
  bench.sim.run(bench.clock, 2000);
  EXPECT_THAT(bench.fault(), HasSubstr("DRAW: the packet reaches beyond the end of the commands"));
}

TEST(CommandProcessor, BlamesWhomItWaitsFor) {
  const auto account = [](auto&& slow_down) {
    Bench bench;
    slow_down(bench);
    bench.draw();
    bench.commands.packet(Opcode::kFlush, uint32_t{arch::kCacheColor});
    EXPECT_TRUE(bench.run());
    return parts::testing::account_of(bench.sim, bench.box);
  };
  const auto plain = account([](Bench&) {});
  EXPECT_EQ(account([](Bench& b) { b.pipeline.latency += 33; }).starved_by("pipeline"),
            plain.starved_by("pipeline") + 33);
  EXPECT_EQ(account([](Bench& b) { b.caches[1]->latency += 33; }).starved_by("cache1"),
            plain.starved_by("cache1") + 33);
}

// Packets of one word, of which a cycle takes as many as declared once they are there.
TEST(CommandProcessor, TakesAsManyWordsPerCycleAsDeclared) {
  for (unsigned rate : {1u, 4u, 16u}) {
    const auto time = [&](uint32_t packets) {
      Bench bench({.words_per_cycle = rate, .prefetch = 64});
      for (uint32_t i = 0; i < packets; i++) bench.commands.packet(Opcode::kNop);
      EXPECT_TRUE(bench.run());
      return bench.clock.now();
    };
    EXPECT_EQ(time(1600) - time(800), std::max(800u / rate, 800u / 16)) << rate;
  }
}

TEST(CommandProcessor, FetchesAsManySectorsAheadAsDeclared) {
  for (unsigned sectors : {1u, 3u, 8u}) {
    Bench bench({.prefetch = sectors});
    bench.memory.latency = 100'000;
    for (int i = 0; i < 400; i++) bench.commands.packet(Opcode::kNop);
    bench.start();
    bench.sim.run(bench.clock, 300);
    EXPECT_EQ(bench.memory.reads, sectors);
    EXPECT_GT(parts::testing::account_of(bench.sim, bench.box).starved_by("memory"), 250u);
  }
}

TEST(CommandProcessor, CountsPacketsWordsDrawsAndOrders) {
  Bench bench;
  const CommandProcessorCounters before = bench.box.counters;
  bench.draw(), bench.draw();
  bench.mark(5), bench.draw();
  bench.commands.packet(Opcode::kFlush, uint32_t{arch::kCacheColor});
  bench.commands.packet(Opcode::kFlush, uint32_t{arch::kCacheTexture});
  bench.commands.packet(Opcode::kInvalidate, uint32_t{arch::kCacheAll});
  const auto words = static_cast<uint64_t>(bench.commands.commands().size());
  ASSERT_TRUE(bench.run()) << bench.fault();
  const CommandProcessorCounters& counters = bench.box.counters;
  EXPECT_EQ(counters.words - before.words, words);
  EXPECT_EQ(counters.draws, 3u);
  EXPECT_EQ(counters.state_changes, 2u);
  EXPECT_EQ(counters.flushes, 2u);
  EXPECT_EQ(counters.invalidates, 1u);
  // With the state and the program that the bench sends: two and one.
  EXPECT_EQ(counters.packets, 3u + 3 + 1 + 3);
}

TEST(CommandProcessor, BlamesCopiesAndLoadsThatItWaitsFor) {
  const auto account = [](Cycle latency) {
    Bench bench;
    bench.copies.latency = latency;
    bench.commands.packet(Opcode::kCopyBuffer, arch::CopyBufferPacket{kData, kData + 64, 64});
    bench.commands.packet(Opcode::kWaitIdle);
    EXPECT_TRUE(bench.run());
    return parts::testing::account_of(bench.sim, bench.box);
  };
  EXPECT_EQ(account(120).starved_by("copies") - account(80).starved_by("copies"), 40u);
}

}  // namespace
}  // namespace cutaway::boxes
