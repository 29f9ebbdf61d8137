#pragma once

#include <string>
#include <vector>

#include "experiment/experiment_plan.h"
#include "experiment/results.h"
#include "experiment/verdict.h"

namespace cutaway::experiment {

// Why a claim stands as it does: what the statistics say of a machine whose numbers tell most.
struct Reason {
  std::string configuration;
  std::vector<std::string> findings;
};

// A finished experiment, for those who write it down.
struct Outcome {
  const ExperimentFile& file;
  const ExperimentPlan& plan;
  Results results;
  std::vector<Judgement> judgements;         // by claim
  std::vector<std::vector<Reason>> reasons;  // by claim
};

// Reads the records of all points, which are there, and judges. UserErrors of queries.
Outcome make_outcome(const ExperimentFile& file, const ExperimentPlan& plan,
                     const std::vector<ConfigurationRuns>& runs);

// "match.cutaway, frames 130..131; 24 configurations"
std::string measured_text(const Outcome& outcome);
// A line for each claim, for a terminal.
std::string verdict_lines(const Outcome& outcome);
// verdicts.md and verdicts.json: docs/experiments.md says what the members mean. command: that repeats it.
std::string verdicts_markdown(const Outcome& outcome, const std::string& command);
std::string verdicts_json(const Outcome& outcome);

}  // namespace cutaway::experiment
