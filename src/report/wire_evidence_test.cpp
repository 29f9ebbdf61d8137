#include "report/wire_evidence.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "report/run_database.h"

namespace cutaway::report {
namespace {

using ::testing::ElementsAre;

// A run of a frame on a machine with those wires.
class WireEvidence : public ::testing::Test {
 protected:
  std::vector<Explanation::Wires> wires(const std::vector<run_record::WireFigures>& wires) {
    run_record::FrameFigures figures;
    figures.frame = 4, figures.wires = wires;
    for (int role = 1; role <= static_cast<int>(CounterRole::kCacheMisses); role++)
      for (const CountOf of : {CountOf::kAll, CountOf::kDriver})
        figures.counters.push_back({"gpu.a", "x", 1, static_cast<CounterRole>(role), of});
    run_record::FrameRecord record;
    for (const run_record::WireFigures& wire : wires)
      record.wires.push_back({wire.from, wire.to, wire.message, 1, 1, static_cast<uint32_t>(wire.slots)});
    {
      RunDatabase run(path_, {});
      run.add(figures, record);
      run.finish({.capture = "a.cutaway"}, {}, 16);
    }
    RunReader reader(path_);
    EXPECT_TRUE(reader.wires(5).empty());
    return wires_of(reader, 4);
  }
  void SetUp() override { std::filesystem::remove(path_); }
  void TearDown() override { std::filesystem::remove(path_); }
  std::filesystem::path path_ =
      std::filesystem::path(::testing::TempDir()) / fmt::format("cutaway_wires_{}.sqlite", ::getpid());
};

TEST_F(WireEvidence, TheFullestOfAKindStandFirst) {
  const auto all =
      wires({{"gpu.a.out[0]", "gpu.b0.in", "Quad", 4, 10, 100, 100, 2},
             {"gpu.a.out[1]", "gpu.b1.in", "Quad", 4, 10, 300, 100, 4},
             {"gpu.a.out[2]", "gpu.b2.in", "Quad", 4, 0, 0, 100, 0},     // carried nothing
             {"gpu.a.other", "gpu.b0.in", "Quad", 8, 10, 100, 100, 8},   // of other ports
             {"gpu.b0.out", "gpu.c.in", "Quad", 10, 10, 450, 50, 10},    // in another clock
             {"gpu.a.rest", "gpu.c.rest", "Quad", 2, 0, 200, 100, 2}});  // never emptied, nothing sent
  std::vector<std::string> from;
  for (const auto& wires : all) from.push_back(wires.from);
  EXPECT_THAT(from, ElementsAre("a.rest", "b.out", "a.out", "a.other"));
  EXPECT_EQ(all[2].to, "b.in");
  EXPECT_EQ(all[2].count, 2u);
  EXPECT_EQ(all[2].filling, 2.0);
  EXPECT_EQ(all[2].peak, 4u);
  EXPECT_EQ(wires_text(all),
            "  the fullest wires, by the mean filling of their slots:\n"
            "    100 %  a.rest to c.rest: 2.0 of 2 slots, 2 at the most\n"
            "     90 %  b.out to c.in: 9.0 of 10 slots, 10 at the most\n"
            "     50 %  a.out to b.in: 2.0 of 4 slots, 4 at the most, 2 wires\n");
}

TEST_F(WireEvidence, OmitsWiresLessThanAQuarterFull) {
  EXPECT_EQ(wires_text(wires({{"gpu.a.out", "gpu.b.in", "Quad", 4, 10, 99, 100, 4}})), "");
}

}  // namespace
}  // namespace cutaway::report
