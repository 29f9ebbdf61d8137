#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

// What the configurations of an experiment come to: numbers by axis.
namespace cutaway::experiment {

struct AxisNames {
  std::string name;                 // "units"
  std::vector<std::string> labels;  // "2", "4": names, also where they look like numbers
};

// The label as a text calls it: with the name of its axis before it, where it is a number ("units 8").
std::string label_text(const AxisNames& axis, size_t label);

// A label of each axis.
using Place = std::vector<size_t>;

// A column has a number for each configuration; the last axis changes fastest. What could not be measured is
// no number (NaN).
struct Table {
  std::vector<AxisNames> axes;
  std::map<std::string, std::vector<double>> columns;

  size_t size() const;  // configurations: 1 where there are no axes
  size_t index(const Place& place) const;
  Place place(size_t index) const;
  // "unified, units 8, 2-way"
  std::string text(const Place& place) const;
};

// Labels of each axis that are looked at, in order.
using Domain = std::vector<std::vector<size_t>>;
Domain whole(const std::vector<AxisNames>& axes);

// Every place of the domain in which the axes that are not free have the labels of `at`.
std::vector<Place> places(const Domain& domain, const std::vector<bool>& free, const Place& at);

}  // namespace cutaway::experiment
