#include <gmock/gmock.h>
#include <thread>

#include "arch/memory.h"

namespace cutaway::arch::memory_bind_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Binding = Memory::Binding;

constexpr Address kTarget = 0x10000, kSparse = 0x100000, kHigh = 0x800000;

// Three pages of memory, and a sparse range of eight, of which pages 1 and 4 are bound to the first of the
// three.
class MemoryBind : public ::testing::Test {
 protected:
  MemoryBind() {
    memory_.map(kTarget, 3 * kPageBytes);
    memory_.write_as<uint32_t>(kTarget + 8, 1);
    memory_.bind(kSparse, 8 * kPageBytes, {});
    bind(1, 0), bind(4, 0);
  }
  void bind(uint64_t page, uint64_t target) {
    memory_.bind(kSparse + page * kPageBytes, kPageBytes, kTarget + target * kPageBytes);
  }
  static constexpr Address at(uint64_t page) { return kSparse + page * kPageBytes + 8; }
  uint32_t value(uint64_t page) const { return memory_.read_as<uint32_t>(at(page)); }
  Memory memory_;
};

TEST_F(MemoryBind, PagesAreTheSameMemory) {
  EXPECT_EQ(value(1), 1u);
  memory_.write_as<uint32_t>(at(4), 7);
  EXPECT_EQ(value(1), 7u);
  EXPECT_EQ(memory_.read_as<uint32_t>(kTarget + 8), 7u);
  EXPECT_EQ(memory_.page(kTarget), memory_.page(kSparse + kPageBytes));
  EXPECT_EQ(memory_.target_of(at(4)), kTarget + 8);
  EXPECT_EQ(memory_.target_of(kTarget + 8), kTarget + 8);
}

TEST_F(MemoryBind, UnboundPagesReadZerosAndDropWrites) {
  memory_.write_as<uint32_t>(at(0), 7);
  EXPECT_EQ(value(0), 0u);
  EXPECT_FALSE(memory_.mapped(kSparse));
  EXPECT_TRUE(memory_.sparse(kSparse));
  EXPECT_EQ(memory_.faults(), 0u);
  memory_.read_as<uint32_t>(kSparse - 8);
  EXPECT_EQ(memory_.faults(), 1u);
}

TEST_F(MemoryBind, FreshPagesAreSharedToo) {
  bind(2, 1), bind(3, 1);
  memory_.write_as<uint32_t>(at(2), 5);
  EXPECT_EQ(value(3), 5u);
  EXPECT_EQ(memory_.read_as<uint32_t>(kTarget + kPageBytes + 8), 5u);
}

TEST_F(MemoryBind, AnotherBindReplacesTheFirst) {
  memory_.write_as<uint32_t>(kTarget + 2 * kPageBytes + 8, 3);
  bind(1, 2);
  EXPECT_EQ(value(1), 3u);
  EXPECT_EQ(value(4), 1u);
  memory_.bind(kSparse + 4 * kPageBytes, kPageBytes, {});
  EXPECT_EQ(value(4), 0u);
  memory_.write_as<uint32_t>(kTarget + 8, 9);  // nothing is bound to it any more
  EXPECT_EQ(value(1), 3u);
  EXPECT_EQ(memory_.pages(), 4u);
}

TEST_F(MemoryBind, CopiesHaveBindingsOfTheirOwn) {
  Memory copy = memory_;
  EXPECT_EQ(copy.hash(), memory_.hash());
  memory_.write_as<uint32_t>(at(1), 7);
  EXPECT_EQ(copy.read_as<uint32_t>(at(4)), 1u);
  copy.write_as<uint32_t>(at(4), 8);
  EXPECT_EQ(copy.read_as<uint32_t>(kTarget + 8), 8u);
  EXPECT_EQ(value(4), 7u);
  copy.bind(kSparse, 8 * kPageBytes, {});
  EXPECT_EQ(value(1), 7u);
  const Memory moved = std::move(copy);
  EXPECT_TRUE(moved.sparse(at(1)));
  EXPECT_EQ(moved.read_as<uint32_t>(at(1)), 0u);
}

TEST_F(MemoryBind, UnmapOfMemoryLeavesPagesUnbound) {
  EXPECT_THAT(memory_.bound_to(kTarget, kPageBytes),
              ElementsAre(kSparse + kPageBytes, kSparse + 4 * kPageBytes));
  memory_.unmap(kTarget, kPageBytes);
  EXPECT_EQ(value(1), 0u);
  EXPECT_EQ(value(4), 0u);
  EXPECT_EQ(memory_.faults(), 0u);
  EXPECT_EQ(memory_.pages(), 2u);
}

