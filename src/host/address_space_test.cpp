#include "host/address_space.h"

#include <cstring>
#include <gtest/gtest.h>
#include <memory>

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

TEST_F(AddressSpaceTest, SparseRangesLieApartAndAreBoundToAllocations) {
  const auto first = space.allocate(kPageBytes, Owner::kApplication);
  auto range = space.reserve(3 * kPageBytes);
  const auto behind = space.allocate(kPageBytes, Owner::kDriver);
  const arch::Address start = range->address();
  EXPECT_EQ(start % SparseRange::kAlignment, 0u);
  EXPECT_EQ(range->bytes(), SparseRange::kAlignment);
  EXPECT_TRUE(behind->address() < start || behind->address() >= start + range->bytes());
  send();
  const arch::Memory& memory = gpu.memory(0);
  EXPECT_TRUE(memory.sparse(start));
  EXPECT_FALSE(memory.mapped(start));
  space.bind(start + kPageBytes, kPageBytes, first->address());
  std::memset(first->map(), 7, 1);
  send();
  EXPECT_EQ(memory.read_as<uint8_t>(start + kPageBytes), 7);
  // The memory's view gets what the GPU writes to the range.
  memory.note_changes();
  const uint8_t eight = 8;
  gpu.write(0, start + kPageBytes + 5, std::as_bytes(std::span(&eight, 1)));
  space.publish(memory, 1);
  EXPECT_EQ(first->map()[5], std::byte{8});
  range.reset();
  send();
  EXPECT_FALSE(memory.sparse(start));
  EXPECT_EQ(memory.read_as<uint8_t>(first->address()), 7);
  EXPECT_EQ(space.reserve(1)->address(), start);
}

TEST_F(AddressSpaceTest, SparseRangesLieWhereTheyAreAskedFor) {
  constexpr uint64_t kPart = uint64_t{1} << 32, kStep = SparseRange::kAlignment;
  const auto high = space.reserve(kPart, {.from = kPart});
  EXPECT_EQ(high->address(), kPart);
  EXPECT_EQ(space.reserve(1, {.from = kPart})->address(), 2 * kPart);
  EXPECT_LT(space.reserve(1)->address(), kPart);
  const auto last = space.reserve(kStep, {.end = kPart});
  EXPECT_EQ(last->address() % kStep, 0u);
  EXPECT_GE(last->address(), kPart - 3 * kStep);
  EXPECT_LE(last->address(), kPart - kStep);
  const auto exact = space.reserve(3 * kStep, {.at = 16 * kStep});
  EXPECT_EQ(exact->address(), 16 * kStep);
  EXPECT_THROW(space.reserve(1, {.at = 18 * kStep}), std::bad_alloc);
  EXPECT_THROW(space.reserve(1, {.at = 20 * kStep + kPageBytes}), std::bad_alloc);
  EXPECT_EQ(space.reserve(1, {.at = 19 * kStep})->address(), 19 * kStep);
}

