#include "boxes/z_stencil/late_draws.h"

#include <gtest/gtest.h>

#include "messages/testing/draws.h"

namespace cutaway::boxes::late_draws_test {
namespace {

using arch::Compare;

std::unique_ptr<messages::DrawState> draw(Compare compare, bool write = true) {
  auto state = messages::testing::plain_state();
  messages::testing::add_depth(*state, compare, write, arch::DepthMode::kLate);
  return state;
}

const std::vector<Compare> kLesses = {Compare::kLess, Compare::kLessOrEqual};
const std::vector<Compare> kGreaters = {Compare::kGreater, Compare::kGreaterOrEqual};
const std::vector<Compare> kAny = {Compare::kAlways, Compare::kNotEqual};

bool keeps(Compare earlier, bool writes, Compare later) {
  LateDraws draws;
  draws.pass(*draw(earlier, writes));
  return draws.keep_failed(*draw(later));
}

TEST(LateDraws, CountsThoseUnderWay) {
  LateDraws draws;
  const auto one = draw(Compare::kLess), other = draw(Compare::kGreater);
  EXPECT_EQ(draws.size(), 0u);
  draws.pass(*one), draws.pass(*other);
  EXPECT_EQ(draws.size(), 2u);
  EXPECT_FALSE(draws.keep_failed(*one));
  draws.come_back(*other);
  EXPECT_EQ(draws.size(), 1u);
  EXPECT_TRUE(draws.keep_failed(*one));
  draws.come_back(*one);
  EXPECT_EQ(draws.size(), 0u);
}

// A fragment that is not nearer now is not nearer either once stored depths have become less.
TEST(LateDraws, WritesInTheDirectionOfTheComparisonKeepWhatFails) {
  for (const Compare later : kLesses) {
    for (const Compare earlier : kLesses) EXPECT_TRUE(keeps(earlier, true, later));
    for (const Compare earlier : kGreaters) EXPECT_FALSE(keeps(earlier, true, later));
    for (const Compare earlier : kAny) EXPECT_FALSE(keeps(earlier, true, later));
  }
  for (const Compare later : kGreaters) {
    for (const Compare earlier : kLesses) EXPECT_FALSE(keeps(earlier, true, later));
    for (const Compare earlier : kGreaters) EXPECT_TRUE(keeps(earlier, true, later));
    for (const Compare earlier : kAny) EXPECT_FALSE(keeps(earlier, true, later));
  }
}

// A quad that fails the stencil test now fails it later too, if no draw changes a stencil.
TEST(LateDraws, StencilTestsNeedThatNoStencilIsChanged) {
  const auto with_stencil = [](uint32_t pass) {
    auto state = draw(Compare::kLess);
    state->registers.depth.surface.format = static_cast<uint32_t>(arch::Format::D24_UNORM_S8_UINT);
    state->registers.depth.stencil_test = 1;
    state->registers.depth.front = state->registers.depth.back = {0, 0, pass, 2, 1, 255, 255};
    state->prepare();
    return state;
  };
  for (const uint32_t pass : {0u, 2u}) {  // keep, replace
    LateDraws draws;
    const auto earlier = with_stencil(pass), later = with_stencil(0);
    draws.pass(*earlier);
    EXPECT_EQ(draws.keep_failed(*later), pass == 0);
    EXPECT_TRUE(draws.keep_failed(*draw(Compare::kLess))) << "tests no stencil";
    draws.come_back(*earlier);
    EXPECT_TRUE(draws.keep_failed(*later));
  }
}

// Any write may make depths equal; one of what is equal changes none.
TEST(LateDraws, EqualDepthsNeedThatNothingIsWritten) {
  for (const auto& list : {kLesses, kGreaters, kAny})
    for (const Compare earlier : list) {
      EXPECT_FALSE(keeps(earlier, true, Compare::kEqual));
      EXPECT_TRUE(keeps(earlier, false, Compare::kEqual));
      EXPECT_TRUE(keeps(Compare::kEqual, true, earlier));
      EXPECT_TRUE(keeps(Compare::kNever, true, earlier));
    }
}

}  // namespace
}  // namespace cutaway::boxes::late_draws_test
