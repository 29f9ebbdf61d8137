#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "probe/cases.h"

namespace cutaway::probe {

// The cases that names ask for, whole ("E2.1-quads-64") or by their beginning ("E2", "E1.3"), in their order;
// no names: all. Those that others are compared with are among them. UserError: a name that begins none.
std::vector<const Case*> select(const std::vector<std::string>& names);

// Times by case, in one unit: cycles of a simulated chip, nanoseconds of a real one.
using Times = std::map<std::string, double>;

// Whether a name asks for one that it begins: "E1.3" for "E1.3-tiles" and "E1.3", and not for "E1.30".
bool begins(const std::string& name, const std::string& whole);

// Of a case's time to that of its reference, as published ratios are meant; none: it cannot be told.
std::optional<double> ratio_of(const Case& of, const Times& times);

// How near to a published figure is near enough: 10 %.
inline constexpr double kNear = 0.1;

// By how much a slow pixel has to lengthen a frame for its time to be told from what else a frame takes.
inline constexpr double kTellable = 2;

// Who drew.
struct Device {
  std::string name;
  std::string unit;  // of times: "cycles"
  bool cpu = false;  // software: that it is near to a figure of G80 or not says nothing of either
};

// A case that was drawn.
struct Row {
  const Case* of = nullptr;
  double time = 0;
  std::optional<double> ratio;  // to its reference, as the published one is meant; none: cannot be told
  bool near = false;            // the published figure, where there is one
};
std::vector<Row> rows(const std::vector<const Case*>& of, const Times& times);

// How far a rasteriser gets ahead of a slow fragment, by cases that say how far two are apart.
struct Window {
  uint32_t beside = 0;            // pixels: the farthest that were shaded side by side; 0: none were
  std::optional<uint32_t> after;  // the next, which were shaded one after the other
  std::optional<double> pixels()
      const;          // in the middle of both; none: it is shorter or longer than all cases
  bool near() const;  // what was published
};
std::optional<Window> window_of(const std::vector<Row>& rows);  // none: no ratios of such cases

// For people; for programs.
std::string table(const std::vector<Row>& rows, const Device& device);
std::string json(const std::vector<Row>& rows, const Device& device);

}  // namespace cutaway::probe
