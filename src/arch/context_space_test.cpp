#include "arch/context_space.h"

#include <gtest/gtest.h>

namespace cutaway::arch::context_space_test {
namespace {

Memory program(uint32_t word) {
  Memory memory;
  memory.map(0x1000, 2 * kPageBytes);
  memory.map(Address{1} << 30, kPageBytes);
  memory.write_as(0x1ffc, word);
  memory.write_as((Address{1} << 30) + 8, word + 1);
  memory.place(0x2000, kPageBytes, Placement::kSystem);
  return memory;
}

TEST(ContextSpace, PartsComeBackAsTheyWere) {
  const Memory first = program(7), second = program(70);
  Memory all = first;
  put_context(all, 3, second);
  EXPECT_EQ(all.pages(), 6u);
  EXPECT_EQ(take_context(all, 0).hash(), first.hash());
  EXPECT_EQ(take_context(all, 3).hash(), second.hash());
  EXPECT_EQ(take_context(all, 3).placement(0x2000), Placement::kSystem);
  EXPECT_EQ(take_context(all, 3).placement(0x1000), Placement::kVideo);
  EXPECT_EQ(take_context(all, 1).pages(), 0u);
}

TEST(ContextSpace, PartsKeepWhatIsBound) {
  Memory first = program(7);
  first.bind(0x10000, 4 * kPageBytes, {});
  first.bind(0x11000, kPageBytes, 0x1000);
  Memory all;
  put_context(all, 2, first);
  const Address base = context_base(2);
  all.write_as(base + 0x11004, 5);
  EXPECT_EQ(all.read_as<int>(base + 0x1004), 5);
  const Memory back = take_context(all, 2);
  EXPECT_EQ(back.bindings(), first.bindings());
  EXPECT_EQ(back.read_as<int>(0x11004), 5);
}

TEST(ContextSpace, PagesOfAnotherPartComeWithTheirBytes) {
  Memory all;
  put_context(all, 0, program(7));
  put_context(all, 1, program(8));
  const Address window = context_base(0) + 0x10000, picture = context_base(1) + 0x1000;
  all.bind(window, 3 * kPageBytes, {});
  all.bind(window + kPageBytes, kPageBytes, picture);
  all.write_as(picture + 4, 5);
  EXPECT_EQ(all.read_as<int>(window + kPageBytes + 4), 5);
  Memory part = take_context(all, 0);
  EXPECT_EQ(part.read_as<int>(0x11004), 5);
  EXPECT_FALSE(part.sparse(0x11000));
  EXPECT_TRUE(part.sparse(0x10000) && part.sparse(0x12000));
  part.write_as(0x11004, 6);
  EXPECT_EQ(all.read_as<int>(picture + 4), 5);
}

TEST(ContextSpace, TellsWhatLiesBeyondAPart) {
  constexpr Address kEnd = kContextBytes - kPageBytes;
  Memory memory = program(7);
  EXPECT_EQ(beyond_context(memory), std::nullopt);
  memory.map(kEnd - kPageBytes, kPageBytes);
  EXPECT_EQ(beyond_context(memory), std::nullopt);
  memory.bind(kContextBytes + kPageBytes, kPageBytes, {});
  EXPECT_EQ(beyond_context(memory), kContextBytes + kPageBytes);
  memory.bind(kEnd, kPageBytes, {});
  EXPECT_EQ(beyond_context(memory), kEnd);
  Memory pages;
  pages.map(kEnd, kPageBytes);
  EXPECT_EQ(beyond_context(pages), kEnd);
}

TEST(ContextSpace, WritesStayInTheirPart) {
  Memory all;
  put_context(all, 0, program(7));
  put_context(all, 1, program(7));
  all.write_as(context_base(1) + 0x1004, 99);
  EXPECT_EQ(take_context(all, 0).hash(), program(7).hash());
  EXPECT_EQ(take_context(all, 1).read_as<int>(0x1004), 99);
}

TEST(ContextSpace, AddressesTellTheirContext) {
  EXPECT_EQ(context_of(context_base(2)), 2u);
  EXPECT_EQ(context_of(context_base(2) - 1), 1u);
  EXPECT_EQ(context_of((Address{1} << kAddressBits) - 1), kMostContexts - 1);
}

}  // namespace
}  // namespace cutaway::arch::context_space_test
