#include "app/parameter_formula.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"

namespace cutaway::app {
namespace {

// Parameters that move a number, and what it was in every trial.
class Trials {
 public:
  struct Trial {
    ParameterChanges changes;
    long number = 0;
  };

  Trials(const std::vector<TriedParameter>& parameters, const NumberOfParameters& number)
      : parameters_(parameters), number_(number) {
    try_one({});
    CUTAWAY_CHECK(!all_.empty(), "a machine has no number for its own parameters");
    find_moving();
    for (const size_t i : moving_)
      for (const long other : parameters_[i].others) try_one({{i, other}});
    for (const size_t i : moving_)
      for (const size_t j : moving_)
        if (i < j) try_one({{i, moved(i)}, {j, moved(j)}});
    if (moving_.size() > 2) try_one(moved_);
  }

  long base() const { return all_.front().number; }
  const std::vector<size_t>& moving() const { return moving_; }
  const TriedParameter& parameter(size_t i) const { return parameters_[i]; }
  // The value with which parameter i was found to move the number.
  long moved(size_t i) const { return moved_.at(i); }
  const std::vector<Trial>& all() const { return all_; }

  std::optional<long> number(const ParameterChanges& changes) const {
    for (const Trial& trial : all_)
      if (trial.changes == changes) return trial.number;
    return {};
  }
  // The value of parameter i in a trial.
  long value(size_t i, const ParameterChanges& changes) const {
    const auto changed = changes.find(i);
    return changed == changes.end() ? parameters_[i].value : changed->second;
  }

 private:
  void try_one(const ParameterChanges& changes) {
    if (const std::optional<long> found = number_(changes)) all_.push_back({changes, *found});
  }
  void find_moving() {
    for (size_t i = 0; i < parameters_.size(); i++)
      for (const long other : parameters_[i].others) {
        const std::optional<long> found = number_({{i, other}});
        if (!found) continue;
        if (*found != base()) moving_.push_back(i), moved_[i] = other;
        break;
      }
  }

  const std::vector<TriedParameter>& parameters_;
  const NumberOfParameters& number_;
  std::vector<Trial> all_;  // the parameters' own values first
  std::vector<size_t> moving_;
  std::map<size_t, long> moved_;
};

// A constant, and terms: a factor times one parameter or two.
struct Polynomial {
  long constant = 0;
  std::vector<std::pair<std::vector<size_t>, long>> terms;

  long at(const Trials& trials, const ParameterChanges& changes) const {
    long sum = constant;
    for (const auto& [names, factor] : terms) {
      long product = factor;
      for (const size_t i : names) product *= trials.value(i, changes);
      sum += product;
    }
    return sum;
  }
};

// None: a factor is no whole number.
std::optional<Polynomial> fitted(const Trials& trials) {
  Polynomial found;
  const auto step = [&](size_t i) { return trials.moved(i) - trials.parameter(i).value; };
  const auto number = [&](const ParameterChanges& changes) { return trials.number(changes); };
  std::map<size_t, long> slope;  // of the number by one parameter, at the others' own values
  for (const size_t i : trials.moving()) {
    const long rise = *number({{i, trials.moved(i)}}) - trials.base();
    if (rise % step(i)) return {};
    slope[i] = rise / step(i);
  }
  std::vector<std::pair<std::vector<size_t>, long>> products;
  for (const size_t i : trials.moving())
    for (const size_t j : trials.moving()) {
      if (i >= j) continue;
      const auto both = number({{i, trials.moved(i)}, {j, trials.moved(j)}});
      if (!both) return {};
      const long rise =
          *both - *number({{i, trials.moved(i)}}) - *number({{j, trials.moved(j)}}) + trials.base();
      if (rise % (step(i) * step(j))) return {};
      const long factor = rise / (step(i) * step(j));
      if (!factor) continue;
      products.push_back({{i, j}, factor});
      slope[i] -= factor * trials.parameter(j).value;
      slope[j] -= factor * trials.parameter(i).value;
    }
  for (const auto& [i, factor] : slope)
    if (factor) found.terms.push_back({{i}, factor});
  found.terms.insert(found.terms.end(), products.begin(), products.end());
  found.constant = trials.base() - found.at(trials, {});
  return found;
}

std::string name_of(const Trials& trials, size_t i) { return fmt::format("`{}`", trials.parameter(i).name); }

std::string text_of(const Trials& trials, const Polynomial& polynomial) {
  std::vector<std::string> terms;
  if (polynomial.constant) terms.push_back(fmt::format("{}", polynomial.constant));
  for (const auto& [names, factor] : polynomial.terms) {
    std::vector<std::string> factors;
    if (factor != 1) factors.push_back(fmt::format("{}", factor));
    for (const size_t i : names) factors.push_back(name_of(trials, i));
    terms.push_back(fmt::format("{}", fmt::join(factors, " × ")));
  }
  return fmt::format("{}", fmt::join(terms, " + "));
}

bool holds(const Trials& trials, const auto& number) {
  return std::all_of(trials.all().begin(), trials.all().end(),
                     [&](const Trials::Trial& trial) { return number(trial.changes) == trial.number; });
}

// One parameter divided by another, and no less than the least that was seen: "max(2, `a` / `b`)".
std::optional<std::string> quotient(const Trials& trials) {
  if (trials.moving().size() != 2) return {};
  long least = trials.base();
  for (const Trials::Trial& trial : trials.all()) least = std::min(least, trial.number);
  size_t a = trials.moving()[0], b = trials.moving()[1];
  for (int order = 0; order < 2; order++, std::swap(a, b)) {
    const auto divided = [&](const ParameterChanges& changes) {
      const long divisor = trials.value(b, changes);
      return divisor ? trials.value(a, changes) / divisor : -1;
    };
    const std::string text = fmt::format("{} / {}", name_of(trials, a), name_of(trials, b));
    if (holds(trials, divided)) return text;
    if (holds(trials, [&](const ParameterChanges& changes) { return std::max(least, divided(changes)); }))
      return fmt::format("max({}, {})", least, text);
  }
  return {};
}

}  // namespace

std::string formula_of(const std::vector<TriedParameter>& parameters, const NumberOfParameters& number) {
  const Trials trials(parameters, number);
  if (const auto polynomial = fitted(trials);
      polynomial &&
      holds(trials, [&](const ParameterChanges& changes) { return polynomial->at(trials, changes); }))
    return polynomial->terms.empty() ? fmt::format("{}", trials.base()) : text_of(trials, *polynomial);
  if (const auto text = quotient(trials)) return *text;
  std::vector<std::string> names;
  for (const size_t i : trials.moving()) names.push_back(name_of(trials, i));
  return fmt::format("{}, by {}", trials.base(), fmt::join(names, ", "));
}

}  // namespace cutaway::app
