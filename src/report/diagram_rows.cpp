#include "report/diagram_rows.h"

#include <algorithm>
#include <set>

namespace cutaway::report {
namespace {

using Role = Diagram::Role;

class Search {
 public:
  explicit Search(const Diagram& diagram)
      : diagram_(diagram), state_(diagram.units.size()), back_(diagram.wires.size()) {
    for (size_t unit = 0; unit < diagram.units.size(); unit++)
      if (state_[unit] == State::kNew) visit(unit);
    std::reverse(left_.begin(), left_.end());
  }
  const std::vector<bool>& back() const { return back_; }
  // Every wire except backward ones leads to a later unit.
  const std::vector<size_t>& order() const { return left_; }

 private:
  enum class State { kNew, kOpen, kDone };

  void visit(size_t unit) {
    state_[unit] = State::kOpen;
    for (size_t i = 0; i < diagram_.wires.size(); i++) {
      const Diagram::Wire& wire = diagram_.wires[i];
      if (wire.from != unit || wire.role != Role::kData) continue;
      if (state_[wire.to] == State::kDone) continue;
      if (state_[wire.to] == State::kOpen || answers(wire)) back_[i] = true;
      else visit(wire.to);
    }
    state_[unit] = State::kDone;
    left_.push_back(unit);
  }

  // True if the wire is an answer. Otherwise a unit that serves two others would be placed above a unit that
  // the search has not reached.
  bool answers(const Diagram::Wire& wire) const {
    for (const Diagram::Wire& first : diagram_.wires) {
      if (first.role != Role::kData) continue;
      if (first.from == wire.from && first.to == wire.to) return false;
      if (first.from == wire.to && first.to == wire.from) return true;
    }
    return false;
  }

  const Diagram& diagram_;
  std::vector<State> state_;
  std::vector<bool> back_;
  std::vector<size_t> left_;
};

// The unit that `unit` serves, or itself.
size_t helped_by(const Diagram& diagram, const std::vector<bool>& back, size_t unit) {
  std::set<size_t> sends, hears;
  for (size_t i = 0; i < diagram.wires.size(); i++) {
    const Diagram::Wire& wire = diagram.wires[i];
    if (wire.role != Role::kData) continue;
    if (wire.from == unit && !back[i]) return unit;
    if (wire.from == unit) sends.insert(wire.to);
    if (wire.to == unit) hears.insert(wire.from);
  }
  return sends.size() == 1 && sends == hears ? *sends.begin() : unit;
}

}  // namespace

DiagramRows rows_of(const Diagram& diagram) {
  const Search search(diagram);
  const size_t units = diagram.units.size();
  DiagramRows result{{}, std::vector<size_t>(units), search.back()};

  // Rank: the longest path from a unit without predecessors. Depth: the longest path onwards.
  std::vector<size_t> rank(units), depth(units);
  auto forward = [&](size_t i) { return diagram.wires[i].role == Role::kData && !result.back[i]; };
  auto follow = [&](size_t unit, auto&& step) {
    for (size_t i = 0; i < diagram.wires.size(); i++)
      if (diagram.wires[i].from == unit && forward(i)) step(diagram.wires[i].to);
  };
  for (const size_t unit : search.order())
    follow(unit, [&](size_t to) { rank[to] = std::max(rank[to], rank[unit] + 1); });
  for (auto unit = search.order().rbegin(); unit != search.order().rend(); ++unit)
    follow(*unit, [&](size_t to) { depth[*unit] = std::max(depth[*unit], depth[to] + 1); });

  std::vector<size_t> helped(units);
  for (size_t unit = 0; unit < units; unit++) helped[unit] = helped_by(diagram, result.back, unit);
  for (const size_t unit : search.order()) {
    if (diagram.units[unit].memory || helped[unit] != unit) continue;
    if (result.rows.size() <= rank[unit]) result.rows.resize(rank[unit] + 1);
    result.rows[rank[unit]].push_back({unit, {}});
  }
  // A rank with only helpers has no row.
  std::erase_if(result.rows, [](const auto& row) { return row.empty(); });
  for (size_t r = 0; r < result.rows.size(); r++) {
    auto& row = result.rows[r];
    // Units with the longest remaining path come first, below their predecessors.
    std::stable_sort(row.begin(), row.end(),
                     [&](const auto& a, const auto& b) { return depth[a.unit] > depth[b.unit]; });
    for (DiagramRows::Place& place : row)
      for (size_t unit = 0; unit < units; unit++) {
        if (helped[unit] != place.unit) continue;
        result.row[unit] = r;
        if (unit != place.unit) place.helpers.push_back(unit);
      }
  }
  return result;
}

}  // namespace cutaway::report
