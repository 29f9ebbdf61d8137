#include "experiment/table.h"

#include <algorithm>
#include <numeric>

namespace cutaway::experiment {

size_t Table::size() const {
  size_t size = 1;
  for (const AxisNames& axis : axes) size *= axis.labels.size();
  return size;
}

size_t Table::index(const Place& place) const {
  size_t index = 0;
  for (size_t axis = 0; axis < axes.size(); axis++) index = index * axes[axis].labels.size() + place[axis];
  return index;
}

Place Table::place(size_t index) const {
  Place place(axes.size());
  for (size_t axis = axes.size(); axis-- > 0; index /= axes[axis].labels.size())
    place[axis] = index % axes[axis].labels.size();
  return place;
}

std::string label_text(const AxisNames& axis, size_t label) {
  const std::string& text = axis.labels[label];
  const bool number = !text.empty() && text.find_first_not_of("0123456789.") == text.npos;
  return number ? axis.name + " " + text : text;
}

std::string Table::text(const Place& place) const {
  std::string text;
  for (size_t axis = 0; axis < axes.size(); axis++)
    text += (text.empty() ? "" : ", ") + label_text(axes[axis], place[axis]);
  return text.empty() ? "the machine" : text;
}

Domain whole(const std::vector<AxisNames>& axes) {
  Domain domain;
  for (const AxisNames& axis : axes) {
    domain.emplace_back(axis.labels.size());
    std::iota(domain.back().begin(), domain.back().end(), size_t{0});
  }
  return domain;
}

std::vector<Place> places(const Domain& domain, const std::vector<bool>& free, const Place& at) {
  std::vector<Place> all = {at};
  for (size_t axis = 0; axis < domain.size(); axis++) {
    if (!free[axis]) continue;
    std::vector<Place> wider;
    for (const Place& place : all)
      for (const size_t label : domain[axis]) {
        wider.push_back(place);
        wider.back()[axis] = label;
      }
    all = std::move(wider);
  }
  return all;
}

}  // namespace cutaway::experiment
