#include "boxes/command_processor/scan_out.h"

#include <gtest/gtest.h>

#include "messages/testing/draws.h"

namespace cutaway::boxes::scan_out_test {
namespace {

const arch::Surface kPicture = messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 64, 64, 0x10000);
constexpr arch::Address kEnd = 0x10000 + 64 * 64 * 4;

TEST(ScanOut, IsTornByWritesToItsSurface) {
  ScanOut scan_out(1);
  EXPECT_FALSE(scan_out.torn_by(MemoryRange{0x10000, kEnd})) << "no picture is scanned out";
  scan_out.begin(kPicture, 0);
  EXPECT_TRUE(scan_out.torn_by(MemoryRange{kEnd - 1, kEnd}));
  EXPECT_FALSE(scan_out.torn_by(MemoryRange{kEnd, kEnd + 4}));
  EXPECT_FALSE(scan_out.torn_by(MemoryRange{0, 0x10000}));
  EXPECT_TRUE(scan_out.torn_by(MemoryUse{.read = {}, .written = {{0x10000, 0x10004}}, .bound = {}}));
  EXPECT_TRUE(scan_out.torn_by(MemoryUse{.read = {}, .written = {}, .bound = {{0x10000, 0x10004}}}));
  EXPECT_FALSE(scan_out.torn_by(MemoryUse{.read = {{0x10000, kEnd}}, .written = {}, .bound = {}}));
  scan_out.end(0);
  EXPECT_FALSE(scan_out.torn_by(MemoryRange{0x10000, kEnd}));
}

// By the addresses of the program that writes: it has the bytes of its own part of memory alone.
TEST(ScanOut, IsTornByWritesToAPictureThatIsHeld) {
  for (const arch::ContextId context : {0u, 1u}) {
    ScanOut scan_out(1);
    arch::Surface surface = kPicture;
    surface.address = arch::place_in(context, kPicture.address);
    scan_out.held.push({.context = context, .surface = surface, .origin = {}});
    EXPECT_TRUE(scan_out.held.holds(context));
    EXPECT_FALSE(scan_out.held.holds(context + 1));
    for (const arch::ContextId bound : {0u, 1u}) {
      scan_out.bind(arch::context_base(bound));
      EXPECT_EQ(scan_out.torn_by(MemoryRange{kEnd - 1, kEnd}), bound == context) << context << bound;
      EXPECT_FALSE(scan_out.torn_by(MemoryRange{kEnd, kEnd + 4}));
    }
    scan_out.held.pop();
    EXPECT_FALSE(scan_out.held.any());
  }
}

TEST(ScanOut, IsActiveFromTheRequestOn) {
  ScanOut scan_out(1);
  EXPECT_FALSE(scan_out.active());
  scan_out.request(kPicture);
  EXPECT_TRUE(scan_out.active());
  EXPECT_TRUE(scan_out.is_requested());
  EXPECT_EQ(scan_out.requested().address, 0x10000u);
  scan_out.begin(scan_out.requested(), 0);
  EXPECT_FALSE(scan_out.is_requested());
  EXPECT_TRUE(scan_out.active());
  scan_out.end(0);
  EXPECT_FALSE(scan_out.active());
}

TEST(ScanOut, EndsAPictureThatIsLeftOutBehindAnotherOne) {
  ScanOut scan_out(3);
  for (const arch::Address address : {0x10000u, 0x40000u, 0x80000u})
    scan_out.begin(messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 64, 64, address), 0);
  EXPECT_EQ(scan_out.next_number(), 3u);
  scan_out.end(1);
  EXPECT_TRUE(scan_out.torn_by(MemoryRange{0x10000, 0x10004}));
  EXPECT_FALSE(scan_out.torn_by(MemoryRange{0x40000, 0x40004}));
  EXPECT_TRUE(scan_out.torn_by(MemoryRange{0x80000, 0x80004}));
  scan_out.end(0), scan_out.end(2);
  EXPECT_FALSE(scan_out.active());
}

TEST(ScanOut, HoldsSeveralPicturesTheOldestOfWhichEndsFirst) {
  ScanOut scan_out(2);
  const arch::Surface other = messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 64, 64, 0x40000);
  scan_out.begin(kPicture, 7);
  EXPECT_FALSE(scan_out.full());
  scan_out.begin(other, 8);
  EXPECT_TRUE(scan_out.full());
  EXPECT_TRUE(scan_out.torn_by(MemoryRange{0x10000, 0x10004}));
  EXPECT_TRUE(scan_out.torn_by(MemoryRange{0x40000, 0x40004}));
  EXPECT_EQ(scan_out.piece(), 7u);
  scan_out.end(0);
  EXPECT_EQ(scan_out.piece(), 8u);
  EXPECT_FALSE(scan_out.torn_by(MemoryRange{0x10000, 0x10004}));
  EXPECT_TRUE(scan_out.torn_by(MemoryRange{0x40000, 0x40004}));
  EXPECT_FALSE(scan_out.full());
  EXPECT_TRUE(scan_out.active());
}

}  // namespace
}  // namespace cutaway::boxes::scan_out_test
