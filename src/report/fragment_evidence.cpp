#include "report/fragment_evidence.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "report/evidence.h"
#include "report/explanation.h"

namespace cutaway::report {
namespace {

using PassFragments = RunReader::PassFragments;

constexpr double kOverdraw = 1.5;     // fragments shaded for each pixel
constexpr double kHelpers = 0.25;     // share of all lanes
constexpr double kWorthNaming = 0.1;  // a draw's share of its pass
constexpr size_t kNamed = 3;          // most draws to name

double overdraw(const PassFragments& pass) { return ratio(pass.shaded, pass.pixels); }

// "work 5: draw 1 of submission 4 45 %, ...": the draws of the pass whose fragments were shaded most.
std::string draws_text(RunReader& run, uint64_t frame, const PassFragments& pass) {
  std::vector<std::pair<uint64_t, const RunReader::Work*>> draws;
  const std::vector<RunReader::Work>& all = run.work(frame);
  uint64_t sum = 0;
  for (const auto& [work, fragments] :
       run.shaded_fragments({.frame = frame, .first_work = pass.first_work, .last_work = pass.last_work})) {
    if (work < all.size()) draws.emplace_back(fragments, &all[work]);
    sum += fragments;
  }
  std::stable_sort(draws.begin(), draws.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (size_t i = 0; i < std::min(kNamed, draws.size()); i++) {
    if (ratio(draws[i].first, sum) < kWorthNaming) break;
    text += fmt::format("{}work {} ({}) {}", i ? ", " : "; of these ", draws[i].second->work,
                        one_line(title_of(*draws[i].second)), percent(draws[i].first, sum));
  }
  return text;
}

std::string overdraw_remark(RunReader& run, uint64_t frame, const PassFragments& pass) {
  return fmt::format(
      "overdraw: pass {} shades {} fragments in tiles of {} pixels, {:.1f} for each pixel{}. Draw opaque "
      "objects front to back or depth alone first, and leave out what others cover",
      pass.pass, grouped(pass.shaded), grouped(pass.pixels), overdraw(pass), draws_text(run, frame, pass));
}

}  // namespace

std::vector<std::string> fragment_remarks(RunReader& run, const RunReader::Scope& scope) {
  if (scope.first_interval) return {};
  const std::vector<PassFragments> passes = run.pass_fragments(scope);
  std::vector<std::string> remarks;
  const auto worst = std::max_element(passes.begin(), passes.end(),
                                      [](const auto& a, const auto& b) { return a.shaded < b.shaded; });
  if (worst != passes.end() && overdraw(*worst) >= kOverdraw)
    remarks.push_back(overdraw_remark(run, scope.frame, *worst));
  uint64_t shaded = 0, helpers = 0;
  for (const PassFragments& pass : passes) shaded += pass.shaded, helpers += pass.helpers;
  if (const double share = ratio(helpers, shaded + helpers); share >= kHelpers)
    remarks.push_back(fmt::format(
        "helper lanes: {} of the {} lanes of fragment groups stand for no fragment, since a quad of 2x2 is "
        "shaded whole; use larger triangles, for instance a coarser level of detail",
        percent(share), grouped(shaded + helpers)));
  return remarks;
}

}  // namespace cutaway::report
