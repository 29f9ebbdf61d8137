#include "report/levers.h"

#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "report/run_database.h"

namespace cutaway::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct LeversTest : ::testing::Test {
  LeversTest() {
    std::filesystem::remove(path);
    RunDatabase run(path, {});
    run.finish({.capture = "a.cutaway"},
               {{"texture.cache_lines", "64", "choice"},
                {"texture.steps_per_cycle", "1", "choice"},
                {"texture.cache_banks", "0", "choice"},
                {"texture.cache_replacement", "lru", "choice"},
                {"texture_cache.slices", "2", "choice"},
                {"triangle_setup.triangle_cycles", "3", "choice"},
                {"geometry.units", "1", "choice"},
                {"rop.units", "2", "choice"},
                {"rop.tile", "8", "choice"},
                {"memory.latency", "40", "choice"},
                {"z_stencil.quads_per_cycle", "1", "choice"},
                {"gpu.memory_mhz", "400.5", "choice"}},
               16);
  }
  ~LeversTest() override { std::filesystem::remove(path); }
  static std::vector<std::string> texts(const std::vector<Lever>& levers) {
    std::vector<std::string> texts;
    for (const Lever& lever : levers)
      texts.push_back(fmt::format("{}: {}, {}", lever.parameter, lever.helpful, lever.opposite));
    return texts;
  }
  std::vector<std::string> lever(const std::string& parameter, bool more) {
    RunReader reader(path);
    std::vector<Lever> levers;
    add_lever(reader, parameter, more, levers);
    return texts(levers);
  }
  const std::filesystem::path path =
      std::filesystem::path(::testing::TempDir()) / fmt::format("cutaway_levers_{}.sqlite", ::getpid());
};

TEST_F(LeversTest, DoubleAndHalve) {
  EXPECT_THAT(lever("texture.cache_lines", true), ElementsAre("texture.cache_lines: 128, 32"));
  EXPECT_THAT(lever("memory.latency", false), ElementsAre("memory.latency: 20, 80"));
  EXPECT_THAT(lever("texture.steps_per_cycle", true), ElementsAre("texture.steps_per_cycle: 2, "));
  EXPECT_THAT(lever("triangle_setup.triangle_cycles", false),
              ElementsAre("triangle_setup.triangle_cycles: 1, 6"));
}

TEST_F(LeversTest, AreOfPositiveWholeNumbersThatTheMachineHas) {
  for (const char* parameter :
       {"texture.cache_banks", "texture.cache_replacement", "texture.none", "gpu.memory_mhz", "texture", ""})
    EXPECT_THAT(lever(parameter, true), IsEmpty()) << parameter;
}

TEST_F(LeversTest, RatesAreThoseOfTheKindAndOfItsOwner) {
  RunReader reader(path);
  EXPECT_THAT(texts(rate_levers(reader, "texture")), ElementsAre("texture.steps_per_cycle: 2, "));
  EXPECT_THAT(texts(rate_levers(reader, "z_stencil")),
              ElementsAre("z_stencil.quads_per_cycle: 2, ", "rop.units: 4, 1"));
  EXPECT_THAT(texts(rate_levers(reader, "triangle_setup")),
              ElementsAre("triangle_setup.triangle_cycles: 1, 6", "geometry.units: 2, "));
  EXPECT_THAT(texts(balance_levers(reader, "color_write")), ElementsAre("rop.tile: 4, 16"));
  EXPECT_THAT(rate_levers(reader, ""), IsEmpty());
}

}  // namespace
}  // namespace cutaway::report
