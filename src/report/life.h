#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/timeline.h"

namespace cutaway::report {

// Whose life is told: one of these, of the timeline's draw.
struct Subject {
  struct Fragment {
    int32_t x = 0, y = 0;               // pixel
    std::optional<uint32_t> primitive;  // none: the first that covers it
  };
  std::optional<Fragment> fragment;
  std::optional<uint64_t> vertex;  // index
  std::optional<uint64_t>
      request;  // counts from 1: those that the draw's units send to the memory controller

  // Whether a thing of the draw may be a part of it: what the rest is left out for.
  bool may_need(const Timeline::Thing& thing) const;
};

// A stay in one unit. Times as in Timeline.
struct Stop {
  uint32_t unit = 0;
  std::optional<uint32_t> wire;               // by which it came; none: it begins here
  std::string message;                        // that brought it, or takes it away where it begins
  uint64_t sent = 0, arrives = 0, taken = 0;  // of the message that brought it
  std::optional<uint64_t> leaves;             // with the message to the next stop; none: it ends here
  uint64_t begin() const { return wire ? sent : *leaves; }
  uint64_t end() const { return leaves.value_or(taken); }
};

struct Life {
  std::string title;               // "fragment (12, 34) of primitive 5, draw 3"
  std::vector<std::string> notes;  // what else there is to say, in sentences
  std::vector<Stop> stops;         // never none
  uint64_t begin() const { return stops.front().begin(); }
  uint64_t end() const { return stops.back().end(); }
};

// UserError: the draw does not cover the pixel, or has no such primitive, vertex or request.
Life life_of(const Timeline& timeline, const Subject& subject);

// As a table, with what each unit did meanwhile.
std::string life_text(const Timeline& timeline, const Life& life);
// As a picture: a row for each stop, a column for each cycle.
std::string life_svg(const Timeline& timeline, const Life& life);

// What a unit did from one time to another, in cycles of its clock, by Unit::reasons; what it did not do is
// left out.
struct Share {
  uint32_t reason = 0;
  uint64_t begin = 0, end = 0;
};
std::vector<Share> shares(const Timeline& timeline, uint32_t unit, uint64_t begin, uint64_t end);

}  // namespace cutaway::report
