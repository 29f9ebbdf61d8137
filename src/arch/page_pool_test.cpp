#include "arch/page_pool.h"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <iterator>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace cutaway::arch {
namespace {

TEST(PagePool, BlocksAreAlignedAndApart) {
  std::set<uintptr_t> places;
  std::vector<void*> blocks;
  for (int i = 0; i < 2000; i++) {  // more than a chunk
    void* const block = take_block();
    std::memset(block, i, kBlockBytes);
    const auto place = reinterpret_cast<uintptr_t>(block);
    EXPECT_EQ(place % kBlockAlignment, 0u);
    const auto next = places.lower_bound(place);
    EXPECT_TRUE(next == places.end() || *next - place >= kBlockBytes);
    EXPECT_TRUE(next == places.begin() || place - *std::prev(next) >= kBlockBytes);
    places.insert(place);
    blocks.push_back(block);
  }
  for (void* block : blocks) give_block(block);
}

// A process that is forked while other threads take blocks can take some.
TEST(PagePool, ForkedProcessesTakeBlocks) {
  std::atomic<bool> ends = false;
  std::thread other([&] {
    while (!ends) give_block(take_block());
  });
  for (int round = 0; round < 50; round++) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      give_block(take_block());
      _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << "round " << round;
  }
  ends = true;
  other.join();
}

// All go back to the system with the last one.
TEST(PagePool, BlocksAreTakenAnewAfterTheLastWasGivenBack) {
  for (int round = 0; round < 3; round++) {
    std::vector<void*> blocks;
    for (int i = 0; i < 1200; i++) blocks.push_back(std::memset(take_block(), round, kBlockBytes));
    for (void* block : blocks) {
      EXPECT_EQ(static_cast<unsigned char*>(block)[kBlockBytes - 1], round);
      give_block(block);
    }
  }
}

TEST(PagePool, ThreadsShareNoBlock) {
  const auto work = [](unsigned char value) {
    for (int round = 0; round < 200; round++) {
      unsigned char* block[8];
      for (auto& b : block) {
        b = static_cast<unsigned char*>(take_block());
        std::memset(b, value, kBlockBytes);
      }
      for (unsigned char* b : block) {
        EXPECT_TRUE(b[0] == value && b[kBlockBytes / 2] == value && b[kBlockBytes - 1] == value);
        give_block(b);
      }
    }
  };
  std::thread other(work, 1);
  work(2);
  other.join();
}

}  // namespace
}  // namespace cutaway::arch
