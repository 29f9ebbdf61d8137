#include "experiment/outcome.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/text.h"
#include "experiment/findings.h"

namespace cutaway::experiment {
namespace {

using Json = nlohmann::ordered_json;
constexpr size_t kMostReasons = 2;  // configurations described per claim
constexpr size_t kMostValues = 6;   // in a line or a table cell

// A claim's measured values, briefly: the single value, or the range.
std::string measured(const Judgement& judgement) {
  const Claim& claim = *judgement.claim;
  if (judgement.values.empty()) return "nothing";
  double least = judgement.values[0].value, most = least;
  for (const ClaimValue& value : judgement.values) {
    if (std::isnan(value.value)) return "not measured";
    least = std::min(least, value.value), most = std::max(most, value.value);
  }
  const std::string one = value_text(claim, least), other = value_text(claim, most);
  if (one == other) return one;
  const auto within = std::count_if(judgement.values.begin(), judgement.values.end(),
                                    [](const ClaimValue& value) { return value.within; });
  return fmt::format("{} to {}; {} of {} within", one, other, within, judgement.values.size());
}

// Its values with their configurations: only those outside the bounds if they are few, otherwise all.
std::string values_text(const Judgement& judgement) {
  std::string text;
  size_t told = 0, left = 0;
  const bool some_outside = std::any_of(judgement.values.begin(), judgement.values.end(),
                                        [](const ClaimValue& value) { return !value.within; });
  for (const ClaimValue& value : judgement.values) {
    if (value.at.empty() || (some_outside && value.within)) continue;
    if (told == kMostValues) {
      left++;
      continue;
    }
    text += fmt::format("{}{}: {}", told++ ? "; " : "", value.at, value_text(*judgement.claim, value.value));
  }
  if (left) text += fmt::format("; and {} more", left);
  return text.empty() ? "" : (some_outside ? "Outside: " : "") + text + ".";
}

std::vector<Reason> reasons_of(const Judgement& judgement, const Table& table,
                               const std::vector<ConfigurationRuns>& runs,
                               std::map<size_t, std::vector<std::string>>& known) {
  std::vector<Reason> reasons;
  if (judgement.values.empty()) return reasons;
  for (const size_t index : judgement.values[judgement.telling].configurations) {
    if (reasons.size() == kMostReasons) break;
    auto [it, fresh] = known.try_emplace(index);
    if (fresh) it->second = findings(runs[index].records);
    reasons.push_back({table.text(table.place(index)), it->second});
  }
  return reasons;
}

// The section of one claim: measured values, and the bottlenecks of the most telling machines.
std::string claim_section(const Judgement& judgement, const std::vector<Reason>& reasons) {
  const Claim& claim = *judgement.claim;
  std::string text = fmt::format("\n## {} {}\n\nThe paper, {}: {}. `{}`: {}; measured: {}.", claim.id,
                                 verdict_text(judgement.verdict), claim.source, claim.words,
                                 claim.value->text(), bounds_text(claim), measured(judgement));
  const std::string values = values_text(judgement);
  text += (values.empty() ? "" : " " + values) + "\n\n";
  if (!judgement.missing.empty()) text += fmt::format("It cannot be told: {}.\n\n", judgement.missing);
  for (const Reason& reason : reasons)
    if (!reason.findings.empty())
      text += fmt::format("- {}: {}\n", reason.configuration, one_line(reason.findings.front()));
  return text;
}

// All findings of each machine that some claim names, once.
std::string machines_section(const Outcome& outcome) {
  std::map<std::string, const Reason*> machines;
  for (const auto& reasons : outcome.reasons)
    for (const Reason& reason : reasons) machines.try_emplace(reason.configuration, &reason);
  if (machines.empty()) return "";
  std::string text = "\n## What the statistics say of these machines\n\n";
  for (const auto& [name, reason] : machines) {
    text += fmt::format("- {}\n", name);
    for (const std::string& finding : reason->findings) text += fmt::format("  - {}\n", one_line(finding));
  }
  return text;
}

Json number(double value) { return std::isnan(value) ? Json(nullptr) : Json(value); }
Json bound(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json json_of(const Judgement& judgement, const std::vector<Reason>& reasons) {
  const Claim& claim = *judgement.claim;
  Json values = Json::array(), told = Json::array();
  for (const ClaimValue& value : judgement.values)
    values.push_back({{"at", value.at}, {"value", number(value.value)}, {"within", value.within}});
  for (const Reason& reason : reasons)
    told.push_back({{"configuration", reason.configuration}, {"findings", reason.findings}});
  return {{"id", claim.id},
          {"words", claim.words},
          {"source", claim.source},
          {"formula", claim.value->text()},
          {"unit", claim.unit},
          {"least", bound(claim.least)},
          {"most", bound(claim.most)},
          {"least_part", bound(claim.least_part)},
          {"most_part", bound(claim.most_part)},
          {"verdict", verdict_text(judgement.verdict)},
          {"missing", judgement.missing},
          {"values", std::move(values)},
          {"reasons", std::move(told)}};
}

}  // namespace

Outcome make_outcome(const ExperimentFile& file, const ExperimentPlan& plan,
                     const std::vector<ConfigurationRuns>& runs) {
  Outcome outcome{file, plan, read_results(file, runs), {}, {}};
  std::map<size_t, std::vector<std::string>> known;
  for (const Claim& claim : file.claims) {
    outcome.judgements.push_back(judge(claim, outcome.results.table));
    outcome.reasons.push_back(reasons_of(outcome.judgements.back(), outcome.results.table, runs, known));
  }
  return outcome;
}

std::string measured_text(const Outcome& outcome) {
  return fmt::format("{}, frame{} {}; {}", one_line(outcome.plan.capture.path.filename().string()),
                     outcome.plan.frames.first == outcome.plan.frames.last ? "" : "s",
                     outcome.plan.frames.text(), counted(outcome.file.configurations(), "configuration"));
}

std::string verdict_lines(const Outcome& outcome) {
  std::string text;
  for (const Judgement& judgement : outcome.judgements)
    text += fmt::format("  {:<9} {:<14} {}: {} (paper: {})\n", one_line(judgement.claim->id),
                        verdict_text(judgement.verdict), one_line(judgement.claim->words),
                        measured(judgement), bounds_text(*judgement.claim));
  return text;
}

std::string verdicts_markdown(const Outcome& outcome, const std::string& command) {
  const ExperimentFile& file = outcome.file;
  std::string text = fmt::format("# {}\n\n", file.title);
  if (!file.about.empty()) text += file.about + "\n\n";
  text += fmt::format("Measured: {}. Again: `{}`\n\n![{}](figure.svg)\n\n", measured_text(outcome), command,
                      file.title);
  text += "| claim | verdict | the paper | measured |\n|---|---|---|---|\n";
  for (const Judgement& judgement : outcome.judgements)
    text +=
        fmt::format("| {} | **{}** | {} ({}) | {} |\n", judgement.claim->id, verdict_text(judgement.verdict),
                    judgement.claim->words, bounds_text(*judgement.claim), measured(judgement));
  for (size_t i = 0; i < outcome.judgements.size(); i++)
    text += claim_section(outcome.judgements[i], outcome.reasons[i]);
  text += machines_section(outcome);
  return text;
}

std::string verdicts_json(const Outcome& outcome) {
  const ExperimentFile& file = outcome.file;
  const ExperimentPlan& plan = outcome.plan;
  Json claims = Json::array();
  for (size_t i = 0; i < outcome.judgements.size(); i++)
    claims.push_back(json_of(outcome.judgements[i], outcome.reasons[i]));
  const Json json = {{"experiment", file.name},
                     {"title", file.title},
                     {"figure", file.figure},
                     {"facts", file.facts},
                     {"capture", plan.capture.path.filename().string()},
                     {"capture_hash", plan.capture.hash},
                     {"first_frame", plan.frames.first},
                     {"last_frame", plan.frames.last},
                     {"program_hash", sweep::program_hash()},
                     {"configurations", file.configurations()},
                     {"claims", std::move(claims)}};
  return json_text(json, 2) + "\n";
}

}  // namespace cutaway::experiment
