#include "report/draw_evidence.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "report/run_database.h"

namespace cutaway::report {
namespace {

using ::testing::Optional;
using ::testing::StartsWith;

class SmallDrawsTest : public ::testing::Test {
 protected:
  // A frame of 10,000 cycles: one draw of many indices, and small ones of 30 cycles and 10 fragments each.
  std::optional<std::string> remark(uint32_t small, bool of_driver = false) {
    run_record::FrameFigures figures;
    figures.frame = 4, figures.cycles = 10'000;
    for (int role = 1; role <= static_cast<int>(CounterRole::kCacheMisses); role++)
      for (const CountOf of : {CountOf::kAll, CountOf::kDriver})
        figures.counters.push_back({"gpu.a", "x", 1, static_cast<CounterRole>(role), of});
    run_record::FrameRecord record;
    record.counters = {{"gpu.interpolator", "fragments", "", ""}};
    record.states = {{.targets = "{}", .textures = "[]", .buffers = "[]"}};
    record.work = {{.kind = "draw", .packet = "DRAW", .draw = 1, .state = 0, .vertices = 3000}};
    record.work[0].marginal_cycles = 10'000 - 30 * small;
    for (uint32_t i = 1; i <= small; i++) {
      record.work.push_back(
          {.kind = "draw", .packet = "DRAW", .draw = i + 1, .of_driver = of_driver, .state = 0});
      record.work.back().vertices = 6, record.work.back().marginal_cycles = 30;
      record.own.push_back({i, 0, 10}), record.meanwhile.push_back({i, 0, 10});
    }
    std::filesystem::remove(path_);
    {
      RunDatabase run(path_, {});
      run.add(figures, record);
      run.finish({.capture = "a.cutaway"}, {}, 16);
    }
    RunReader reader(path_);
    return small_draws_remark(reader, {.frame = 4}, 10'000);
  }
  void TearDown() override { std::filesystem::remove(path_); }
  std::filesystem::path path_ =
      std::filesystem::path(::testing::TempDir()) / fmt::format("cutaway_draws_{}.sqlite", ::getpid());
};

TEST_F(SmallDrawsTest, ManySmallDrawsAreTold) {
  EXPECT_THAT(remark(200), Optional(StartsWith("small draws: 200 of 201 draws have at most 64 indices and 64 "
                                               "fragments; they take 60 % of the cycles, 30 each. ")));
}

TEST_F(SmallDrawsTest, FewOrTheDriversOwnAreNot) {
  EXPECT_EQ(remark(99), std::nullopt);
  EXPECT_EQ(remark(200, true), std::nullopt);
}

}  // namespace
}  // namespace cutaway::report
