#include "host/address_space.h"

#include <cstring>
#include <gtest/gtest.h>

#include "host/testing/test_gpu.h"

namespace cutaway::host {
namespace {

using arch::kPageBytes;

struct AddressSpaceTest : ::testing::Test {
  TestGpu gpu;
  AddressSpace space{0};
  void send() { space.send(gpu); }
};

TEST_F(AddressSpaceTest, AllocationsAreWholePagesWithAGuardPageBehind) {
  const auto a = space.allocate(1, Owner::kDriver), b = space.allocate(kPageBytes + 1, Owner::kDriver);
  EXPECT_EQ(a->bytes(), kPageBytes);
  EXPECT_EQ(b->bytes(), 2 * kPageBytes);
  EXPECT_EQ(b->address(), a->address() + 2 * kPageBytes);
  send();
  EXPECT_TRUE(gpu.memory(0).mapped(a->address()));
  EXPECT_FALSE(gpu.memory(0).mapped(a->address() + kPageBytes));
}

TEST_F(AddressSpaceTest, AFreedRangeIsUsedAgainAndHoldsZeros) {
  auto a = space.allocate(kPageBytes, Owner::kDriver);
  const auto keep = space.allocate(kPageBytes, Owner::kDriver);
  const arch::Address address = a->address();
  const uint32_t value = 7;
  a->write(0, &value, sizeof value);
  send();
  a.reset();
  a = space.allocate(kPageBytes, Owner::kDriver);
  EXPECT_EQ(a->address(), address);
  send();
  EXPECT_EQ(gpu.memory(0).read_as<uint32_t>(address), 0u);
}

TEST_F(AddressSpaceTest, NeighbouringFreeRangesJoin) {
  std::unique_ptr<Allocation> part[4];
  for (auto& p : part) p = space.allocate(kPageBytes, Owner::kDriver);
  const arch::Address first = part[0]->address();
  part[0].reset(), part[2].reset(), part[1].reset();
  const auto joined =
      space.allocate(5 * kPageBytes, Owner::kDriver);  // three pages and their guards, minus one page
  EXPECT_EQ(joined->address(), first);
}

TEST_F(AddressSpaceTest, SendsOnlyTheBytesThatDiffer) {
  const auto a = space.allocate(4 * kPageBytes, Owner::kApplication);
  std::byte* view = a->map();
  send();
  EXPECT_TRUE(gpu.writes.empty());
  view[kPageBytes + 10] = std::byte{1};
  view[kPageBytes + 13] = std::byte{2};
  send();
  ASSERT_EQ(gpu.writes.size(), 1u);
  EXPECT_EQ(gpu.writes[0].address, a->address() + kPageBytes + 10);
  EXPECT_EQ(gpu.writes[0].bytes, 4u);
  send();
  EXPECT_EQ(gpu.writes.size(), 1u);
}

TEST_F(AddressSpaceTest, ARunOverAPageBoundaryIsOneWrite) {
  const auto a = space.allocate(2 * kPageBytes, Owner::kApplication);
  std::memset(a->map() + kPageBytes - 100, 1, 200);
  send();
  ASSERT_EQ(gpu.writes.size(), 1u);
  EXPECT_EQ(gpu.writes[0].bytes, 200u);
}

TEST_F(AddressSpaceTest, AnUnmappedRangeIsComparedOnceMore) {
  const auto a = space.allocate(kPageBytes, Owner::kApplication);
  std::byte* view = a->map();
  view[0] = std::byte{5};
  a->unmap();
  send();
  EXPECT_EQ(gpu.memory(0).read_as<uint8_t>(a->address()), 5);
}

TEST_F(AddressSpaceTest, PublishesOnlyTheBytesThatTheGpuChanged) {
  const auto a = space.allocate(kPageBytes, Owner::kApplication);
  std::byte* view = a->map();
  view[0] = view[1] = view[2] = std::byte{1};
  send();
  gpu.memory(0).note_changes();
  const std::byte nine{9};
  gpu.write(0, a->address() + 1, {&nine, 1});
  view[0] = std::byte{2}, view[2] = std::byte{3};  // the application continues meanwhile
  space.publish(gpu.memory(0));
  EXPECT_EQ(view[0], std::byte{2});
  EXPECT_EQ(view[1], std::byte{9});
  EXPECT_EQ(view[2], std::byte{3});
  send();
  EXPECT_EQ(gpu.memory(0).read_as<uint32_t>(a->address()), 0x00030902u);
}

TEST_F(AddressSpaceTest, AnnotationsKeepTheirPlace) {
  space.annotate("label", 1, {});
  EXPECT_TRUE(gpu.annotations.empty());
  send();
  EXPECT_EQ(gpu.annotations, std::vector<std::string>{"label"});
}

TEST_F(AddressSpaceTest, ATooLargeAllocationIsRefused) {
  EXPECT_THROW(space.allocate(1ull << 50, Owner::kApplication), std::bad_alloc);
}

}  // namespace
}  // namespace cutaway::host
