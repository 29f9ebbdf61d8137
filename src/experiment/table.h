#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

// Results of an experiment's configurations: numbers by axis.
namespace cutaway::experiment {

struct AxisNames {
  std::string name;                 // "units"
  std::vector<std::string> labels;  // "2", "4": names, even if they look like numbers
};

// A label in running text: preceded by its axis's name if it is a number ("units 8").
std::string label_text(const AxisNames& axis, size_t label);

// One label index per axis.
using Place = std::vector<size_t>;

// A column has one number per configuration; the last axis changes fastest. Unmeasured values are NaN.
struct Table {
  std::vector<AxisNames> axes;
  std::map<std::string, std::vector<double>> columns;

  size_t size() const;  // number of configurations: 1 without axes
  size_t index(const Place& place) const;
  Place place(size_t index) const;
  // "unified, units 8, 2-way"
  std::string text(const Place& place) const;
};

// Selected label indices of each axis, in order.
using Domain = std::vector<std::vector<size_t>>;
Domain whole(const std::vector<AxisNames>& axes);

// Every place of the domain whose labels equal those of `at` on all axes that are not free.
std::vector<Place> places(const Domain& domain, const std::vector<bool>& free, const Place& at);

}  // namespace cutaway::experiment
