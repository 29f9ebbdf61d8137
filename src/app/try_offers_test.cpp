#include "app/try_offers.h"

#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "report/run_database.h"

namespace cutaway::app {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct TryOffersTest : ::testing::Test {
  ~TryOffersTest() override { std::filesystem::remove(path); }
  void record(const std::string& gpu, const std::vector<std::string>& sets = {}) const {
    std::filesystem::remove(path);
    report::RunDatabase run(path, {});
    run.finish({.capture = "a.cutaway", .gpu_argument = gpu, .sets = sets}, {}, 16);
  }
  // A cause whose evidence names these parameters.
  static report::Explanation::Cause cause(double share, std::vector<report::Lever> levers) {
    return {"texture", "", "texture", share, {{"a sentence", std::move(levers)}}};
  }
  const std::filesystem::path path =
      std::filesystem::path(::testing::TempDir()) / fmt::format("cutaway_offers_{}.sqlite", ::getpid());
};

TEST_F(TryOffersTest, AreLegalOnTheMachineOfTheRun) {
  record("attila", {"texture.cache_ways=8"});
  report::RunReader run(path);
  TryOffers offers(run);
  report::Explanation explanation;
  explanation.causes = {cause(1, {{"texture.cache_lines", "128", "3"}, {"no.such", "2", "1"}})};
  offers.keep_legal(explanation);
  const auto& levers = explanation.causes[0].evidence[0].levers;
  EXPECT_EQ(levers[0].helpful, "128");
  EXPECT_EQ(levers[0].opposite, "");  // no multiple of the ways
  EXPECT_EQ(levers[1].helpful, "");
}

TEST_F(TryOffersTest, AreNoneForAMachineThatHasGone) {
  record("gone.toml");
  report::RunReader run(path);
  TryOffers offers(run);
  report::Explanation explanation;
  explanation.causes = {cause(1, {{"texture.cache_lines", "128", "32"}})};
  offers.keep_legal(explanation);
  offers.consider(explanation);
  EXPECT_THAT(offers.automatic(), IsEmpty());
}

TEST_F(TryOffersTest, BeginWithTheCauseOfMostTime) {
  record("attila");
  report::RunReader run(path);
  TryOffers offers(run);
  report::Explanation first{.seconds = 1}, second{.seconds = 3};
  first.causes = {cause(0.9, {{"a.a", "2", "1"}, {"a.b", "4", ""}}), cause(0.04, {{"a.small", "2", "1"}})};
  second.causes = {cause(0.6, {{"b.a", "6", "5"}}), cause(0.4, {{"a.b", "4", ""}, {"a.b", "4", ""}})};
  offers.consider(first);   // a.a 0.9 s, a.b 0.9 s
  offers.consider(second);  // b.a 1.8 s, a.b 1.2 s more
  EXPECT_THAT(offers.automatic(), ElementsAre("a.b=4", "b.a=6", "a.a=2", "b.a=5", "a.a=1"));
}

TEST_F(TryOffersTest, AreBounded) {
  record("attila");
  report::RunReader run(path);
  TryOffers offers(run);
  report::Explanation many{.seconds = 1};
  for (int i = 0; i < 40; i++) many.causes.push_back(cause(0.5, {{fmt::format("a.p{}", i), "2", "1"}}));
  offers.consider(many);
  const std::vector<std::string> tries = offers.automatic();
  EXPECT_THAT(tries, SizeIs(TryOffers::kMost));
  EXPECT_EQ(tries[TryOffers::kMostHelpful - 1], "a.p11=2");
  EXPECT_EQ(tries[TryOffers::kMostHelpful], "a.p0=1");
}

}  // namespace
}  // namespace cutaway::app
