#include "app/commands.h"
#include "app/run_points.h"
#include "app/terminal.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "experiment/figure_svg.h"
#include "experiment/outcome.h"
#include "sweep/sweep.h"

namespace cutaway::app {
namespace {

namespace fs = std::filesystem;
using experiment::ConfigurationRuns;
using experiment::ExperimentFile;
using experiment::ExperimentPlan;
using experiment::Outcome;

constexpr const char *kDefaultCapture = "out/match.cutaway", *kDefaultFolder = "out/experiments";

int list() {
  for (const fs::path& path : experiment::experiment_files()) {
    const ExperimentFile file = experiment::read_experiment_file(path);
    tell("{}  {}\n", file.name, file.title);
    const double seconds = file.seconds * static_cast<double>(file.configurations() * file.frames);
    tell("    {} ({}); {}, {} each", file.figure, fmt::format("{}", fmt::join(file.facts, ", ")),
         counted(file.configurations(), "configuration"), counted(file.frames, "frame"));
    if (seconds > 0) tell("; about {} on one core", duration_text(seconds));
    tell("\n");
    for (const experiment::Claim& claim : file.claims) tell("    {:<9} {}\n", claim.id, claim.words);
    tell("\n");
  }
  tell("cutaway experiment NAME... runs them; experiments/record_match.sh records the frames\n");
  return kOk;
}

fs::path capture_of(const ExperimentArguments& asked) {
  const fs::path path = asked.capture.empty() ? kDefaultCapture : asked.capture;
  std::error_code error;
  if (!fs::exists(path, error))
    user_error(
        "{}: no such capture; experiments/record_match.sh records the match that the experiments look at, "
        "and --capture FILE takes another one",
        path.string());
  return path;
}

std::string command_line_of(const CommandArguments& arguments, const ExperimentFile& file,
                            const ExperimentPlan& plan) {
  const std::string& capture = arguments.experiment.capture;
  return fmt::format("cutaway experiment {}{} --frames {}", file.name,
                     capture.empty() ? "" : " --capture " + one_line(capture), plan.frames.text());
}

// Removes leftovers of killed workers beside complete records. No worker may be running.
void remove_parts(const fs::path& records) {
  std::error_code error;  // files that cannot be removed do no harm
  for (const auto& entry : fs::directory_iterator(records, error))
    if (entry.path().string().find(".sqlite.") != std::string::npos) fs::remove(entry.path(), error);
}

std::vector<ConfigurationRuns> runs_of(const ExperimentPlan& plan, const sweep::Store& store,
                                       const sweep::Queue& queue) {
  const std::set<std::string> finished = store.finished();
  std::vector<ConfigurationRuns> runs;
  for (const ExperimentPlan::Configuration& configuration : plan.configurations) {
    ConfigurationRuns& run =
        runs.emplace_back(ConfigurationRuns{configuration.place, configuration.transistors, {}});
    for (const std::string& point : configuration.points) {
      const fs::path record = queue.record(point);
      if (!finished.contains(point)) continue;
      if (!fs::exists(record))
        user_error("{}: this record of a result is missing: move {} away and start again", record.string(),
                   store.database().path().string());
      run.records.push_back(record);
    }
    if (run.records.size() < configuration.points.size())
      run.records.clear();  // frames that differ from those of the others
  }
  return runs;
}

// Queries all records. An interrupt ends the queries only: the records stay.
Outcome outcome_of(const ExperimentFile& file, const ExperimentPlan& plan,
                   const std::vector<ConfigurationRuns>& runs) {
  try {
    return make_outcome(file, plan, runs);
  } catch (const UserError&) {
    if (interrupted())
      user_error("interrupted; all points are finished, their figures are not: the same command goes on");
    throw;
  }
}

void write_results(const Outcome& outcome, const fs::path& folder, const std::string& command) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) user_error("{}: cannot be made: {}", folder.string(), error.message());
  write_whole(folder / "results.csv", results_csv(outcome.file, outcome.results));
  for (size_t i = 0; i < outcome.file.series.size(); i++)
    write_whole(folder / (outcome.file.series[i].name + ".csv"),
                series_csv(outcome.file, outcome.results, i));
  write_whole(folder / "figure.svg", figure_svg(outcome.file, outcome.results, measured_text(outcome)));
  write_whole(folder / "verdicts.json", verdicts_json(outcome));
  write_whole(folder / "verdicts.md", verdicts_markdown(outcome, command));
}

// Returns true if every point has a result.
bool run_one(const CommandArguments& arguments, const ExperimentFile& file, const ExperimentPlan& plan,
             const sweep::SweepFolder& folder) {
  sweep::Store store(folder.database());
  store.write_plan(plan.plan);
  const sweep::Queue queue(folder.queue());
  queue.make();
  const sweep::SweepOutcome swept = run_points(arguments, plan.plan, store, queue, {});
  remove_parts(queue.record("").parent_path());
  const Outcome outcome = outcome_of(file, plan, runs_of(plan, store, queue));
  const fs::path results = folder.path() / file.name;
  write_results(outcome, results, command_line_of(arguments, file, plan));
  note_result(results);
  tell("{}: {}\n", file.name, measured_text(outcome));
  tell_lines(verdict_lines(outcome));
  for (const auto& failure : swept.failures) tell("  failed: {}: {}\n", failure.point, failure.reason);
  tell("  {}\n", results / "verdicts.md");
  return swept.failures.empty();
}

void print_plan(const ExperimentFile& file, const ExperimentPlan& plan) {
  tell("{}: {}\n", file.name, file.title);
  for (size_t i = 0; i < plan.plan.points.size(); i++) tell("{:>6}  {}\n", i + 1, plan.plan.points[i].text());
  if (plan.plan.duplicates) tell("{} that would be the same\n", plan.plan.duplicates);
}

}  // namespace

int experiment(const CommandArguments& arguments) {
  const InterruptGuard guard;
  const ExperimentArguments& asked = arguments.experiment;
  if (asked.names == std::vector<std::string>{"list"}) return list();
  // Reads all files and makes all machines before anything runs.
  std::vector<ExperimentFile> files;
  for (const std::string& name : asked.names)
    files.push_back(experiment::read_experiment_file(experiment::find_experiment(name)));
  const fs::path capture = capture_of(asked);
  std::vector<ExperimentPlan> plans;
  for (const ExperimentFile& file : files)
    plans.push_back(experiment::make_experiment_plan(file, capture, arguments.frames));
  if (arguments.sweep.dry_run) {
    for (size_t i = 0; i < files.size(); i++) print_plan(files[i], plans[i]);
    return kOk;
  }
  const sweep::SweepFolder folder(arguments.out.empty() ? kDefaultFolder : arguments.out);
  bool whole = true;
  for (size_t i = 0; i < files.size(); i++) whole &= run_one(arguments, files[i], plans[i], folder);
  return whole ? kOk : kFailed;
}

}  // namespace cutaway::app
