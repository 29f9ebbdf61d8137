#include "probe/outcome.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/json_text.h"

namespace cutaway::probe {

bool begins(const std::string& name, const std::string& whole) {
  if (!whole.starts_with(name)) return false;
  const size_t end = name.size();
  return end == whole.size() || whole[end] == '-' || whole[end] == '.';
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
  if (beside > 0 && time(published.reference) < kTellable * beside) return {};
  double ratio = (time(of.name) - beside) / (time(published.reference) - beside);
  if (published.each) ratio *= vertices(*find_case(published.reference)) / vertices(of);
  return std::isfinite(ratio) ? std::optional(ratio) : std::nullopt;
}

std::vector<const Case*> select(const std::vector<std::string>& names) {
  std::set<std::string> wanted;
  for (const Case& each : cases())
    if (names.empty() ||
        std::ranges::any_of(names, [&](const auto& name) { return begins(name, each.name); })) {
      wanted.insert(each.name);
      for (const std::string& other : {each.published.reference, each.published.beside})
        if (!other.empty()) wanted.insert(other);
    }
  for (const std::string& name : names)
    if (std::ranges::none_of(cases(), [&](const Case& each) { return begins(name, each.name); }))
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

std::optional<double> Window::pixels() const {
  if (!beside || !after) return {};
  return (beside + *after) / 2.0;
}

bool Window::near() const {
  return pixels() && std::abs(*pixels() - kPublishedWindow) <= kNear * kPublishedWindow;
}

std::vector<Window> windows_of(const std::vector<Row>& rows) {
  // Ratio of times: 1 for concurrent pixels, 2 for sequential ones, such as a cluster's own two.
  constexpr double kSideBySide = 1.5;
  std::vector<Window> windows;
  const auto of = [&](const Row& row) { return std::ranges::find(windows, row.of->size, &Window::squares); };
  for (const Row& row : rows) {
    if (!row.of->apart || !row.ratio) continue;
    if (of(row) == windows.end()) windows.push_back({.squares = row.of->size});
    if (*row.ratio < kSideBySide) of(row)->beside = std::max(of(row)->beside, row.of->apart);
  }
  for (const Row& row : rows)
    if (const auto window = of(row); window != windows.end() && row.ratio && row.of->apart > window->beside)
      window->after = std::min(window->after.value_or(row.of->apart), row.of->apart);
  return windows;
}

std::optional<Window> window_of(const std::vector<Row>& rows) {
  const std::vector<Window> windows = windows_of(rows);
  return windows.empty() ? std::nullopt : std::optional(windows[0]);
}

namespace {

std::string window_text(const Window& window, bool judged) {
  const std::string of = window.squares ? fmt::format("window of squares of {}", window.squares) : "window";
  if (!window.beside) return of + ": no two slow pixels were shaded side by side\n";
  std::string text =
      fmt::format("{}: two slow pixels run side by side up to {} pixels apart", of, window.beside);
  if (!window.after) return text + ", the farthest that was tried\n";
  text += fmt::format(", and not at {}: {:.0f}", *window.after, *window.pixels());
  if (window.squares) return text + "; published: fewer, the smaller the squares\n";
  text += fmt::format("; published {:.0f}", kPublishedWindow);
  if (judged)
    text += fmt::format(", {:+.1f}%{}", 100 * (*window.pixels() / kPublishedWindow - 1),
                        window.near() ? "" : " not near");
  return text + "\n";
}

// Cases in which the slow pixel is too fast to tell anything.
std::string untold(const std::vector<Row>& rows) {
  const auto count = std::ranges::count_if(
      rows, [](const Row& row) { return !row.ratio && !row.of->published.beside.empty(); });
  if (!count) return "";
  return fmt::format("{} cannot be told: a slow pixel takes no longer than all that a frame takes without\n",
                     count);
}

// Compares a row with the published figure.
std::string comparison(const Row& row, bool judged) {
  const double published = row.of->published.ratio;
  if (!row.ratio || published <= 0) return "";
  std::string text = fmt::format(" {:>10.2f}", published);
  if (judged)
    text += fmt::format(" {:>+7.1f}% {}", 100 * (*row.ratio / published - 1), row.near ? "" : " not near");
  return text;
}

}  // namespace

std::string table(const std::vector<Row>& rows, const Device& device) {
  std::string text = fmt::format("{:<18} {:>14} {:>8} {:>10}{}\n", "experiment", device.unit, "ratio",
                                 "published", device.cpu ? "" : "      off");
  size_t judged = 0, near = 0;
  for (const Row& row : rows) {
    text += fmt::format("{:<18} {:>14.0f}", row.of->name, row.time);
    if (row.ratio) text += fmt::format(" {:>8.2f}", *row.ratio);
    text += comparison(row, !device.cpu);
    if (row.ratio && row.of->published.ratio > 0) judged++, near += row.near;
    while (text.back() == ' ') text.pop_back();
    text += "\n";
  }
  for (const Window& window : windows_of(rows)) {
    text += window_text(window, !device.cpu);
    if (!window.squares) judged++, near += window.near();
  }
  text += untold(rows);
  if (device.cpu)
    text +=
        "this device is a CPU: it has no multiprocessors, and what was measured on an 8800 GTS stands "
        "beside it without a verdict\n";
  else if (judged)
    text += fmt::format("{} of {} within {:.0f} % of what was measured on an 8800 GTS\n", near, judged,
                        100 * kNear);
  return text;
}

std::string json(const std::vector<Row>& rows, const Device& device) {
  nlohmann::ordered_json made = {{"machine", device.name}, {"unit", device.unit}, {"near", kNear}};
  if (device.cpu) made["cpu"] = true;
  auto& list = made["experiments"] = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    const Published& published = row.of->published;
    nlohmann::ordered_json one = {{"name", row.of->name}, {"what", row.of->what}, {"time", row.time}};
    if (row.ratio) one["reference"] = published.reference, one["ratio"] = *row.ratio;
    if (row.ratio && published.ratio > 0) {
      one["published"] = published.ratio, one["fact"] = published.fact;
      if (!device.cpu) one["within"] = row.near;
    }
    list.push_back(std::move(one));
  }
  for (const Window& window : windows_of(rows)) {
    nlohmann::ordered_json one = {{"beside", window.beside}};
    if (window.after) one["after"] = *window.after;
    if (window.pixels()) one["pixels"] = *window.pixels();
    if (window.squares) {
      made["windows_of_squares"][std::to_string(window.squares)] = std::move(one);
      continue;
    }
    one["published"] = kPublishedWindow, one["fact"] = "G80-3";
    if (!device.cpu) one["within"] = window.near();
    made["window"] = std::move(one);
  }
  return json_text(made, 1) + "\n";
}

}  // namespace cutaway::probe
