#include "app/try_offers.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/json_depth.h"
#include "machine/config.h"

namespace cutaway::app {

using report::Explanation;
using report::Lever;

MachineArguments machine_of(report::RunReader& run) {
  MachineArguments machine;
  machine.gpu = run.fact("gpu_argument");
  const std::string text = run.fact("sets");
  const auto sets = nlohmann::json::parse(is_shallow_json(text) ? text : "", nullptr, false);
  if (machine.gpu.empty() || !sets.is_array())
    user_error("{}: the run does not record how its machine was made", run.path().string());
  for (const auto& set : sets)
    if (set.is_string()) machine.sets.push_back(set.get<std::string>());
  return machine;
}

TryOffers::TryOffers(report::RunReader& run) {
  try {
    machine_ = machine_of(run);
    machine::Config config;
    machine::load_config(config, machine_.gpu, machine_.sets);
  } catch (const UserError&) { known_ = false; }
}

bool TryOffers::legal(const std::string& setting) {
  if (!known_) return false;
  const auto [found, fresh] = legal_.try_emplace(setting, true);
  if (fresh) try {
      machine::Config config;
      machine::load_config(config, machine_.gpu, machine_.sets, "--try", {setting});
    } catch (const UserError&) { found->second = false; }
  return found->second;
}

void TryOffers::keep_legal(Explanation& explanation) {
  for (Explanation::Cause& cause : explanation.causes)
    for (report::Finding& finding : cause.evidence)
      for (Lever& lever : finding.levers)
        for (std::string* value : {&lever.helpful, &lever.opposite})
          if (!value->empty() && !legal(lever.parameter + "=" + *value)) value->clear();
}

void TryOffers::consider(const Explanation& explanation) {
  for (const Explanation::Cause& cause : explanation.causes) {
    if (cause.share < Explanation::kTold) continue;
    std::set<std::string> named;  // by the evidence of this cause
    for (const report::Finding& finding : cause.evidence)
      for (const Lever& lever : finding.levers) {
        if (!named.insert(lever.parameter).second) continue;
        auto found = std::find_if(considered_.begin(), considered_.end(), [&](const Considered& one) {
          return one.lever.parameter == lever.parameter;
        });
        if (found == considered_.end()) found = considered_.insert(found, Considered{lever});
        found->seconds += cause.share * explanation.seconds;
      }
  }
}

std::vector<std::string> TryOffers::automatic() const {
  std::vector<Considered> order = considered_;
  std::stable_sort(order.begin(), order.end(),
                   [](const Considered& a, const Considered& b) { return a.seconds > b.seconds; });
  std::vector<std::string> tries;
  for (const auto& [value, most] : {std::pair(&Lever::helpful, kMostHelpful), {&Lever::opposite, kMost}})
    for (const Considered& one : order)
      if (!(one.lever.*value).empty() && tries.size() < most)
        tries.push_back(one.lever.parameter + "=" + one.lever.*value);
  return tries;
}

}  // namespace cutaway::app
