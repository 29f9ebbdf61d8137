#include "report/roll_up.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "base/text.h"
#include "report/shared_label.h"
#include "run_record/figures.h"

namespace cutaway::report {
namespace {

struct Node {
  RollUpRow row;
  bool empty = true;  // no work so far
  std::vector<std::unique_ptr<Node>> below = {};

  Node& child(std::string_view name) {
    for (const auto& node : below)
      if (node->row.name == name) return *node;
    below.push_back(std::make_unique<Node>(Node{.row = {.name = std::string(name), .depth = row.depth + 1}}));
    return *below.back();
  }
  void add(const RunReader::Work& work) {
    if (empty) row.first_work = work.work, empty = false;
    row.cycles += work.marginal_cycles;
    row.draws += work.kind == "draw" && !work.of_driver;
  }
  void list(std::vector<RollUpRow>& rows) const {
    for (const auto& node : below) {
      rows.push_back(node->row);
      rows.back().depth--;
      node->list(rows);
    }
  }
};

// A bar of at most `width` characters.
std::string bar(double share, size_t width) {
  return std::string(static_cast<size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(width) + 0.5),
                     '#');
}

}  // namespace

std::vector<RollUpRow> by_label(std::span<const RunReader::Work> work) {
  Node root;
  for (const RunReader::Work& w : work) {
    Node* node = &root;
    const std::string label = w.label.empty() ? "(no label)" : w.label;
    const std::string path = w.owner.empty() ? label : w.owner + " / " + label;
    std::string_view rest = path;
    while (!rest.empty()) {
      const size_t cut = rest.find(" / ");
      node = &node->child(rest.substr(0, cut));
      node->add(w);
      rest = cut == std::string_view::npos ? std::string_view() : rest.substr(cut + 3);
    }
  }
  std::vector<RollUpRow> rows;
  root.list(rows);
  return rows;
}

std::vector<RollUpRow> by_pass(std::span<const RunReader::Work> work) {
  std::vector<RollUpRow> rows;
  std::vector<SharedLabel> labels;
  std::vector<std::string> owners;
  for (const RunReader::Work& w : work) {
    if (w.pass >= rows.size()) {
      rows.resize(w.pass + 1, {.first_work = w.work});
      labels.resize(w.pass + 1);
      owners.resize(w.pass + 1);
    }
    RollUpRow& row = rows[w.pass];
    owners[w.pass] = w.owner;
    if (w.kind == "draw" || w.kind == "dispatch") labels[w.pass].add(w.label);
    row.cycles += w.marginal_cycles;
    row.draws += w.kind == "draw" && !w.of_driver;
  }
  for (size_t pass = 0; pass < rows.size(); pass++) {
    const std::string& label = labels[pass].text();
    const std::string owner = owners[pass].empty() ? "" : fmt::format(" of {}", owners[pass]);
    rows[pass].name =
        fmt::format("pass {}{}", pass, owner) + (label.empty() ? "" : fmt::format(", '{}'", label));
  }
  return rows;
}

std::string roll_up_text(std::span<const RollUpRow> rows, uint64_t frame_cycles, double seconds,
                         size_t count) {
  std::string text;
  const auto whole = static_cast<double>(std::max<uint64_t>(frame_cycles, 1));
  for (size_t i = 0; i < std::min(rows.size(), count); i++) {
    const RollUpRow& row = rows[i];
    const double share = static_cast<double>(row.cycles) / whole;
    text += fmt::format("  {:>12} {:>10} {:>6.1f} % {:>6} {:<10}  {}{}\n", grouped(row.cycles),
                        time_text(seconds * share), 100 * share, row.draws, bar(share, 10),
                        std::string(size_t{2} * row.depth, ' '), one_line(row.name));
  }
  if (rows.size() > count) text += fmt::format("  and {} more\n", rows.size() - count);
  return text;
}

std::string frames_text(std::span<const RunReader::Frame> frames, double core_mhz) {
  if (frames.empty()) return {};
  std::vector<const RunReader::Frame*> sorted;
  for (const RunReader::Frame& frame : frames) sorted.push_back(&frame);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto* a, const auto* b) { return a->cycles < b->cycles; });
  const auto told = [&](const char* name, const RunReader::Frame& frame) {
    return fmt::format("  {:<7} frame {:>6} {:>14} cycles {:>10}\n", name, frame.frame, grouped(frame.cycles),
                       time_text(run_record::seconds_of(frame.cycles, core_mhz)));
  };
  std::string text = fmt::format("{} frames\n", frames.size());
  text += told("best", *sorted.front()) + told("median", *sorted[(sorted.size() - 1) / 2]) +
          told("worst", *sorted.back());
  constexpr size_t kRows = 24;
  const size_t each = (frames.size() + kRows - 1) / kRows;
  if (each > 1) text += fmt::format("  each line is the worst of {} frames:\n", each);
  for (size_t first = 0; first < frames.size(); first += each) {
    const auto part = frames.subspan(first, std::min(each, frames.size() - first));
    const RunReader::Frame& worst = *std::max_element(
        part.begin(), part.end(), [](const auto& a, const auto& b) { return a.cycles < b.cycles; });
    const double share =
        static_cast<double>(worst.cycles) / static_cast<double>(std::max<uint64_t>(sorted.back()->cycles, 1));
    text += fmt::format("  {:>6} {:>10}  {}\n", worst.frame,
                        time_text(run_record::seconds_of(worst.cycles, core_mhz)), bar(share, 50));
  }
  return text;
}

}  // namespace cutaway::report
