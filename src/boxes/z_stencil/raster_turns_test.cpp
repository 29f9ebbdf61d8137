#include "boxes/z_stencil/raster_turns.h"

#include <gtest/gtest.h>
#include <vector>

namespace cutaway::boxes::raster_turns_test {
namespace {

struct Head {
  bool draw_end;
};
const Head kQuad{false}, kEnd{true};

// The message that waits at each input.
struct Inputs {
  std::vector<const Head*> heads;
  const Head* operator()(unsigned input) const { return heads[input]; }
};

TEST(RasterTurns, TakesQuadsInTurn) {
  RasterTurns turns(3);
  const Inputs all{{&kQuad, &kQuad, &kQuad}};
  for (unsigned i = 0; i < 6; i++) {
    EXPECT_EQ(turns.next(all), i % 3);
    turns.pass(turns.next(all));
  }
  EXPECT_EQ(turns.next(Inputs{{nullptr, nullptr, &kQuad}}), 2u);
  EXPECT_EQ(turns.next(Inputs{{nullptr, nullptr, nullptr}}), RasterTurns::kNone);
}

TEST(RasterTurns, StaysAtAQuadThatIsPartlyTaken) {
  RasterTurns turns(2);
  const Inputs all{{&kQuad, &kQuad}};
  turns.pass(0);
  turns.stay(1);
  EXPECT_EQ(turns.next(all), 1u);
  turns.pass(1);
  EXPECT_EQ(turns.next(all), 0u);
}

TEST(RasterTurns, WaitsForTheDrawEndsOfAll) {
  RasterTurns turns(3);
  turns.pass(0);
  const Inputs one_misses{{&kEnd, &kEnd, nullptr}};
  EXPECT_EQ(turns.next(one_misses), RasterTurns::kNone);
  EXPECT_EQ(turns.missing(one_misses), 2u);
  EXPECT_EQ(turns.next(Inputs{{&kEnd, &kEnd, &kQuad}}), 2u) << "quads go first";
  EXPECT_EQ(turns.next(Inputs{{&kEnd, &kEnd, &kEnd}}), 1u);
}

TEST(RasterTurns, MissesNoEndWhereNoneHasCome) {
  RasterTurns turns(2);
  EXPECT_EQ(turns.missing(Inputs{{nullptr, nullptr}}), RasterTurns::kNone);
  EXPECT_EQ(turns.missing(Inputs{{&kEnd, &kEnd}}), RasterTurns::kNone);
}

}  // namespace
}  // namespace cutaway::boxes::raster_turns_test
