#include "compiler/translate/pointer_layout.h"

#include <gtest/gtest.h>

// Strides along an access chain alone.
namespace cutaway::compiler::pointer_layout_test {
namespace {

enum Id : uint32_t { kFloat = 1, kColumn, kMatrix, kMatrices, kBlock };

// A block with an array, 64 bytes an element, of matrices whose columns or rows are 16 bytes apart.
Module module_with(bool row_major) {
  Module module;
  module.types[kFloat] = {.kind = TypeKind::kFloat, .components = 1};
  module.types[kColumn] = {.kind = TypeKind::kVector, .element = kFloat, .count = 3, .components = 3};
  module.types[kMatrix] = {.kind = TypeKind::kMatrix, .element = kColumn, .count = 4, .components = 12};
  module.types[kMatrices] = {.kind = TypeKind::kArray, .element = kMatrix, .count = 2, .components = 24};
  module.types[kBlock] = {.kind = TypeKind::kStruct, .members = {kFloat, kMatrices}, .starts = {0, 1}};
  module.decorations[kMatrices].array_stride = 64;
  module.member_decorations[{kBlock, 1}] = {.matrix_stride = 16, .row_major = row_major};
  return module;
}

TEST(PointerLayout, StridesByColumns) {
  const Module module = module_with(false);
  PointerLayout layout;
  layout.step(module, kBlock, 1);
  EXPECT_EQ(layout, (PointerLayout{.matrix_stride = 16}));
  EXPECT_EQ(layout.step(module, kMatrices, 0), 64u);
  EXPECT_EQ(layout.array_stride, 64u);
  EXPECT_EQ(layout.step(module, kMatrix, 0), 16u);
  EXPECT_EQ(layout.component_stride, 0u);
  EXPECT_EQ(layout.array_stride, 0u) << "a column is no element of an array";
  EXPECT_EQ(layout.step(module, kColumn, 0), 4u);
}

TEST(PointerLayout, StridesByRows) {
  const Module module = module_with(true);
  PointerLayout layout;
  layout.step(module, kBlock, 1);
  EXPECT_TRUE(layout.row_major);
  layout.step(module, kMatrices, 0);
  EXPECT_EQ(layout.step(module, kMatrix, 0), 4u);
  EXPECT_EQ(layout.component_stride, 16u);
  EXPECT_EQ(layout.step(module, kColumn, 0), 16u);
  EXPECT_EQ(layout.component_stride, 0u);
}

TEST(PointerLayout, OtherMembersHaveNone) {
  const Module module = module_with(true);
  PointerLayout layout;
  layout.step(module, kBlock, 0);
  EXPECT_EQ(layout, PointerLayout{});
}

TEST(PointerLayout, JoinsFieldByField) {
  PointerLayout layout{.matrix_stride = 16, .array_stride = 64};
  EXPECT_FALSE(layout.join({.matrix_stride = 16, .array_stride = 64}));
  EXPECT_TRUE(layout.join({.matrix_stride = 16, .array_stride = 32}));
  EXPECT_EQ(layout, (PointerLayout{.matrix_stride = 16, .array_stride = PointerLayout::kMixed}));
  EXPECT_FALSE(layout.join({.matrix_stride = 16, .array_stride = 8})) << "it is mixed already";
  EXPECT_TRUE(layout.join({.matrix_stride = 16, .array_stride = 8, .row_major = true}));
  EXPECT_EQ(layout.matrix_stride, PointerLayout::kMixed);
}

}  // namespace
}  // namespace cutaway::compiler::pointer_layout_test
