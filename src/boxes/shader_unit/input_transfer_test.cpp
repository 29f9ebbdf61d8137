#include "boxes/shader_unit/input_transfer.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::input_transfer_test {
namespace {

using Kind = InputTransfer::Kind;

TEST(InputTransfer, WhatFitsIntoACycleCompletesAtOnce) {
  InputTransfer transfer(40);
  EXPECT_TRUE(transfer.completes(5, Kind::kFragments, 0));
  EXPECT_TRUE(transfer.completes(5, Kind::kFragments, 40));
  EXPECT_FALSE(transfer.active());
}

// 41 vectors take two cycles, 80 too, and 81 three.
TEST(InputTransfer, EndsWithTheCycleOfItsLastVector) {
  for (const auto& [vectors, ends] : {std::pair{41u, 6u}, {80u, 6u}, {81u, 7u}}) {
    InputTransfer transfer(40);
    EXPECT_FALSE(transfer.completes(5, Kind::kVertices, vectors));
    EXPECT_TRUE(transfer.active());
    EXPECT_EQ(transfer.kind(), Kind::kVertices);
    EXPECT_EQ(transfer.ends(), ends) << vectors;
    EXPECT_TRUE(transfer.completes(transfer.ends(), Kind::kVertices, vectors));
    EXPECT_FALSE(transfer.active());
  }
}

}  // namespace
}  // namespace cutaway::boxes::input_transfer_test
