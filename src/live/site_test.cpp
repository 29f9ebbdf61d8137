#include "live/site.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace cutaway::live
