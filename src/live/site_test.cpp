#include "live/site.h"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace cutaway::live {
namespace {

struct Refusal : testing::Test {
  LiveControl control;
  const Site site{.token = "0123abcd", .page = "", .control = control, .state = {}, .on_read = {}};
  int of(const char* method, const char* path, const char* host = "127.0.0.1:8080", const char* origin = "",
         int port = 8080) {
    return refusal(site, port, method, path, host, origin);
  }
};

TEST_F(Refusal, NeedsTheTokenAsTheFirstPartOfThePath) {
  for (const char* path : {"/0123abcd/", "/0123abcd/state", "/0123abcd/else"})
    EXPECT_EQ(of("GET", path), 0) << path;
  for (const char* path : {"", "/", "/state", "/0123abcd", "/0123abc/", "/0123abcde/", "/0123abce/",
                           "/x/0123abcd/", "//0123abcd/", "0123abcd/", "x0123abcd/"})
    EXPECT_EQ(of("GET", path), 404) << path;
}

TEST_F(Refusal, NeedsAHostOfThisMachine) {
  const char* const path = "/0123abcd/";
  for (const char* host : {"127.0.0.1:8080", "localhost:8080", "LocalHost:8080"})
    EXPECT_EQ(of("GET", path, host), 0);
  for (const char* host : {"", "127.0.0.1", "localhost", "127.0.0.1:80801", "127.0.0.1:808",
                           "example.org:8080", "127.0.0.1:8080.example.org", "[::1]:8080", "127.0.0.1:8080 "})
    EXPECT_EQ(of("GET", path, host), 403) << host;
  // HTTP's default port may be omitted from the host.
  EXPECT_EQ(of("GET", path, "localhost", "", 80), 0);
  EXPECT_EQ(of("GET", path, "example.org", "", 80), 403);
  // A wrong host is rejected before the token is checked.
  EXPECT_EQ(of("GET", "/", "example.org:8080"), 403);
}

TEST_F(Refusal, TakesOrdersOnlyFromItsOwnPage) {
  const char *const path = "/0123abcd/pause", *const host = "127.0.0.1:8080";
  EXPECT_EQ(of("POST", path, host, "http://127.0.0.1:8080"), 0);
  for (const char* origin : {"", "null", "http://localhost:8080", "https://127.0.0.1:8080",
                             "http://127.0.0.1:808", "http://127.0.0.1:80800", "http://example.org"})
    EXPECT_EQ(of("POST", path, host, origin), 403) << origin;
  for (const char* method : {"PUT", "DELETE", "OPTIONS", "PATCH", "post"})
    EXPECT_EQ(of(method, path, host, "http://127.0.0.1:8080"), 405) << method;
}

// Frames that stay are held while others change; places are used again.
TEST(FramesOnClock, HoldsTheFramesThatWereSetLast) {
  FramesOnClock frames;
  EXPECT_FALSE(frames.holds(1));
  const auto set = [&](std::vector<uint64_t> now) { frames.set(now); };
  set({1, 2, 3});
  set({2, 3, 4});
  EXPECT_FALSE(frames.holds(1));
  for (const uint64_t frame : {2, 3, 4}) EXPECT_TRUE(frames.holds(frame)) << frame;
  for (uint64_t first = 1; first < 5000; first += FramesOnClock::kMost) {
    std::vector<uint64_t> many(FramesOnClock::kMost);
    std::iota(many.begin(), many.end(), first);
    frames.set(many);
    EXPECT_TRUE(frames.holds(first) && frames.holds(many.back()) && !frames.holds(many.back() + 1));
  }
  set({});
  EXPECT_FALSE(frames.holds(4097));
}

}  // namespace
}  // namespace cutaway::live