TEST_F(AddressSpaceTest, AllocationsLieInTheMemoryAskedFor) {
  const auto video = space.allocate(4 * kPageBytes, Owner::kDriver);
  const auto system = space.allocate(kPageBytes, Owner::kDriver, {.memory = arch::Placement::kSystem});
  // The range holds one whole page.
  space.place(video->address() + 100, 2 * kPageBytes, arch::Placement::kSystem);
  send();
  const arch::Memory& memory = gpu.memory(0);
  EXPECT_EQ(memory.placement(system->address()), arch::Placement::kSystem);
  EXPECT_EQ(memory.placement(video->address()), arch::Placement::kVideo);
  EXPECT_EQ(memory.placement(video->address() + kPageBytes), arch::Placement::kSystem);
  EXPECT_EQ(memory.placement(video->address() + 2 * kPageBytes), arch::Placement::kVideo);
  // Writes and copies leave pages where they are.
  const uint32_t value = 7;
  system->write(0, &value, sizeof value);
  const arch::Memory copy = memory;
  send();
  EXPECT_EQ(gpu.memory(0).read_as<uint32_t>(system->address()), 7u);
  EXPECT_EQ(gpu.memory(0).placement(system->address()), arch::Placement::kSystem);
  EXPECT_EQ(copy.placement(system->address()), arch::Placement::kSystem);
  EXPECT_EQ(copy.read_as<uint32_t>(system->address()), 0u);
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

TEST_F(AddressSpaceTest, APlaceIsTakenWhereItIsFree) {
  constexpr arch::Address kPlace = 64 << 20;
  auto a = space.allocate(3 * kPageBytes, Owner::kDriver, {.at = kPlace});
  EXPECT_EQ(a->address(), kPlace);
  // Its last page, the guard page behind it, and its first page from below.
  EXPECT_THROW(space.allocate(1, Owner::kDriver, {.at = kPlace + 2 * kPageBytes}), std::bad_alloc);
  EXPECT_THROW(space.allocate(1, Owner::kDriver, {.at = kPlace + 3 * kPageBytes}), std::bad_alloc);
  EXPECT_THROW(space.allocate(2 * kPageBytes, Owner::kDriver, {.at = kPlace - 2 * kPageBytes}),
               std::bad_alloc);
  const auto before = space.allocate(kPageBytes, Owner::kDriver, {.at = kPlace - 2 * kPageBytes});
  const auto behind = space.allocate(1, Owner::kDriver, {.at = kPlace + 4 * kPageBytes});
  EXPECT_EQ(before->address(), kPlace - 2 * kPageBytes);
  EXPECT_EQ(behind->address(), kPlace + 4 * kPageBytes);
  a.reset();
  a = space.allocate(3 * kPageBytes, Owner::kDriver, {.at = kPlace});
  EXPECT_EQ(a->address(), kPlace);
  // No page, no room, not in the address space.
  EXPECT_THROW(space.allocate(1, Owner::kDriver, {.at = kPlace + 8 * kPageBytes + 1}), std::bad_alloc);
  EXPECT_THROW(space.allocate(1, Owner::kDriver, {.at = kPageBytes}), std::bad_alloc);
  EXPECT_THROW(space.allocate(1, Owner::kDriver, {.at = (arch::Address{1} << arch::kAddressBits)}),
               std::bad_alloc);
  EXPECT_THROW(space.allocate(1, Owner::kDriver, {.at = ~arch::Address{0} / kPageBytes * kPageBytes}),
               std::bad_alloc);
}

TEST_F(AddressSpaceTest, TheHighestPlaceEndsWithItsGuardPage) {
  constexpr arch::Address kEnd = 64 << 20;
  auto a = space.allocate(3 * kPageBytes, Owner::kDriver, {.end = kEnd});
  const auto b = space.allocate(1, Owner::kDriver, {.end = kEnd});
  EXPECT_EQ(a->address(), kEnd - 4 * kPageBytes);
  EXPECT_EQ(b->address(), kEnd - 6 * kPageBytes);
  a.reset();
  const auto c = space.allocate(4 * kPageBytes, Owner::kDriver, {.end = kEnd});
  EXPECT_EQ(c->address(), kEnd - 11 * kPageBytes);  // the hole is too small
  EXPECT_THROW(space.allocate(1, Owner::kDriver, {.end = kPageBytes}), std::bad_alloc);
  EXPECT_LT(space.allocate(1, Owner::kDriver)->address(), kEnd / 2);
}

TEST_F(AddressSpaceTest, ImportedMemoryIsSentAndPublishedInPlace) {
  std::vector<std::byte> own(3 * kPageBytes);
  void* start = own.data();
  size_t room = own.size();
  auto* const view = static_cast<std::byte*>(std::align(kPageBytes, 2 * kPageBytes, start, room));
  view[kPageBytes + 5] = std::byte{7};
  auto a = space.import(view, 2 * kPageBytes);
  EXPECT_EQ(a->map(), view);
  send();
  EXPECT_EQ(gpu.memory(0).read_as<uint8_t>(a->address() + kPageBytes + 5), 7);
  a->unmap();
  view[3] = std::byte{9};  // it is written at any time
  send();
  EXPECT_EQ(gpu.memory(0).read_as<uint8_t>(a->address() + 3), 9);
  a.reset();
  EXPECT_EQ(view[3], std::byte{9});  // the application's still
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
  space.publish(gpu.memory(0), 1);
  EXPECT_EQ(view[0], std::byte{2});
  EXPECT_EQ(view[1], std::byte{9});
  EXPECT_EQ(view[2], std::byte{3});
  send();
  EXPECT_EQ(gpu.memory(0).read_as<uint32_t>(a->address()), 0x00030902u);
}

// A view that nobody has mapped gets what the GPU has changed when somebody maps it. Until then the old bytes
// of the view are no changes of the host.
TEST_F(AddressSpaceTest, AViewOutOfUseCatchesUpWhenItIsMapped) {
  const auto a = space.allocate(3 * kPageBytes, Owner::kApplication);
  a->map()[0] = std::byte{1};
  a->unmap();
  send();
  const size_t sent = gpu.writes.size();
  for (const uint8_t value : {5, 6}) {
    gpu.memory(0).note_changes();
    const std::byte byte{value};
    gpu.write(0, a->address() + kPageBytes + value, {&byte, 1});
    space.publish(gpu.memory(0), value);
    send();
  }
  EXPECT_EQ(gpu.writes.size(), sent + 2) << "the GPU's own two";
  gpu.memory(0).note_changes();
  const std::byte late{7};
  gpu.write(0, a->address() + kPageBytes + 7, {&late, 1});  // not published yet
  const std::byte* view = a->map();
  EXPECT_EQ(view[0], std::byte{1});
  EXPECT_EQ(view[kPageBytes + 5], std::byte{5});
  EXPECT_EQ(view[kPageBytes + 6], std::byte{6});
  EXPECT_EQ(view[kPageBytes + 7], std::byte{0});
  space.publish(gpu.memory(0), 8);
  EXPECT_EQ(view[kPageBytes + 7], std::byte{7});
}

TEST_F(AddressSpaceTest, TheDriverReadsAndWritesWhatTheGpuHasChanged) {
  for (const bool writes : {false, true}) {
    const auto a = space.allocate(kPageBytes, Owner::kDriver);
    send();
    gpu.memory(0).note_changes();
    const std::byte nine{9};
    gpu.write(0, a->address() + 1, {&nine, 1});
    space.publish(gpu.memory(0), 1);
    const uint8_t three = 3;
    if (writes) a->write(2, &three, 1);
    uint8_t read[3];
    a->read(0, read, 3);
    EXPECT_EQ(read[1], 9);
    EXPECT_EQ(read[2], writes ? 3 : 0);
    send();
    EXPECT_EQ(gpu.memory(0).read_as<uint32_t>(a->address()), writes ? 0x00030900u : 0x00000900u);
  }
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
