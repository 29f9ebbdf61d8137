#include "probe/fidelity.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/json_text.h"
#include "probe/rates.h"

namespace cutaway::probe {
namespace {

// Excludes a frame's fixed time; or its fixed bytes, if those are given as times.
std::optional<double> time_of(const Rate& rate, const Times& times) {
  const auto time = times.find(rate.name), beside = times.find(rate.beside);
  if (time == times.end() || beside == times.end() || time->second <= beside->second) return {};
  return time->second - beside->second;
}

// The work of the last rate of a series whose time hardly differs from the first's.
std::optional<double> held_by(const std::vector<std::string>& series, const Times& times) {
  constexpr double kHardly = 1.1;
  std::optional<double> first, last;
  for (const std::string& name : series) {
    const Rate& rate = *find_rate(name);
    const std::optional<double> time = time_of(rate, times);
    if (!time) return {};
    if (!first) first = time;
    if (*time > kHardly * *first || *first > kHardly * *time) break;
    last = rate.work;
  }
  return last;
}

std::optional<double> window_pixels(const std::string& cases, const Times& times) {
  const std::optional<Window> window = window_of(rows(select({cases}), times));
  if (!window) return {};
  return window->pixels();
}

std::optional<double> rate_of(const Rate& rate, const Times& times, const Times& bytes_read) {
  if (rate.traffic) {
    const std::optional<double> bytes = time_of(rate, bytes_read);
    if (!bytes) return {};
    return *bytes / rate.work;
  }
  if (!rate.window.empty()) return window_pixels(rate.window, times);
  if (!rate.series.empty()) return held_by(rate.series, times);
  const std::optional<double> time = time_of(rate, times);
  if (!time) return {};
  if (rate.against.empty()) return rate.each ? *time / rate.work : rate.work / *time;
  const std::optional<double> against = time_of(*find_rate(rate.against), times);
  if (!against) return {};
  return *time / *against;
}

std::string what_of(const Figure& figure) {
  const Rate* rate = find_rate(figure.of);
  return rate ? rate->what : find_case(figure.of)->what;
}

std::string unit_of(const Figure& figure) {
  const Rate* rate = find_rate(figure.of);
  if (!rate) return "times " + find_case(figure.of)->published.reference;
  if (!rate->against.empty()) return "times " + rate->against;
  const bool per_cycle = rate->series.empty() && !rate->each && !rate->traffic && rate->window.empty();
  return per_cycle ? rate->unit + " a cycle" : rate->unit;
}

const char* told_by(const Figure& figure) { return figure.told == Told::kMeasured ? "measured" : "vendor"; }

std::string number(double value) { return fmt::format("{:.{}f}", value, value < 10 ? 2 : 1); }

std::string published(const Figure& figure) {
  return number(figure.value) + (figure.most > 0 ? " to " + number(figure.most) : "");
}

// Says how many of the measured figures are near.
std::string summary(const std::vector<Held>& rows) {
  size_t all = 0, near = 0, measured = 0, measured_near = 0;
  for (const Held& row : rows) {
    if (!row.ours) continue;
    const bool is_measured = row.figure->told == Told::kMeasured;
    all++, near += row.near(), measured += is_measured, measured_near += is_measured && row.near();
  }
  return fmt::format("{} of {} within {:.0f} %; of the measured ones {} of {}", near, all, 100 * kNear,
                     measured_near, measured);
}

std::vector<std::vector<Held>> by_gpu(const std::vector<Held>& rows) {
  std::vector<std::vector<Held>> parts;
  for (const Held& row : rows) {
    if (parts.empty() || parts.back()[0].figure->gpu != row.figure->gpu) parts.emplace_back();
    parts.back().push_back(row);
  }
  return parts;
}

// Groups rows by reason, in the order of the table; rows without a reason come last.
std::string where_off(const std::vector<Held>& rows) {
  std::vector<std::string> reasons;
  std::map<std::string, std::vector<std::string>> names;
  for (const Held& row : rows) {
    if (!row.ours || row.near()) continue;
    auto& of_reason = names[row.figure->why];
    if (of_reason.empty() && !row.figure->why.empty()) reasons.push_back(row.figure->why);
    const std::string name = "`" + row.figure->of + "`";
    if (std::ranges::find(of_reason, name) == of_reason.end()) of_reason.push_back(name);
  }
  std::string text = names.empty() ? "" : "\nReasons for the differences:\n\n";
  for (const std::string& why : reasons) text += fmt::format("- {}: {}\n", fmt::join(names[why], ", "), why);
  if (const auto none = names.find(""); none != names.end())
    text += fmt::format("- {}: not examined.\n", fmt::join(none->second, ", "));
  return text;
}

}  // namespace

double Held::off() const {
  const double most = std::max(figure->value, figure->most);
  return *ours / std::clamp(*ours, figure->value, most) - 1;
}

bool Held::near() const { return ours && std::abs(off()) <= kNear; }

std::vector<const Figure*> select_figures(const std::vector<std::string>& names, const std::string& gpu) {
  std::vector<const Figure*> of_gpu, selected;
  for (const Figure& each : figures())
    if (gpu.empty() || each.gpu == gpu) of_gpu.push_back(&each);
  if (of_gpu.empty()) {
    std::set<std::string> gpus;
    for (const Figure& each : figures()) gpus.insert(each.gpu);
    user_error("{}: nothing was published that can be measured; presets with figures are {}", gpu,
               fmt::join(gpus, ", "));
  }
  for (const Figure* each : of_gpu)
    if (names.empty() || std::ranges::any_of(names, [&](const auto& name) { return begins(name, each->of); }))
      selected.push_back(each);
  for (const std::string& name : names)
    if (std::ranges::none_of(of_gpu, [&](const Figure* each) { return begins(name, each->of); }))
      user_error("{}: no figure of that name; `cutaway fidelity list` tells which there are", name);
  return selected;
}

std::vector<std::string> drawn_for(const std::vector<const Figure*>& figures) {
  std::set<std::string> wanted;
  const auto want_rate = [&](const Rate& rate) {
    if (!rate.window.empty())
      for (const Case* each : select({rate.window})) wanted.insert(each->name);
    else wanted.insert(rate.name);
    if (!rate.beside.empty()) wanted.insert(rate.beside);
  };
  for (const Figure* each : figures) {
    if (const Rate* rate = find_rate(each->of)) {
      for (const std::string& name : rate->series) want_rate(*find_rate(name));
      if (rate->series.empty()) want_rate(*rate);
      if (!rate->against.empty()) want_rate(*find_rate(rate->against));
      continue;
    }
    wanted.insert(each->of);
    const Published& published = find_case(each->of)->published;
    wanted.insert(published.reference);
    if (!published.beside.empty()) wanted.insert(published.beside);
  }
  return {wanted.begin(), wanted.end()};
}

std::vector<Held> held(const std::vector<const Figure*>& figures, const std::map<std::string, Times>& times,
                       const std::map<std::string, Times>& bytes_read) {
  std::vector<Held> made;
  for (const Figure* each : figures) {
    Held& row = made.emplace_back(Held{each, {}});
    const auto of_gpu = times.find(each->gpu);
    if (of_gpu == times.end()) continue;
    const Rate* rate = find_rate(each->of);
    if (!rate) {
      row.ours = ratio_of(*find_case(each->of), of_gpu->second);
      continue;
    }
    const auto bytes = bytes_read.find(each->gpu);
    row.ours = rate_of(*rate, of_gpu->second, bytes == bytes_read.end() ? Times{} : bytes->second);
  }
  return made;
}

std::string fidelity_table(const std::vector<Held>& rows) {
  std::string text;
  for (const std::vector<Held>& part : by_gpu(rows)) {
    text += fmt::format("{}\n{:<20} {:>16} {:>10} {:>8}  {:<26} {:<9} {}\n", part[0].figure->gpu, "",
                        "published", "ours", "off", "unit", "told by", "source");
    for (const Held& row : part) {
      const Figure& figure = *row.figure;
      text += fmt::format("{:<20} {:>16} ", figure.of, published(figure));
      text += row.ours ? fmt::format("{:>10} {:>+7.1f}%", number(*row.ours), 100 * row.off())
                       : fmt::format("{:>10} {:>8}", "-", "");
      text += fmt::format("  {:<26} {:<9} {}{}\n", unit_of(figure), told_by(figure), figure.fact,
                          figure.fitted ? ", fitted" : "");
    }
    text += summary(part) + "\n\n";
  }
  return text;
}

std::string fidelity_json(const std::vector<Held>& rows) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Held& row : rows) {
    const Figure& figure = *row.figure;
    nlohmann::ordered_json one = {
        {"gpu", figure.gpu},       {"name", figure.of},         {"what", what_of(figure)},
        {"unit", unit_of(figure)}, {"published", figure.value}, {"fact", figure.fact},
        {"told", told_by(figure)}, {"fitted", figure.fitted},   {"note", figure.note}};
    if (figure.most > 0) one["most"] = figure.most;
    if (row.ours) one["ours"] = *row.ours, one["off"] = row.off(), one["within"] = row.near();
    if (row.ours && !row.near() && !figure.why.empty()) one["why"] = figure.why;
    list.push_back(std::move(one));
  }
  return json_text(nlohmann::ordered_json{{"near", kNear}, {"figures", std::move(list)}}, 1) + "\n";
}

