#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "run_record/timeline.h"

// Connects messages: things that enter a unit with one message leave it with another.
namespace cutaway::report {

constexpr const char* kVertexGroup = "vertices";
constexpr const char* kFragmentGroup = "fragments";

// The stay of a thread group in a shader unit, from its arrival to the sending of its last result.
struct GroupStay {
  uint64_t begin = 0, end = 0;
  const char* name = kVertexGroup;
  uint32_t message = 0;  // the message that brought it
  uint32_t missing = 0;  // number of its things that were not sent in the window
};
struct GroupStays {
  std::vector<std::vector<GroupStay>> by_unit;  // in order of their begin
};
// Stays that begin in the window; an unfinished one lasts to the window's end.
GroupStays group_stays(const run_record::Timeline& timeline);

}  // namespace cutaway::report
