#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "probe/cases.h"

namespace cutaway::probe {

// The cases that names select, in full ("E2.1-quads-64") or by prefix ("E2", "E1.3"), in their order; no
// names: all. Includes the cases that others are compared with. UserError: a name without matches.
std::vector<const Case*> select(const std::vector<std::string>& names);

// Times by case, in one unit: cycles on a simulated chip, nanoseconds on a real one.
using Times = std::map<std::string, double>;

// True if `name` is a prefix of `whole` at a word's end: "E1.3" of "E1.3-tiles" and "E1.3", but not of
// "E1.30".
bool begins(const std::string& name, const std::string& whole);

// The ratio of a case's time to its reference's, defined like the published ratio; none: it cannot be
// determined.
std::optional<double> ratio_of(const Case& of, const Times& times);

// Largest error at which a figure counts as near: 10 %.
inline constexpr double kNear = 0.1;

// Least ratio of the reference's time to the subtracted time at which the remainder is meaningful.
inline constexpr double kTellable = 2;

// The device that drew.
struct Device {
  std::string name;
  std::string unit;  // unit of times: "cycles"
  bool cpu = false;  // software: nearness to a figure of G80 means nothing
};

// A drawn case.
struct Row {
  const Case* of = nullptr;
  double time = 0;
  std::optional<double> ratio;  // to its reference, defined like the published one; none: cannot be
                                // determined
  bool near = false;            // near to the published figure, if there is one
};
std::vector<Row> rows(const std::vector<const Case*>& of, const Times& times);

// The distance that a rasteriser gets ahead of a slow fragment, from cases with two slow pixels at a given
// distance.
struct Window {
  uint32_t squares = 0;                  // pixels along each side of what is drawn; 0: one large square
  uint32_t beside = 0;                   // pixels: the greatest distance shaded concurrently; 0: none
  std::optional<uint32_t> after;         // the next distance, which was shaded sequentially
  std::optional<double> pixels() const;  // the middle of both; none: it is shorter or longer than all cases
  bool near() const;                     // to the published distance
};
// By size of the squares, as the cases come; none: no such cases have ratios. window_of: the first.
std::vector<Window> windows_of(const std::vector<Row>& rows);
std::optional<Window> window_of(const std::vector<Row>& rows);

// For people; for programs.
std::string table(const std::vector<Row>& rows, const Device& device);
std::string json(const std::vector<Row>& rows, const Device& device);

}  // namespace cutaway::probe
