#include "report/starved_shaders.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "report/explanation.h"
#include "report/frame_causes.h"
#include "report/run_database.h"

namespace cutaway::report {
namespace {

// A frame of 1000 cycles; 90 of 100 probes found that shader units held the machine up.
struct Counted {
  uint64_t vertex_instructions = 100;
  uint64_t issued = 200, dependency = 600, inputs = 200;
  uint64_t groups = 2000;                                             // groups x cycles: 2 inside
  uint64_t fetching = 500, shading = 200, busy = 100, blocked = 200;  // of the streamer
};

class StarvedShadersTest : public ::testing::Test {
 protected:
  Explanation explain_run(const Counted& counted) {
    run_record::FrameFigures figures;
    figures.frame = 4, figures.cycles = 1000;
    for (int role = 1; role <= static_cast<int>(CounterRole::kCacheMisses); role++)
      for (const CountOf of : {CountOf::kAll, CountOf::kDriver})
        figures.counters.push_back({"gpu.a", "x", 1, static_cast<CounterRole>(role), of});
    run_record::FrameRecord record;
    const std::tuple<const char*, const char*, uint64_t> counters[] = {
        {"gpu.shader0", "instructions", 100},
        {"gpu.shader0", "vertex_instructions", counted.vertex_instructions},
        {"gpu.shader0", "cycles_issued", counted.issued},
        {"gpu.shader0", "cycles_dependency", counted.dependency},
        {"gpu.shader0", "cycles_inputs", counted.inputs},
        {"gpu.shader0", "resident_groups", counted.groups},
        {"gpu.streamer0", "indices", 300},
        {"gpu.streamer0", "post_cache_hits", 195},
        {"gpu.streamer0", "busy", counted.busy},
        {"gpu.streamer0", "starved.memory_in", counted.fetching},
        {"gpu.streamer0", "starved.shaded_in[0]", counted.shading},
        {"gpu.streamer0", "blocked.vertices_out", counted.blocked}};
    for (const auto& [unit, name, value] : counters) {
      const auto index = static_cast<uint32_t>(record.counters.size());
      record.counters.push_back({unit, name, "", ""});
      record.own.push_back({0, index, value}), record.meanwhile.push_back({0, index, value});
    }
    record.units = {"gpu.shader0", "gpu.clipper0"};
    record.work = {{.kind = "draw", .packet = "DRAW", .draw = 1, .end = 1000, .marginal_cycles = 1000}};
    record.kinds = {"", "vertex"};
    record.work_holdups = {{.unit = 0, .kind = 1, .probes = 90}, {.unit = 1, .probes = 10}};
    std::filesystem::remove(path_);
    {
      RunDatabase run(path_, {});
      run.add(figures, record);
      run.finish({.capture = "a.cutaway"},
                 {{"shader.threads", "112", "choice"},
                  {"shader.group_lanes", "4", "choice"},
                  {"streamer.queue", "48", "choice"}},
                 16);
    }
    RunReader reader(path_);
    return explain(reader, {.frame = 4});
  }
  double share(const Counted& counted, const std::string& kind) {
    double sum = 0, found = 0;
    for (const Explanation::Cause& cause : explain_run(counted).causes) {
      sum += cause.share;
      if (cause.kind == kind) found += cause.share;
    }
    EXPECT_DOUBLE_EQ(sum, 1);
    return found;
  }
  void TearDown() override { std::filesystem::remove(path_); }
  std::filesystem::path path_ =
      std::filesystem::path(::testing::TempDir()) / fmt::format("cutaway_starved_{}.sqlite", ::getpid());
};

// Expected: 90 % times 600/800 (cycles without instructions) times 80 % (the streamer is not blocked).
TEST_F(StarvedShadersTest, StreamerStarvesShadersWithFewGroups) {
  const Explanation explanation = explain_run({});
  ASSERT_GE(explanation.causes.size(), 2u);
  EXPECT_EQ(explanation.causes[0].kind, "streamer");
  EXPECT_NEAR(explanation.causes[0].share, 0.9 * 0.75 * 0.8, 1e-9);
  EXPECT_EQ(
      explanation.causes[0].evidence[0].sentence,
      "shader units wait for a result in 60 % of their cycles with 2.0 groups inside, of 28: with the 48 "
      "vertices of `streamer.queue`, 65 % of them found in the vertex cache, it waits for attributes in "
      "50 % of the cycles, and for shaded vertices in 20 %");
  EXPECT_EQ(explanation.causes[1].kind, "shader");
  EXPECT_EQ(explanation.causes[1].words, "vertex shading");
  EXPECT_NEAR(explanation.causes[1].share, 0.9 * (1 - 0.75 * 0.8), 1e-9);
}

TEST_F(StarvedShadersTest, UnstarvedShadersKeepTheirShare) {
  constexpr Counted kBlocked = {.fetching = 0, .shading = 0, .busy = 0, .blocked = 1000};
  EXPECT_DOUBLE_EQ(share({.groups = 14000}, "shader"), 0.9);           // half of the groups that fit
  EXPECT_DOUBLE_EQ(share({.dependency = 0}, "shader"), 0.9);           // they issue
  EXPECT_DOUBLE_EQ(share(kBlocked, "shader"), 0.9);                    // the streamer is held up
  EXPECT_DOUBLE_EQ(share({.vertex_instructions = 0}, "shader"), 0.9);  // they run no vertices
  EXPECT_DOUBLE_EQ(share(kBlocked, "streamer"), 0);
}

TEST_F(StarvedShadersTest, DatabaseKeepsTheSharesThatAreTold) {
  const Explanation told = explain_run({});
  add_frame_causes(path_);
  database::Database database(path_, database::Access::kRead);
  auto rows = database.prepare("SELECT frame, cause, share FROM frame_cause ORDER BY share DESC");
  for (const Explanation::Cause& cause : told.causes) {
    ASSERT_TRUE(rows.step());
    EXPECT_EQ(rows.number(0), 4u);
    EXPECT_EQ(rows.text(1), cause.words);
    EXPECT_DOUBLE_EQ(rows.real(2), cause.share);
  }
  EXPECT_FALSE(rows.step());
}

}  // namespace
}  // namespace cutaway::report
