#include "experiment/verdict.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace cutaway::experiment {
namespace {

// The labels of the axes that are open.
std::string text_of(const Table& table, const Place& place, const std::vector<bool>& open) {
  Table some;
  Place there;
  for (size_t axis = 0; axis < table.axes.size(); axis++)
    if (open[axis]) some.axes.push_back(table.axes[axis]), there.push_back(place[axis]);
  return some.axes.empty() ? "" : some.text(there);
}

// How far inside the bounds; below 0: outside.
double margin(const Claim& claim, double value) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  return std::min(claim.least ? value - *claim.least : kFar, claim.most ? *claim.most - value : kFar);
}

Verdict verdict_of(const std::vector<ClaimValue>& values) {
  const auto all = [&](auto&& test) { return std::all_of(values.begin(), values.end(), test); };
  if (values.empty() || !all([](const ClaimValue& v) { return !std::isnan(v.value); }))
    return Verdict::kUntold;
  if (all([](const ClaimValue& v) { return v.within; })) return Verdict::kHolds;
  if (all([](const ClaimValue& v) { return !v.within && !v.within_part; })) return Verdict::kNot;
  return Verdict::kInPart;
}

// The first sign that a claim needs at a place and that is not there; "": none.
std::string missing_sign(const Claim& claim, const Table& table, const Domain& domain, const Place& place) {
  for (const Formula& formula : claim.positive) {
    const double value = formula.value(table, domain, place);
    if (!(value > 0))
      return fmt::format("`{}` must be above 0, and is {}", formula.normal_text(),
                         std::isnan(value) ? "not measured" : fmt::format("{:.6g}", value));
  }
  return "";
}

}  // namespace

const char* verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds:
      return "holds";
    case Verdict::kInPart:
      return "in part";
    case Verdict::kNot:
      return "does not hold";
    case Verdict::kUntold:
      break;
  }
  return "cannot be told";
}

Judgement judge(const Claim& claim, const Table& table) {
  Judgement judgement;
  judgement.claim = &claim;
  if (!claim.open_divisors.empty())
    judgement.missing = fmt::format(
        "the formula divides by `{}`, which may be negative, and `positive` does not "
        "name it",
        claim.open_divisors.front());
  const Domain domain = claim.chosen.of(table.axes);
  const std::vector<bool> open = claim.value->free_axes(table.axes);
  for (const Place& place : places(domain, open, Place(table.axes.size()))) {
    ClaimValue value;
    value.value = claim.value->value(table, domain, place, &value.configurations);
    value.at = text_of(table, place, open);
    value.within = margin(claim, value.value) >= 0;
    value.within_part = (claim.least_part || claim.most_part) &&
                        !(claim.least && value.value < claim.least_part.value_or(*claim.least)) &&
                        !(claim.most && value.value > claim.most_part.value_or(*claim.most)) &&
                        !std::isnan(value.value);
    judgement.values.push_back(std::move(value));
    if (judgement.missing.empty()) judgement.missing = missing_sign(claim, table, domain, place);
  }
  judgement.verdict = judgement.missing.empty() ? verdict_of(judgement.values) : Verdict::kUntold;
  for (size_t i = 1; i < judgement.values.size(); i++)
    if (margin(claim, judgement.values[i].value) < margin(claim, judgement.values[judgement.telling].value))
      judgement.telling = i;
  return judgement;
}

std::string value_text(const Claim& claim, double value) {
  if (std::isnan(value)) return "not measured";
  if (claim.unit == "%") return fmt::format("{:.1f} %", 100 * value);
  return fmt::format("{:.3g}{}{}", value, claim.unit.empty() ? "" : " ", claim.unit);
}

std::string bounds_text(const Claim& claim) {
  if (!claim.least) return "at most " + value_text(claim, *claim.most);
  if (!claim.most) return "at least " + value_text(claim, *claim.least);
  Claim plain = claim;  // the unit stands once, but a share is not a number
  if (claim.unit != "%") plain.unit.clear();
  return fmt::format("{} to {}", value_text(plain, *claim.least), value_text(claim, *claim.most));
}

}  // namespace cutaway::experiment
