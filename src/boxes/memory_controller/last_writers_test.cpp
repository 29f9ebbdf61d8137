#include "boxes/memory_controller/last_writers.h"

#include <gtest/gtest.h>

#include "boxes/memory_controller/bench_for_test.h"

namespace cutaway::boxes::last_writers_test {
namespace {

using namespace memory_bench;

constexpr messages::Origin kFirst{.submission = 1, .draw = 2, .primitive = 3},
    kSecond{.submission = 1, .draw = 5, .primitive = 7};

MemoryRequest written(arch::Address address, const messages::Origin& origin) {
  MemoryRequest request = write(address, 7);
  request.origin = origin;
  return request;
}

TEST(LastWriters, KnowTheLastWriteOfASectorOfAWatchedPage) {
  LastWriters writers;
  writers.note_write(written(0x1040, kFirst), 1);
  EXPECT_TRUE(writers.writes().empty()) << "nothing is watched yet";
  writers.watch(0x1234);
  writers.note_write(written(0x1040, kFirst), 1);
  writers.note_write(written(0x1040, kSecond), 4);
  writers.note_write(written(0x1080, kFirst), 1);
  writers.note_write(written(0x2040, kFirst), 1);
  writers.note_write(read(0x10c0), 1);
  ASSERT_EQ(writers.writes().size(), 2u);
  EXPECT_EQ(writers.writes().at(0x1040).client, 4u);
  EXPECT_EQ(writers.writes().at(0x1040).origin, kSecond);
  EXPECT_EQ(writers.writes().at(0x1080).client, 1u);
}

TEST(LastWriters, ACompressedWriteSetsItsBlock) {
  LastWriters writers;
  writers.watch(0x1000);
  MemoryRequest request = written(0x1540, kFirst);
  request.packed = 2;
  writers.note_write(request, 3);
  EXPECT_EQ(writers.writes().size(), 4u);
  for (const arch::Address sector : {0x1500, 0x1540, 0x1580, 0x15c0})
    EXPECT_EQ(writers.writes().at(sector).client, 3u) << sector;
}

TEST(LastWriters, AClearSetsTheWatchedSectorsOfItsRun) {
  LastWriters writers;
  writers.watch(0x1000);
  writers.note_clear({0x1f00, 0x400}, kSecond, 2);
  EXPECT_EQ(writers.writes().size(), 4u);
  for (const arch::Address sector : {0x1f00, 0x1f40, 0x1f80, 0x1fc0}) {
    EXPECT_EQ(writers.writes().at(sector).client, 2u) << sector;
    EXPECT_EQ(writers.writes().at(sector).origin, kSecond);
  }
}

}  // namespace
}  // namespace cutaway::boxes::last_writers_test
