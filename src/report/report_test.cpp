#include <filesystem>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/error.h"
#include "report/bottleneck.h"
#include "report/png.h"
#include "report/summary.h"

namespace cutaway::report {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

TEST(Png, IsWrittenWithoutAlpha) {
  const fs::path path = fs::temp_directory_path() / fmt::format("cutaway_report_{}.png", getpid());
  const uint8_t rgba[] = {255, 0, 0, 0, 0, 255, 0, 128};
  write_png(path, 2, 1, rgba);
  EXPECT_GT(fs::file_size(path), 50u);
  fs::remove(path);
  EXPECT_THROW(write_png(path / "a.png", 2, 1, rgba), UserError);
}

run_record::FrameFigures example() {
  using enum CounterRole;
  constexpr CountOf kDriver = CountOf::kDriver;
  run_record::FrameFigures frame{.frame = 2, .cycles = 100, .scan_out_cycles = 12};
  frame.phases = {
      .draws = 60, .copies = 20, .caches = 10, .display = 6, .commands = 4, .beside_scan_out = 50};
  frame.units = {
      {"gpu.streamer",
       100,
       40,
       35,
       25,
       0,
       {{true, "a", "gpu.shader0", 20}, {true, "b", "gpu.shader0", 15}, {false, "c", "gpu.clipper", 25}}}};
  frame.counters = {{"gpu.color_write0", "cache_hits", 5, kCacheHits},
                    {"gpu.color_write0", "cache_misses", 2, kCacheMisses},
                    {"gpu.color_write0", "driver_fragments", 4, kFragmentsWritten, kDriver},
                    {"gpu.color_write0", "fragments", 30, kFragmentsWritten},
                    {"gpu.color_write1", "driver_fragments", 3, kFragmentsWritten, kDriver},
                    {"gpu.color_write1", "fragments", 12, kFragmentsWritten},
                    {"gpu.command_processor", "draws", 5, kDraws},
                    {"gpu.command_processor", "driver_cycles", 21, kDrawCycles, kDriver},
                    {"gpu.command_processor", "driver_draws", 1, kDraws, kDriver},
                    {"gpu.shader0", "instructions", 1000, kInstructions},
                    {"gpu.shader1", "instructions", 2000, kInstructions},
                    {"gpu.streamer", "draws", 77},  // without a role
                    {"gpu.streamer", "driver_vertices_shaded", 4, kVerticesShaded, kDriver},
                    {"gpu.streamer", "post_cache_hits", 6, kVerticesReused},
                    {"gpu.streamer", "vertices_shaded", 9, kVerticesShaded}};
  // The other roles that a summary needs, in a unit with an arbitrary name.
  for (const CounterRole role : {kPrimitives, kFragmentsGenerated, kFragmentsKilledHz, kFragmentsKilledEarlyZ,
                                 kFragmentsKilledShader, kFragmentsKilledLateZ})
    for (const CountOf of : {CountOf::kAll, kDriver})
      frame.counters.push_back({"gpu.zoo", fmt::format("{}", frame.counters.size()), 0, role, of});
  frame.counters.push_back({"gpu.zoo", "mine", 0, kInstructions, kDriver});
  frame.clients = {{"dac", 64, 0}, {"color_write0", 128, 256}};
  frame.wires = {{"gpu.streamer.out", "gpu.clipper.in", "Vertex", 4, 9, 75, 100, 3}};
  frame.executed_ticks = 25, frame.possible_ticks = 100, frame.seconds = 0.5;
  return frame;
}

std::string summary_json(const RunInfo& run, const std::vector<run_record::FrameFigures>& frames) {
  std::string text;
  SummaryWriter writer(run, [&](std::string_view piece) { text += piece; });
  for (const run_record::FrameFigures& frame : frames) writer.add(frame);
  writer.finish(run);
  return text;
}

RunTables tables_of(const std::vector<run_record::FrameFigures>& frames) {
  RunTables tables;
  for (const run_record::FrameFigures& frame : frames) tables.add(frame);
  return tables;
}

TEST(Summary, TotalsSumByRoleAndSeparateTheDriver) {
  const FrameTotals totals = totals_of(example());
  EXPECT_EQ(totals.program.draws, 4u);
  EXPECT_EQ(totals.driver.draws, 1u);
  EXPECT_EQ(totals.program.fragments.written, 35u);
  EXPECT_EQ(totals.driver.fragments.written, 7u);
  EXPECT_EQ(totals.program.instructions, 3000u);
  EXPECT_EQ(totals.driver.instructions, 0u);
  EXPECT_EQ(totals.program.vertices, 5u);
  EXPECT_EQ(totals.driver.vertices, 4u);
  EXPECT_EQ(totals.driver_cycles, 21u);
  EXPECT_EQ(totals.bytes_read, 192u);
  EXPECT_EQ(totals.bytes_written, 256u);
}

TEST(Summary, ACounterOfAnotherNameIsSummedByItsRole) {
  run_record::FrameFigures frame = example();
  for (run_record::CounterFigure& counter : frame.counters) counter.path = "gpu.x", counter.name = "y";
  EXPECT_EQ(totals_of(frame).program.fragments.written, 35u);
  EXPECT_EQ(sum_of(frame, CounterRole::kVerticesReused), 6u);
}

// A missing figure is not zero.
TEST(Summary, ARoleThatNoCounterHasIsADefect) {
  run_record::FrameFigures frame = example();
  std::erase_if(frame.counters,
                [](const run_record::CounterFigure& c) { return c.role == CounterRole::kVerticesReused; });
  EXPECT_THAT([&] { summary_json({}, {frame}); },
              ThrowsMessage<InternalError>(HasSubstr("\"vertices reused\"")));
  frame = example();
  std::erase_if(frame.counters, [](const run_record::CounterFigure& c) {
    return c.role == CounterRole::kDraws && c.of == CountOf::kDriver;
  });
  EXPECT_THAT([&] { totals_of(frame); },
              ThrowsMessage<InternalError>(HasSubstr("\"draws\" for the driver's own draws")));
  EXPECT_THROW(sum_of(frame, CounterRole::kCacheHits, CountOf::kDriver), InternalError);
  EXPECT_EQ(sum_of(frame, CounterRole::kCacheHits), 5u);
}

TEST(Summary, SaysWhereTheCyclesWent) {
  const auto json = nlohmann::json::parse(summary_json(
      {.gpu = "attila", .parameters = {{"streamer.queue", "3"}, {"dac.kind", "slow"}}}, {example()}));
  EXPECT_EQ(json["gpu"], "attila");
  EXPECT_EQ(json["parameters"]["streamer.queue"], 3);
  EXPECT_EQ(json["parameters"]["dac.kind"], "slow");
  EXPECT_TRUE(json["verify"].is_null());
  const auto& unit = json["frames"][0]["units"]["gpu.streamer"];
  EXPECT_EQ(unit["starved_by"]["gpu.shader0"], 35);
  EXPECT_EQ(unit["blocked_by"]["gpu.clipper"], 25);
  EXPECT_EQ(json["frames"][0]["caches"]["color_write0"]["misses"], 2);
  EXPECT_EQ(json["frames"][0]["caches"]["color_write0"]["hits"], 5);
  EXPECT_EQ(json["frames"][0]["caches"]["post_transform"]["hits"], 6);
  EXPECT_EQ(json["frames"][0]["caches"]["post_transform"]["misses"], 9);
  EXPECT_EQ(json["frames"][0]["counters"]["gpu.shader1.instructions"], 2000);
  EXPECT_EQ(json["frames"][0]["wires"]["gpu.streamer.out"].dump(),
            R"({"mean":0.75,"message":"Vertex","messages":9,"peak":3,"slots":4,"to":"gpu.clipper.in"})");
  EXPECT_EQ(json["frames"][0]["memory"]["color_write0"]["write"], 256);
  EXPECT_EQ(json["frames"][0]["vertices"], 5);
  EXPECT_EQ(json["frames"][0]["fragments"]["written"], 35);
  EXPECT_EQ(json["frames"][0]["driver"]["vertices"], 4);
  EXPECT_EQ(json["frames"][0]["driver"]["fragments"]["written"], 7);
  EXPECT_EQ(json["frames"][0]["driver"]["cycles"], 21);
  EXPECT_EQ(json["frames"][0]["phases"].dump(),
            R"({"caches":10,"commands":4,"copies":20,"display":6,"draws":60})");
  EXPECT_EQ(json["frames"][0]["scan_out"]["beside"], 50);
  EXPECT_EQ(json["frames"][0]["scan_out"]["after"], 12);
  EXPECT_EQ(json["host"]["cycles_per_second"], 200.0);
  EXPECT_EQ(json["host"]["skipped_share"], 0.75);
}

// Pieces that are written as frames end make the text that the whole would.
TEST(Summary, IsOneValidTextHoweverManyFrames) {
  const RunInfo run{
      .gpu = "g\xff", .program = "a\nb", .verified = true, .differences = {"d\xfe"}, .undecided = true};
  for (const size_t count : {0u, 1u, 3u}) {
    const std::string text = summary_json(run, std::vector(count, example()));
    const auto json = nlohmann::ordered_json::parse(text);
    EXPECT_EQ(json["frames"].size(), count);
    EXPECT_EQ(json["gpu"], "g\xef\xbf\xbd");
    EXPECT_EQ(json["program"], "a\nb");
    EXPECT_EQ(json["verify"], "undecided");
    EXPECT_EQ(json["differences"][0], "d\xef\xbf\xbd");
    EXPECT_EQ(json["host"]["executed_ticks"], 25 * count);
    if (count) { EXPECT_EQ(text, json.dump(1) + "\n"); }
  }
}

TEST(Summary, TheTableNamesTheWorstNeighbour) {
  EXPECT_THAT(
      tables_of({example(), example()}).units(),
      HasSubstr("gpu.streamer    40.0%    35.0%    25.0%     0.0%      0.0%  starved by gpu.shader0 35.0 %"));
  EXPECT_THAT(tables_of({example()}).frames(), HasSubstr("3,000"));
}

TEST(Summary, TableListsDriverDrawsIfThereAreAny) {
  EXPECT_THAT(tables_of({example()}).frames(), HasSubstr("\ndriver            21                    4"));
  run_record::FrameFigures frame = example();
  for (run_record::CounterFigure& counter : frame.counters)
    if (counter.of == CountOf::kDriver) counter.value = 0;
  EXPECT_THAT(tables_of({frame}).frames(), testing::Not(HasSubstr("driver")));
}

run_record::UnitFigures unit(const char* path, uint64_t busy,
                             std::vector<run_record::UnitFigures::Wait> waits) {
  run_record::UnitFigures figures{.path = path, .cycles = 100, .busy = busy};
  for (const run_record::UnitFigures::Wait& wait : waits)
    (wait.starved ? figures.starved : figures.blocked) += wait.cycles;
  figures.idle = 100 - busy - figures.starved - figures.blocked;
  figures.waits = std::move(waits);
  return figures;
}

std::vector<std::string> order_of(std::vector<run_record::UnitFigures> units) {
  run_record::FrameFigures frame;
  frame.units = std::move(units);
  std::vector<std::string> order;
  for (const UnitWeight& unit : units_by_weight(frame)) order.push_back(unit.path);
  return order;
}

// A front end blocked by a chain of units, of which the last is always busy.
TEST(Bottleneck, BlameFollowsTheChainToTheBusyUnit) {
  EXPECT_THAT(order_of({unit("front", 20, {{false, "", "middle", 80}}),
                        unit("middle", 10, {{false, "", "shader", 90}}), unit("shader", 100, {})}),
              ElementsAre("shader", "front", "middle"));
  run_record::FrameFigures frame;
  frame.units = {unit("front", 20, {{false, "", "middle", 80}}),
                 unit("middle", 10, {{false, "", "shader", 90}}), unit("shader", 100, {})};
  const std::vector<UnitWeight> units = [&] {
    UnitWeights weights;
    weights.add(frame), weights.add(frame);
    return weights.by_weight();
  }();
  // 90 of 100 cycles of its own neighbour, and nine tenths of the 80 of the one before.
  EXPECT_NEAR(units[0].holds_up, 0.9 + 0.8 * 0.9, 1e-9);
  EXPECT_NEAR(units[2].holds_up, 0.8 * 0.1, 1e-9);
}

// The command processor waits for the end of draws at a mostly idle unit, which is not to blame.
TEST(Bottleneck, AnIdleUnitIsNotBlamed) {
  EXPECT_THAT(order_of({unit("command", 4, {{true, "", "color", 96}}), unit("color", 10, {}),
                        unit("texture", 40, {{true, "", "memory", 60}}),
                        unit("shader", 35, {{true, "", "texture", 65}}), unit("memory", 70, {})}),
              ElementsAre("memory", "texture", "shader", "color", "command"));
}

// Units that wait only for each other: the attribution terminates, and loses nothing.
TEST(Bottleneck, ARingOfWaitsEnds) {
  EXPECT_THAT(order_of({unit("a", 10, {{true, "", "b", 90}}), unit("b", 30, {{true, "", "a", 70}})}),
              ElementsAre("b", "a"));
  EXPECT_THAT(order_of({unit("a", 0, {{true, "", "b", 100}}), unit("b", 0, {{true, "", "a", 100}})}),
              ElementsAre("a", "b"));
  EXPECT_THAT(order_of({}), IsEmpty());
}

}  // namespace
}  // namespace cutaway::report
