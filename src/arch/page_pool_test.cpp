#include "arch/page_pool.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <iterator>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace cutaway::arch {
namespace {

TEST(PagePool, PagesAreAlignedAndApart) {
  std::set<uintptr_t> places;
  std::vector<Page*> pages;
  for (unsigned i = 0; i < 2000; i++) {  // more than a chunk
    Page* const page = take_page();
    page->fill(std::byte(i));
    users_of(page) = i;
    const auto place = reinterpret_cast<uintptr_t>(page);
    EXPECT_EQ(place % 64, 0u);
    const auto next = places.lower_bound(place);
    EXPECT_TRUE(next == places.end() || *next - place >= kPageBytes);
    EXPECT_TRUE(next == places.begin() || place - *std::prev(next) >= kPageBytes);
    places.insert(place);
    pages.push_back(page);
  }
  for (unsigned i = 0; i < pages.size(); i++) {
    EXPECT_EQ(users_of(pages[i]), i);
    EXPECT_TRUE(std::all_of(pages[i]->begin(), pages[i]->end(),
                            [&](std::byte byte) { return byte == std::byte(i); }));
    give_page(pages[i]);
  }
}

TEST(PagePool, APageThatIsTakenHasOneUser) {
  Page* page = take_page();
  Page* const other = take_page();  // a page stays, so the first one is not cleared by the system
  EXPECT_EQ(users_of(page), 1u);
  users_of(page) = 7;
  give_page(page);
  page = take_page();
  EXPECT_EQ(users_of(page), 1u);
  give_page(page);
  give_page(other);
}

// Who counts users writes to no page of the system in which pages lie.
TEST(PagePool, UsersLieApartFromPages) {
  std::vector<Page*> pages;
  std::set<uintptr_t> counted, used;
  for (int i = 0; i < 600; i++) {
    pages.push_back(take_page());
    counted.insert(reinterpret_cast<uintptr_t>(&users_of(pages.back())) / kPageBytes);
    used.insert(reinterpret_cast<uintptr_t>(pages.back()) / kPageBytes);
  }
  for (Page* page : pages) give_page(page);
  if (counted.size() >= pages.size() / 2) GTEST_SKIP() << "each page is allocated by itself for a sanitizer";
  EXPECT_LE(counted.size(), 3u);
  for (const uintptr_t page : counted) EXPECT_EQ(used.count(page), 0u);
}

// A process that is forked while other threads take pages can take some.
TEST(PagePool, ForkedProcessesTakePages) {
  std::atomic<bool> ends = false;
  std::thread other([&] {
    while (!ends) give_page(take_page());
  });
  for (int round = 0; round < 50; round++) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      give_page(take_page());
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
TEST(PagePool, PagesAreTakenAnewAfterTheLastWasGivenBack) {
  for (int round = 0; round < 3; round++) {
    std::vector<Page*> pages;
    for (int i = 0; i < 1200; i++) {
      pages.push_back(take_page());
      pages.back()->fill(std::byte(round));
    }
    for (Page* page : pages) {
      EXPECT_EQ(page->back(), std::byte(round));
      give_page(page);
    }
  }
}

TEST(PagePool, ThreadsShareNoPage) {
  const auto work = [](std::byte value) {
    for (int round = 0; round < 200; round++) {
      std::array<Page*, 8> pages;
      for (Page*& page : pages) {
        page = take_page();
        page->fill(value);
      }
      for (Page* page : pages) {
        EXPECT_TRUE(page->front() == value && (*page)[kPageBytes / 2] == value && page->back() == value);
        give_page(page);
      }
    }
  };
  std::thread other(work, std::byte{1});
  work(std::byte{2});
  other.join();
}

}  // namespace
}  // namespace cutaway::arch
