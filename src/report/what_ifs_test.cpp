#include "report/what_ifs.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <unistd.h>

#include "report/run_database.h"

namespace cutaway::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class WhatIfs : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    RunDatabase database(folder_ / "run.sqlite", {});
    database.finish({.gpu = "attila", .base = "attila", .capture = "a.cutaway"},
                    {{"memory.bytes_per_cycle", "64", "choice"},
                     {"memory.channels", "4", "choice"},
                     {"memory.page_bytes", "2048", "choice"},
                     {"rop.quads_per_cycle", "0.5", "choice"},
                     {"texture.units", "8", "choice"},
                     {"texture_cache.units", "8", "choice"}},
                    8);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::vector<std::string> of(const std::vector<Explanation::Cause>& causes,
                              const std::vector<Declaration>& declarations = {}) {
    RunReader run(folder_);
    return what_ifs(run, causes, declarations);
  }

  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / fmt::format("cutaway_what_ifs_{}", ::getpid());
};

TEST_F(WhatIfs, DoubleTheSpeedOfWhatBinds) {
  EXPECT_THAT(of({{.kind = "memory_controller", .share = 0.6}, {.kind = "texture", .share = 0.3}}),
              ElementsAre("memory.bytes_per_cycle=128", "memory.channels=8", "texture.units=16"));
  EXPECT_THAT(of({{.kind = "z_stencil", .share = 0.5}, {.kind = "color_write", .share = 0.5}}),
              ElementsAre("rop.quads_per_cycle=1"));
}

TEST_F(WhatIfs, LeaveOutSmallCausesAndIllegalMachines) {
  EXPECT_THAT(of({{.kind = "texture", .share = 0.09}, {.kind = "", .share = 0.9}}), IsEmpty());
  EXPECT_THAT(of({{.kind = "a", .share = 0.3},
                  {.kind = "b", .share = 0.3},
                  {.kind = "c", .share = 0.2},
                  {.kind = "texture", .share = 0.2}}),
              IsEmpty());
  const std::vector<Explanation::Cause> texture = {{.kind = "texture", .share = 1}};
  EXPECT_THAT(of(texture, {{"texture.units", "units", "1 to 15", ""}}), IsEmpty());
  EXPECT_THAT(of(texture, {{"texture.units", "units", "1 to 16", ""}}), ElementsAre("texture.units=16"));
}

TEST(WhatIfCommand, QuotesTheRunForAShell) {
  EXPECT_EQ(what_if_command("it's", 3, "memory.channels=8"),
            "cutaway explain 'it'\\''s' --frame 3 --try memory.channels=8");
}

}  // namespace
}  // namespace cutaway::report
