#include "host/write_tracker.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <vector>

namespace cutaway::host {
namespace {

constexpr uint64_t kPage = 4096, kPages = 300;

struct WriteTrackerTest : ::testing::Test {
  WriteTrackerTest() { tracker.watch(memory, kPages * kPage); }
  ~WriteTrackerTest() override { munmap(memory, kPages * kPage); }

  std::vector<bool> take() {
    std::vector<bool> written(kPages);
    uint64_t last = 0;
    tracker.take(memory, kPages * kPage, [&](uint64_t begin, uint64_t end) {
      EXPECT_LE(last, begin);
      EXPECT_LT(begin, end);
      for (uint64_t page = begin / kPage; page < end / kPage; page++) written[page] = true;
      last = end;
    });
    return written;
  }

  WriteTracker tracker;
  std::byte* memory = static_cast<std::byte*>(
      mmap(nullptr, kPages* kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
};

TEST_F(WriteTrackerTest, WrittenPagesAreAmongThoseTold) {
  for (const uint64_t page : {uint64_t{0}, uint64_t{7}, kPages - 1}) memory[page * kPage + 5] = std::byte{1};
  const auto written = take();
  EXPECT_TRUE(written[0] && written[7] && written[kPages - 1]);
}

TEST_F(WriteTrackerTest, TellsEachWriteOnce) {
  if (!tracker.works()) GTEST_SKIP() << "the kernel does not tell";
  for (uint64_t page = 0; page < kPages; page++) memory[page * kPage] = std::byte{1};
  take();
  EXPECT_EQ(take(), std::vector<bool>(kPages));
  for (uint64_t page = 0; page < kPages; page += 2) memory[page * kPage] = std::byte{2};
  const auto written = take();
  for (uint64_t page = 0; page < kPages; page++) EXPECT_EQ(written[page], page % 2 == 0) << page;
  EXPECT_EQ(take(), std::vector<bool>(kPages));
}

TEST_F(WriteTrackerTest, ARangeThatIsNotWatchedCountsAsWritten) {
  WriteTracker other;
  uint64_t told = 0;
  for (int i = 0; i < 2; i++) other.take(memory, 0, [&](uint64_t, uint64_t) { told++; });
  EXPECT_EQ(told, 0u);
  auto* free = static_cast<std::byte*>(
      mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  free[0] = std::byte{1};
  for (int i = 0; i < 2; i++)
    other.take(free, kPage, [&](uint64_t begin, uint64_t end) { told += end - begin; });
  EXPECT_EQ(told, 2 * kPage);
  munmap(free, kPage);
}

}  // namespace
}  // namespace cutaway::host
