#include "report/bottleneck.h"

#include <algorithm>

namespace cutaway::report {
namespace {

void follow_waits(std::vector<UnitWeight>& units) {
  constexpr int kSteps = 64;       // longer than any machine's chains
  constexpr double kLeast = 1e-6;  // smallest share that is followed
  std::map<std::string, size_t> number;
  for (size_t i = 0; i < units.size(); i++) number[units[i].path] = i;
  const auto pass_on = [&](const std::vector<double>& blamed) {
    std::vector<double> next(units.size(), 0);
    for (size_t i = 0; i < units.size(); i++)
      for (const UnitWeight::Wait& wait : units[i].waits)
        if (const auto to = number.find(wait.neighbour); to != number.end())
          next[to->second] += blamed[i] * wait.share;
    return next;
  };
  std::vector<double> blamed =
      pass_on(std::vector<double>(units.size(), 1));  // the waits of each unit itself
  for (int step = 0; step<kSteps&& * std::max_element(blamed.begin(), blamed.end())> kLeast; step++) {
    for (size_t i = 0; i < units.size(); i++) units[i].holds_up += blamed[i] * units[i].busy;
    blamed = pass_on(blamed);
  }
}

}  // namespace

void UnitWeights::Sum::add(const run_record::UnitFigures& unit) {
  cycles += unit.cycles, busy += unit.busy, starved += unit.starved;
  blocked += unit.blocked, idle += unit.idle;
  for (const run_record::UnitFigures::Wait& wait : unit.waits)
    waits[{wait.neighbour, wait.starved}] += wait.cycles;
}

UnitWeight UnitWeights::Sum::shares(const std::string& path) const {
  const auto share = [this](uint64_t part) {
    return cycles ? static_cast<double>(part) / static_cast<double>(cycles) : 0;
  };
  UnitWeight unit{.path = path,
                  .busy = share(busy),
                  .starved = share(starved),
                  .blocked = share(blocked),
                  .idle = share(idle)};
  for (const auto& [wait, part] : waits) unit.waits.push_back({wait.first, wait.second, share(part)});
  std::stable_sort(unit.waits.begin(), unit.waits.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  return unit;
}

void UnitWeights::add(const run_record::FrameFigures& frame) {
  for (const run_record::UnitFigures& unit : frame.units) {
    const auto [sum, fresh] = sums_.try_emplace(unit.path);
    if (fresh) order_.push_back(unit.path);
    sum->second.add(unit);
  }
}

std::vector<UnitWeight> UnitWeights::by_weight() const {
  std::vector<UnitWeight> units;
  for (const std::string& path : order_) units.push_back(sums_.at(path).shares(path));
  if (!units.empty()) follow_waits(units);
  std::stable_sort(units.begin(), units.end(), [](const UnitWeight& a, const UnitWeight& b) {
    return a.busy + a.holds_up > b.busy + b.holds_up;
  });
  return units;
}

std::vector<UnitWeight> units_by_weight(const run_record::FrameFigures& frame) {
  UnitWeights weights;
  weights.add(frame);
  return weights.by_weight();
}

}  // namespace cutaway::report
