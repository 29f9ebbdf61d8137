#include "experiment/verdict.h"

#include <gmock/gmock.h>
#include <limits>

namespace cutaway::experiment {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

Table made(std::vector<double> cycles) {
  return {{{"machine", {"split", "unified"}}, {"units", {"2", "4"}}}, {{"cycles", std::move(cycles)}}};
}

// "Twice as fast with twice the units", for each machine.
Claim twofold(std::optional<double> least, std::optional<double> most) {
  Claim claim;
  claim.id = "X-1";
  claim.value.emplace("cycles[units = 2] / cycles[units = 4]", "here");
  claim.least = least, claim.most = most;
  return claim;
}
Verdict verdict(const Claim& claim, const Table& table) { return judge(claim, table).verdict; }

TEST(Verdict, HoldsWhereEveryValueLiesWithin) {
  const Table table = made({100, 50, 90, 50});
  EXPECT_EQ(verdict(twofold(1.8, 2), table), Verdict::kHolds);  // bounds count
  EXPECT_EQ(verdict(twofold(1.81, 2), table), Verdict::kInPart);
  EXPECT_EQ(verdict(twofold(1.8, 1.99), table), Verdict::kInPart);
  EXPECT_EQ(verdict(twofold(2.01, 3), table), Verdict::kNot);
  EXPECT_EQ(verdict(twofold({}, 1.7), table), Verdict::kNot);
  EXPECT_EQ(verdict(twofold({}, 2), table), Verdict::kHolds);
  EXPECT_EQ(verdict(twofold(1.8, {}), table), Verdict::kHolds);
}

TEST(Verdict, WiderBoundsMakeItInPart) {
  const Table table = made({100, 50, 90, 50});
  Claim claim = twofold(2.1, 3);
  EXPECT_EQ(verdict(claim, table), Verdict::kNot);
  claim.least_part = 1.9;
  EXPECT_EQ(verdict(claim, table), Verdict::kInPart);  // one of them
  claim.least_part = 1.7;
  EXPECT_EQ(verdict(claim, table), Verdict::kInPart);
  claim = twofold(1, 1.5);
  claim.most_part = 1.9;
  EXPECT_EQ(verdict(claim, table), Verdict::kInPart);
  claim.most_part = 1.7;
  EXPECT_EQ(verdict(claim, table), Verdict::kNot);
}

TEST(Verdict, OneValue) {
  Claim claim = twofold(2, {});
  claim.value.emplace("max(cycles[units = 2] / cycles[units = 4])", "here");
  const Judgement judgement = judge(claim, made({100, 50, 90, 50}));
  ASSERT_THAT(judgement.values, SizeIs(1));
  EXPECT_EQ(judgement.values[0].at, "");
  EXPECT_EQ(judgement.verdict, Verdict::kHolds);
  EXPECT_THAT(judgement.values[0].configurations, ElementsAre(0, 1));
}

TEST(Verdict, OnlyWhereTheClaimIsMade) {
  Claim claim = twofold(2, 2);
  claim.chosen.labels = {{"machine", {"split"}}};
  const Judgement judgement = judge(claim, made({100, 50, 90, 50}));
  ASSERT_THAT(judgement.values, SizeIs(1));
  EXPECT_EQ(judgement.values[0].at, "split");
  EXPECT_EQ(judgement.verdict, Verdict::kHolds);
}

TEST(Verdict, TheTellingValueIsTheFarthestOutside) {
  const Judgement judgement = judge(twofold(1.9, 2.2), made({100, 40, 60, 50}));
  EXPECT_EQ(judgement.verdict, Verdict::kNot);
  EXPECT_EQ(judgement.telling, 1u);
  EXPECT_EQ(judge(twofold(1.9, 2.2), made({100, 50, 102, 50})).telling, 0u);
  EXPECT_THAT(judgement.values[judgement.telling].configurations, ElementsAre(2, 3));
}

TEST(Verdict, WhatIsNotMeasuredCannotBeTold) {
  EXPECT_EQ(verdict(twofold(1, 3), made({100, 50, std::numeric_limits<double>::quiet_NaN(), 50})),
            Verdict::kUntold);
}

// How much of what a machine gains with 4 units another gains: told only where both gain.
Claim share_of_gain() {
  Claim claim;
  claim.value.emplace(
      "(cycles[machine = split, units = 2] - cycles[machine = split, units = 4]) / "
      "(cycles[machine = unified, units = 2] - cycles[machine = unified, units = 4])",
      "here");
  claim.positive.emplace_back("cycles[machine = unified, units = 2] - cycles[machine = unified, units = 4]",
                              "here");
  claim.least = 0.5, claim.most = 1;
  return claim;
}

TEST(Verdict, AClaimIsToldOnlyWhereItsSignsAreThere) {
  EXPECT_EQ(verdict(share_of_gain(), made({100, 60, 100, 50})), Verdict::kHolds);
  EXPECT_EQ(verdict(share_of_gain(), made({60, 100, 100, 50})), Verdict::kNot);
  // 40 / 50 of two losses is no share of a gain.
  const Judgement judgement = judge(share_of_gain(), made({60, 100, 50, 100}));
  EXPECT_EQ(judgement.verdict, Verdict::kUntold);
  EXPECT_EQ(judgement.missing,
            "`cycles[machine = unified, units = 2] - cycles[machine = unified, units = 4]` must be above 0, "
            "and is -50");
  EXPECT_EQ(verdict(share_of_gain(), made({100, 60, 50, 50})), Verdict::kUntold);
}

TEST(Verdict, ADivisorOfEitherSignCannotBeTold) {
  Claim claim = share_of_gain();
  claim.open_divisors = {"a - b"};
  const Judgement judgement = judge(claim, made({100, 60, 100, 50}));
  EXPECT_EQ(judgement.verdict, Verdict::kUntold);
  EXPECT_EQ(judgement.missing,
            "the formula divides by `a - b`, which may be negative, and `positive` does not name it");
}

TEST(Verdict, Texts) {
  Claim claim = twofold(1.8, 2.2);
  EXPECT_EQ(bounds_text(claim), "1.8 to 2.2");
  claim.unit = "draws";
  EXPECT_EQ(bounds_text(claim), "1.8 to 2.2 draws");
  claim.least.reset(), claim.unit = "%", claim.most = 0.08;
  EXPECT_EQ(bounds_text(claim), "at most 8.0 %");
  EXPECT_EQ(value_text(claim, 0.123), "12.3 %");
  EXPECT_EQ(made({}).text({1, 0}), "unified, units 2");
}

}  // namespace
}  // namespace cutaway::experiment