std::string fidelity_page(const std::vector<Held>& rows, const std::string& picture) {
  std::string text =
      "# Fidelity\n\nThis page compares published figures of chips with the figures of their "
      "presets. `cutaway fidelity all` draws the measurements and writes this page; `cutaway fidelity NAME "
      "--gpu PRESET` repeats a row. A rate is work in a cycle of the core clock, so figures of boards "
      "with other clocks can be compared. A \"measured\" figure is an observation; a \"vendor\" figure "
      "is a peak, which a program need not reach. Against a range, the difference is the distance to "
      "its nearer end. \"Fitted\" marks figures that a preset was fitted to. [sources.md](sources.md) "
      "describes each source.\n\n";
  text += fmt::format("![Each figure: ours beside the published one]({})\n", picture);
  for (const std::vector<Held>& part : by_gpu(rows)) {
    text += fmt::format(
        "\n## {}\n\n{}.\n\n| figure | what | unit | published | ours | off | told by |\n"
        "| --- | --- | --- | ---: | ---: | ---: | --- |\n",
        part[0].figure->gpu, summary(part));
    for (const Held& row : part) {
      const Figure& figure = *row.figure;
      text +=
          fmt::format("| `{}` | {} | {} | {} | {} | {} | {}, {}{}{} |\n", figure.of, what_of(figure),
                      unit_of(figure), published(figure), row.ours ? number(*row.ours) : "-",
                      row.ours ? fmt::format("{:+.1f} %", 100 * row.off()) : "", told_by(figure), figure.fact,
                      figure.fitted ? ", fitted" : "", figure.note.empty() ? "" : ": " + figure.note);
    }
    text += where_off(part);
  }
  return text;
}

}  // namespace cutaway::probe