TEST_F(MemoryBind, UnmapOfARangeLeavesTheMemory) {
  memory_.unmap(kSparse + kPageBytes, 4 * kPageBytes);
  EXPECT_EQ(memory_.read_as<uint32_t>(kTarget + 8), 1u);
  EXPECT_TRUE(memory_.sparse(kSparse));
  EXPECT_FALSE(memory_.sparse(at(1)));
  EXPECT_FALSE(memory_.sparse(at(4)));
  EXPECT_TRUE(memory_.sparse(at(5)));
  EXPECT_THAT(memory_.bindings(),
              ElementsAre(Binding{kSparse, kPageBytes}, Binding{kSparse + 5 * kPageBytes, 3 * kPageBytes}));
  memory_.map(kSparse, kPageBytes);  // memory of its own
  memory_.write_as<uint32_t>(at(0), 4);
  EXPECT_EQ(value(0), 4u);
}

TEST_F(MemoryBind, TellsBindingsInRuns) {
  bind(2, 1), bind(3, 2);
  memory_.bind(kSparse + 8 * kPageBytes, kPageBytes, {});
  EXPECT_THAT(memory_.bindings(), ElementsAre(Binding{kSparse, 9 * kPageBytes},
                                              Binding{kSparse + kPageBytes, 3 * kPageBytes, kTarget},
                                              Binding{kSparse + 4 * kPageBytes, kPageBytes, kTarget}));
}

TEST_F(MemoryBind, SaysWhyARangeCannotBeBound) {
  const auto error = [&](Address address, uint64_t bytes, std::optional<Address> target) {
    const char* text = memory_.bind_error(address, bytes, target);
    return std::string(text ? text : "");
  };
  EXPECT_EQ(error(kSparse, 3 * kPageBytes, kTarget), "");
  EXPECT_THAT(error(kSparse + 4, kPageBytes, {}), HasSubstr("whole pages"));
  EXPECT_THAT(error(kSparse, kPageBytes, kTarget + 4), HasSubstr("whole pages"));
  EXPECT_THAT(error(kSparse, 1ull << 40, {}), HasSubstr("whole pages"));
  EXPECT_THAT(error(kSparse, 4 * kPageBytes, kTarget), HasSubstr("not mapped"));
  EXPECT_THAT(error(kSparse, kPageBytes, kSparse + kPageBytes), HasSubstr("sparse range itself"));
  EXPECT_THAT(error(kTarget, kPageBytes, kTarget + kPageBytes), HasSubstr("memory of its own"));
  EXPECT_THAT(error(kTarget + 2 * kPageBytes, 2 * kPageBytes, {}), HasSubstr("memory of its own"));
}

TEST_F(MemoryBind, ChangesComeAtEachAddress) {
  memory_.note_changes();
  memory_.write_as<uint32_t>(at(4), 7);
  std::vector<Address> changed;
  for (const Memory::Change& change : memory_.changes()) {
    changed.push_back(change.address);
    EXPECT_EQ((*change.before)[8], std::byte{1});
  }
  EXPECT_THAT(changed,
              ::testing::UnorderedElementsAre(kTarget, kSparse + kPageBytes, kSparse + 4 * kPageBytes));
  bind(2, 0);
  memory_.note_changes();
  EXPECT_TRUE(memory_.changes().empty());
  memory_.write_as<uint32_t>(at(2), 9);
  EXPECT_EQ(memory_.changes().size(), 4u);
  EXPECT_EQ(value(1), 9u);
}

TEST_F(MemoryBind, HoldsSeeWritesAtOtherAddresses) {
  memory_.write_as<uint32_t>(kTarget + 8, 2);
  for (const Address written : {kTarget + 8, at(1), at(4)}) {
    const auto hold = memory_.hold(kSparse + kPageBytes, kPageBytes);
    ASSERT_TRUE(hold);
    EXPECT_TRUE(hold->is_current(memory_));
    memory_.write_as<uint32_t>(written, 7);
    EXPECT_FALSE(hold->is_current(memory_)) << written;
  }
  const auto hold = memory_.hold(kTarget, kPageBytes);
  bind(1, 2);
  EXPECT_TRUE(hold->is_current(memory_));
  bind(4, 1);
  EXPECT_TRUE(hold->is_current(memory_));
  EXPECT_FALSE(memory_.hold(kSparse, 2 * kPageBytes));  // its first page is not bound
}

