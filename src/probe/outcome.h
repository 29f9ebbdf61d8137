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

// How near to a published figure is near enough: 10 %.
inline constexpr double kNear = 0.1;

// A case that was drawn.
struct Row {
  const Case* of = nullptr;
  double time = 0;
  std::optional<double> ratio;  // to its reference, as the published one is meant
  bool near = false;            // the published figure, where there is one
};
std::vector<Row> rows(const std::vector<const Case*>& of, const Times& times);

// For people; for programs.
std::string table(const std::vector<Row>& rows, std::string_view unit);
std::string json(const std::vector<Row>& rows, std::string_view machine, std::string_view unit);

}  // namespace cutaway::probe
