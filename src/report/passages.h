#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/timeline.h"

// How messages follow one another: what comes into a unit with one leaves it with another.
namespace cutaway::report {

constexpr const char* kVertexGroup = "vertices";
constexpr const char* kFragmentGroup = "fragments";

// A group of threads in a shader unit, from when it is taken to when the last of its results is sent.
struct GroupStay {
  uint64_t begin = 0, end = 0;
  const char* name = kVertexGroup;
  uint32_t message = 0;  // that brought it
  uint32_t missing = 0;  // of what it carried: not sent in the window
};
struct GroupStays {
  std::vector<std::vector<GroupStay>> by_unit;  // in order of their begin
};
// Those that begin in the window; one that has not ended goes on to the window's end.
GroupStays group_stays(const Timeline& timeline);

}  // namespace cutaway::report
