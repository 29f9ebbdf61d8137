#include <array>
#include <gtest/gtest.h>

#include "func/fetch/index_fetch.h"
#include "func/fetch/vertex_fetch.h"
#include "func/format/numeric.h"

namespace cutaway::func {
namespace {

using arch::Format;
using arch::IndexType;
using arch::StepMode;

Assembly one_attribute(Format format, uint32_t bytes, uint32_t stride, uint32_t offset = 0) {
  Assembly assembly{};
  assembly.attribute[3] = {static_cast<uint32_t>(format), 2, offset};
  assembly.binding[2] = {uint64_t{0x12345000}, bytes, stride, 0, 0};
  return assembly;
}

TEST(VertexFetch, AddressOfAnElement) {
  const Assembly assembly = one_attribute(Format::R32G32B32_SFLOAT, 1000, 20, 8);
  const VertexFetch plan = plan_vertex_fetch(assembly, 3, 7, 0, 0);
  EXPECT_EQ(plan.address, 0x12345000u + 7 * 20 + 8);
  EXPECT_EQ(plan.bytes, 12u);
  EXPECT_TRUE(plan.reads_memory());
  const float stored[3] = {1, 2, 3};
  uint32_t out[4];
  finish_vertex_fetch(assembly, 3, plan, reinterpret_cast<const std::byte*>(stored), out);
  EXPECT_EQ(out[2], float_bits(3));
  EXPECT_EQ(out[3], kFloatOne);
}

TEST(VertexFetch, TheLastWholeElementIsInBounds) {
  const Assembly assembly = one_attribute(Format::R32_SFLOAT, 20, 8, 0);
  EXPECT_TRUE(plan_vertex_fetch(assembly, 3, 2, 0, 0).in_bounds);  // bytes 16 to 19
  EXPECT_FALSE(plan_vertex_fetch(assembly, 3, 3, 0, 0).in_bounds);
  EXPECT_FALSE(plan_vertex_fetch(one_attribute(Format::R32_SFLOAT, 3, 0), 3, 0, 0, 0).in_bounds);
  EXPECT_TRUE(plan_vertex_fetch(one_attribute(Format::R32_SFLOAT, 4, 0), 3, 0xffffffff, 0, 0).in_bounds);
}

TEST(VertexFetch, OutsideReadsZeros) {
  const Assembly assembly = one_attribute(Format::R32G32_SFLOAT, 64, 8);
  const VertexFetch plan = plan_vertex_fetch(assembly, 3, 8, 0, 0);
  EXPECT_FALSE(plan.reads_memory());
  uint32_t out[4] = {9, 9, 9, 9};
  finish_vertex_fetch(assembly, 3, plan, nullptr, out);
  EXPECT_EQ(out[0], 0u);
  EXPECT_EQ(out[3], kFloatOne);  // absent from the format
}

TEST(VertexFetch, HugeProductsDoNotWrap) {
  const Assembly assembly = one_attribute(Format::R32_SFLOAT, 0xffffffff, 0xffffffff, 0xfffffff0);
  EXPECT_FALSE(plan_vertex_fetch(assembly, 3, 0xffffffff, 0, 0).in_bounds);
  EXPECT_FALSE(plan_vertex_fetch(assembly, 3, 1, 0, 0).in_bounds);
  EXPECT_TRUE(plan_vertex_fetch(assembly, 3, 0, 0, 0).in_bounds);
}

TEST(VertexFetch, InstancesStepByTheDivisor) {
  Assembly assembly = one_attribute(Format::R8G8B8A8_UNORM, 4000, 4);
  assembly.binding[2].step_mode = static_cast<uint32_t>(StepMode::kInstance);
  const auto element = [&](uint32_t divisor, uint32_t instance, uint32_t first) {
    assembly.binding[2].divisor = divisor;
    return (plan_vertex_fetch(assembly, 3, 99, instance, first).address - 0x12345000) / 4;
  };
  EXPECT_EQ(element(1, 5, 10), 15u);
  EXPECT_EQ(element(3, 5, 10), 11u);
  EXPECT_EQ(element(0, 5, 10), 10u);  // Vulkan: divisor 0, all instances read the first
}

TEST(VertexFetch, FloatsAreWordsAsTheyLie) {
  const auto words = [](Format format) {
    return AttributeFetch(one_attribute(format, 64, 16), 3).float_words();
  };
  EXPECT_EQ(words(Format::R32_SFLOAT), 1u);
  EXPECT_EQ(words(Format::R32G32_SFLOAT), 2u);
  EXPECT_EQ(words(Format::R32G32B32_SFLOAT), 3u);
  EXPECT_EQ(words(Format::R32G32B32A32_SFLOAT), 4u);
  EXPECT_EQ(words(Format::R8G8B8A8_UNORM), 0u);
  EXPECT_EQ(words(Format::R32G32_UINT), 0u);
  EXPECT_EQ(words(Format::R16G16_SFLOAT), 0u);
  EXPECT_EQ(words(Format::UNDEFINED), 0u);
  EXPECT_EQ(AttributeFetch().float_words(), 0u);
}

TEST(VertexFetch, NoFormatIsAConstant) {
  const Assembly assembly{};
  const VertexFetch plan = plan_vertex_fetch(assembly, 0, 0, 0, 0);
  EXPECT_EQ(plan.bytes, 0u);
  uint32_t out[4];
  finish_vertex_fetch(assembly, 0, plan, nullptr, out);
  EXPECT_EQ(out[0], 0u);
  EXPECT_EQ(out[3], kFloatOne);
}

TEST(VertexFetch, IntegerFormatsHaveIntegerOne) {
  const Assembly assembly = one_attribute(Format::R16G16_SINT, 64, 4);
  const std::array<std::byte, 4> stored{std::byte{0xff}, std::byte{0xff}, std::byte{2}, std::byte{0}};
  uint32_t out[4];
  finish_vertex_fetch(assembly, 3, plan_vertex_fetch(assembly, 3, 0, 0, 0), stored.data(), out);
  EXPECT_EQ(out[0], 0xffffffff);
  EXPECT_EQ(out[1], 2u);
  EXPECT_EQ(out[3], 1u);
}

Assembly indexed(IndexType type, uint32_t bytes, bool restart) {
  Assembly assembly{};
  assembly.index_type = static_cast<uint32_t>(type);
  assembly.index_bytes = bytes;
  assembly.index_address = uint64_t{0x1000};
  assembly.primitive_restart = restart;
  return assembly;
}

TEST(IndexFetch, TypesAndRestartValues) {
  const std::array<std::byte, 4> ones{std::byte{255}, std::byte{255}, std::byte{255}, std::byte{255}};
  const struct {
    IndexType type;
    uint32_t bytes, restart;
  } cases[] = {
      {IndexType::kUint8, 1, 0xff}, {IndexType::kUint16, 2, 0xffff}, {IndexType::kUint32, 4, 0xffffffff}};
  for (const auto& c : cases) {
    const Assembly assembly = indexed(c.type, 100, true);
    const IndexFetch plan = plan_index_fetch(assembly, 10);
    EXPECT_EQ(plan.address, 0x1000 + 10 * c.bytes);
    EXPECT_EQ(plan.bytes, c.bytes);
    const Index index = finish_index_fetch(assembly, plan, ones.data());
    EXPECT_EQ(index.value, c.restart);
    EXPECT_TRUE(index.restart);
    EXPECT_FALSE(finish_index_fetch(indexed(c.type, 100, false), plan, ones.data()).restart);
  }
}

TEST(IndexFetch, OutsideGivesIndexZero) {
  const Assembly assembly = indexed(IndexType::kUint16, 7, true);  // three complete indices
  EXPECT_TRUE(plan_index_fetch(assembly, 2).in_bounds);
  const IndexFetch plan = plan_index_fetch(assembly, 3);
  EXPECT_FALSE(plan.in_bounds);
  const std::array<std::byte, 2> ones{std::byte{255}, std::byte{255}};
  EXPECT_EQ(finish_index_fetch(assembly, plan, ones.data()).value, 0u);
  EXPECT_FALSE(finish_index_fetch(assembly, plan, ones.data()).restart);
  EXPECT_FALSE(plan_index_fetch(assembly, uint64_t{1} << 63).in_bounds);
}

}  // namespace
}  // namespace cutaway::func
