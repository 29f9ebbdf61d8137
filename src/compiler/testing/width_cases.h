#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "compiler/testing/run_text.h"

// For tests: instructions with operands of several widths, and the words that they compute.
namespace cutaway::compiler::width_test {

struct Case {
  const char* name;
  std::string type;  // of %r, the result
  std::string body;  // computes %r
  std::string globals;
  std::vector<uint32_t> expected;  // words of each invocation
};

// %x0: -1000, %x1: 3, %x2: 0x12345678, %x3: 1 where the invocation is odd, 0 where it is even.
inline std::vector<uint32_t> input() {
  std::vector<uint32_t> in;
  for (uint32_t lane = 0; lane < 4; ++lane) in.insert(in.end(), {0u - 1000, 3, 0x12345678, lane % 2});
  return in;
}

inline void check(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    TextModule module;
    uint32_t words = 0;
    const std::string store = stored(one.type, "%r", words);
    module.results = words;
    module.globals = one.globals;
    module.body = one.body + "\n" + store;
    std::vector<uint32_t> expected;
    for (uint32_t lane = 0; lane < 4; ++lane)
      expected.insert(expected.end(), one.expected.begin(), one.expected.end());
    EXPECT_THAT(module.run(input()), testing::ElementsAreArray(expected));
  }
}

}  // namespace cutaway::compiler::width_test
