#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "run_record/timeline.h"

namespace cutaway::report {

// The subject whose life is described: one of these, in the timeline's draw.
struct Subject {
  struct Fragment {
    int32_t x = 0, y = 0;               // pixel
    std::optional<uint32_t> primitive;  // none: the first that covers the pixel
  };
  std::optional<Fragment> fragment;
  std::optional<uint64_t> vertex;  // index
  std::optional<uint64_t>
      request;  // counts from 1 over the requests of the draw's units to the memory controller

  // True if a thing of the draw may be a part of the subject; all others are left out.
  bool may_need(const run_record::Timeline::Thing& thing) const;
};

// A stay in one unit. Times are as in Timeline.
struct Stop {
  uint32_t unit = 0;
  std::optional<uint32_t> wire;               // by which it arrived; none: it begins here
  std::string message;                        // the message that brought it, or if it begins here, the one
                                              // that takes it away
  uint64_t sent = 0, arrives = 0, taken = 0;  // of the message that brought it
  std::optional<uint64_t> leaves;             // with the message to the next stop; none: it ends here
  uint64_t begin() const { return wire ? sent : *leaves; }
  uint64_t end() const { return leaves.value_or(taken); }
};

struct Life {
  std::string title;               // "fragment (12, 34) of primitive 5, draw 3"
  std::vector<std::string> notes;  // additional remarks, in sentences
  std::vector<Stop> stops;         // never empty
  uint64_t begin() const { return stops.front().begin(); }
  uint64_t end() const { return stops.back().end(); }
};

// UserError: the draw does not cover the pixel, or has no such primitive, vertex or request.
Life life_of(const run_record::Timeline& timeline, const Subject& subject);

// Prints it as a table, with each unit's activity meanwhile.
std::string life_text(const run_record::Timeline& timeline, const Life& life);
// Draws it as a picture: one row per stop, one column per cycle.
std::string life_svg(const run_record::Timeline& timeline, const Life& life);

// A unit's activity in an interval, in cycles of its clock, by Unit::reasons; reasons with no cycles are left
// out.
struct Share {
  uint32_t reason = 0;
  uint64_t begin = 0, end = 0;
};
std::vector<Share> shares(const run_record::Timeline& timeline, uint32_t unit, uint64_t begin, uint64_t end);

}  // namespace cutaway::report