TEST_F(MemoryBind, LiesWhereItsMemoryLies) {
  memory_.place(kTarget, kPageBytes, Placement::kSystem);
  EXPECT_EQ(memory_.placement(at(1)), Placement::kSystem);
  bind(6, 0);
  EXPECT_EQ(memory_.placement(at(6)), Placement::kSystem);
  memory_.place(kSparse, 8 * kPageBytes, Placement::kVideo);
  EXPECT_EQ(memory_.placement(kTarget), Placement::kVideo);
  memory_.write_as<uint32_t>(at(6), 5);
  EXPECT_EQ(value(1), 5u);
}

TEST_F(MemoryBind, FewPagesMayBeBoundToOne) {
  Memory memory;
  memory.map(kTarget, 2 * kPageBytes);
  const auto page = [](uint64_t number) { return kSparse + number * kPageBytes; };
  for (uint64_t i = 0; i < Memory::kMostBoundToPage; i++) memory.bind(page(i), kPageBytes, kTarget);
  EXPECT_STREQ(memory.bind_error(page(1000), kPageBytes, kTarget),
               "more than 256 pages are bound to one page of memory");
  EXPECT_NE(memory.bind_error(page(1000), 2 * kPageBytes, kTarget), nullptr);
  EXPECT_EQ(memory.bind_error(page(1000), kPageBytes, kTarget + kPageBytes), nullptr);
  EXPECT_EQ(memory.bind_error(page(7), kPageBytes, kTarget), nullptr);  // it replaces one
  memory.bind(page(7), kPageBytes, {});
  EXPECT_EQ(memory.bind_error(page(1000), kPageBytes, kTarget), nullptr);
}

TEST_F(MemoryBind, IsForgottenWhereTheLastRangeEnds) {
  EXPECT_TRUE(memory_.has_sparse());
  memory_.unmap(kSparse, 8 * kPageBytes);
  EXPECT_FALSE(memory_.has_sparse());
  EXPECT_EQ(memory_.read_as<uint32_t>(kTarget + 8), 1u);
  memory_.bind(kSparse, kPageBytes, kTarget);
  memory_.write_as<uint32_t>(kSparse, 3);
  EXPECT_EQ(memory_.read_as<uint32_t>(kTarget), 3u);
}

// The memory itself is compared, at its own address, which comes later.
TEST_F(MemoryBind, DifferencesLieAtTheAddressesOfTheMemory) {
  Memory left;
  left.map(kHigh, kPageBytes);
  left.bind(kSparse, 2 * kPageBytes, {});
  left.bind(kSparse, kPageBytes, kHigh);
  Memory right = left;
  right.write_as<uint8_t>(kSparse + 9, 1);
  Difference difference;
  ASSERT_TRUE(first_difference(left, right, difference));
  EXPECT_EQ(difference.address, kHigh + 9);
  ASSERT_TRUE(first_difference(right, left, difference));
  EXPECT_EQ(difference.address, kHigh + 9);
  right.bind(kSparse, kPageBytes, {});
  left.write_as<uint8_t>(kSparse + 9, 1);
  ASSERT_TRUE(first_difference(left, right, difference));
  EXPECT_EQ(difference.address, kSparse + 9);  // the two have different binds
}

TEST_F(MemoryBind, ThreadsMayWriteOnePageAtItsAddresses) {
  const Memory before = memory_;
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 3; t++)
    threads.emplace_back([this, t] {
      const Address start = t == 0 ? kTarget : kSparse + (t == 1 ? 1 : 4) * kPageBytes;
      for (uint64_t i = 0; i < 64; i++) memory_.write_as<uint64_t>(start + 64 + (i * 3 + t) * 8, i * 3 + t);
    });
  for (std::thread& thread : threads) thread.join();
  for (uint64_t i = 0; i < 192; i++) EXPECT_EQ(memory_.read_as<uint64_t>(kTarget + 64 + i * 8), i);
  EXPECT_EQ(before.read_as<uint64_t>(kTarget + 64 + 8), 0u);
}

}  // namespace
}  // namespace cutaway::arch::memory_bind_test
