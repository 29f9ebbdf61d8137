#include "probe/outcome.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"

namespace cutaway::probe {
namespace {

// "E1.3" begins "E1.3-tiles" and "E1.3", and not "E1.30".
bool asks_for(const std::string& name, const Case& each) {
  if (!each.name.starts_with(name)) return false;
  const size_t end = name.size();
  return end == each.name.size() || each.name[end] == '-' || each.name[end] == '.';
}

std::optional<double> ratio_of(const Case& of, const Times& times) {
  const Published& published = of.published;
  if (published.reference.empty()) return {};
  const auto time = [&](const std::string& name) {
    const auto found = times.find(name);
    return found == times.end() ? std::nan("") : found->second;
  };
  const auto vertices = [](const Case& each) {
    return static_cast<double>(each.shape(each.size).vertices.size());
  };
  const double beside = published.beside.empty() ? 0 : time(published.beside);
  double ratio = (time(of.name) - beside) / (time(published.reference) - beside);
  if (published.each) ratio *= vertices(*find_case(published.reference)) / vertices(of);
  return std::isfinite(ratio) ? std::optional(ratio) : std::nullopt;
}

}  // namespace

std::vector<const Case*> select(const std::vector<std::string>& names) {
  std::set<std::string> wanted;
  for (const Case& each : cases())
    if (names.empty() || std::ranges::any_of(names, [&](const auto& name) { return asks_for(name, each); })) {
      wanted.insert(each.name);
      for (const std::string& other : {each.published.reference, each.published.beside})
        if (!other.empty()) wanted.insert(other);
    }
  for (const std::string& name : names)
    if (std::ranges::none_of(cases(), [&](const Case& each) { return asks_for(name, each); }))
      user_error("{}: no such experiment; `cutaway probe list` tells which there are", name);
  std::vector<const Case*> selected;
  for (const Case& each : cases())
    if (wanted.contains(each.name)) selected.push_back(&each);
  return selected;
}

std::vector<Row> rows(const std::vector<const Case*>& of, const Times& times) {
  std::vector<Row> made;
  for (const Case* each : of) {
    const auto found = times.find(each->name);
    if (found == times.end()) continue;
    Row& row = made.emplace_back(Row{each, found->second, ratio_of(*each, times)});
    const double published = each->published.ratio;
    row.near = row.ratio && std::abs(*row.ratio - published) <= kNear * published;
  }
  return made;
}

std::string table(const std::vector<Row>& rows, std::string_view unit) {
  std::string text =
      fmt::format("{:<18} {:>14} {:>8} {:>10} {:>8}\n", "experiment", unit, "ratio", "published", "off");
  size_t judged = 0, near = 0;
  for (const Row& row : rows) {
    text += fmt::format("{:<18} {:>14.0f}", row.of->name, row.time);
    if (row.ratio) text += fmt::format(" {:>8.2f}", *row.ratio);
    if (const double published = row.of->published.ratio; row.ratio && published > 0) {
      text += fmt::format(" {:>10.2f} {:>+7.1f}% {}", published, 100 * (*row.ratio / published - 1),
                          row.near ? "" : " not near");
      judged++, near += row.near;
    }
    while (text.back() == ' ') text.pop_back();
    text += "\n";
  }
  if (judged)
    text += fmt::format("{} of {} within {:.0f} % of what was measured on an 8800 GTS\n", near, judged,
                        100 * kNear);
  return text;
}

std::string json(const std::vector<Row>& rows, std::string_view machine, std::string_view unit) {
  nlohmann::ordered_json made = {{"machine", machine}, {"unit", unit}, {"near", kNear}};
  auto& list = made["experiments"] = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    const Published& published = row.of->published;
    nlohmann::ordered_json one = {{"name", row.of->name}, {"what", row.of->what}, {"time", row.time}};
    if (row.ratio) one["reference"] = published.reference, one["ratio"] = *row.ratio;
    if (row.ratio && published.ratio > 0)
      one["published"] = published.ratio, one["fact"] = published.fact, one["within"] = row.near;
    list.push_back(std::move(one));
  }
  return made.dump(1) + "\n";
}

}  // namespace cutaway::probe
