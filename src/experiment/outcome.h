#pragma once

#include <string>
#include <vector>

#include "experiment/experiment_plan.h"
#include "experiment/results.h"
#include "experiment/verdict.h"

namespace cutaway::experiment {

// The reason for a verdict: the statistics of the machine with the most telling numbers.
struct Reason {
  std::string configuration;
  std::vector<std::string> findings;
};

// A finished experiment, ready for reports.
struct Outcome {
  const ExperimentFile& file;
  const ExperimentPlan& plan;
  Results results;
  std::vector<Judgement> judgements;         // by claim
  std::vector<std::vector<Reason>> reasons;  // by claim
};

// Reads the existing records of all points, and judges the claims. UserErrors of queries.
Outcome make_outcome(const ExperimentFile& file, const ExperimentPlan& plan,
                     const std::vector<ConfigurationRuns>& runs);

// "match.cutaway, frames 130..131; 24 configurations"
std::string measured_text(const Outcome& outcome);
// One line per claim, for a terminal.
std::string verdict_lines(const Outcome& outcome);
// verdicts.md and verdicts.json: docs/experiments.md defines the members. command: reproduces the result.
std::string verdicts_markdown(const Outcome& outcome, const std::string& command);
std::string verdicts_json(const Outcome& outcome);

}  // namespace cutaway::experiment
