#pragma once

#include <gtest/gtest.h>
#include <string>

#include "func/shader/micro_op.h"

// Runs tests with the translation of each path.
namespace cutaway::func {

inline constexpr AluPath kAluPaths[] = {AluPath::kPortable, AluPath::kAvx2, AluPath::kAvx512};

inline std::string path_name(AluPath path) {
  return path == AluPath::kAvx512 ? "Avx512" : path == AluPath::kAvx2 ? "Avx2" : "Portable";
}

// A suite whose parameter is the path.
#define CUTAWAY_ALL_PATHS(suite)                                         \
  INSTANTIATE_TEST_SUITE_P(Paths, suite, ::testing::ValuesIn(kAluPaths), \
                           [](const auto& path) { return path_name(path.param); })

}  // namespace cutaway::func
