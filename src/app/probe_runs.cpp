#include "app/probe_runs.h"

#include <fmt/format.h>

#include "app/program_capture.h"
#include "app/run_points.h"
#include "app/terminal.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "launch/process.h"
#include "sweep/sweep.h"

namespace cutaway::app {

namespace fs = std::filesystem;

fs::path probe_program() {
  const fs::path command = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& place : {command / "cutaway-probe", command / "../libexec/cutaway/cutaway-probe"})
    if (fs::exists(place)) return fs::weakly_canonical(place);
  user_error("{}: the program that draws the experiments is missing; build or install the whole project",
             (command / "cutaway-probe").string());
}

namespace {

// Captures of an earlier run are reused unless the program is newer.
bool is_newer(const fs::path& program, const fs::path& capture) {
  std::error_code error;
  const auto captured = fs::last_write_time(capture, error);
  return error || fs::last_write_time(program) > captured;
}

fs::path capture_of(const std::string& name, const fs::path& folder, const CommandArguments& arguments,
                    report::Progress& progress) {
  const fs::path file = folder / (name + ".cutaway"), program = probe_program();
  if (!is_newer(program, file)) return file;
  CommandArguments captured = arguments;
  captured.program = {program.string(), name};
  captured.quiet = true;
  captured.halves = true;
  progress.update(-1, name + ": captured");
  const CapturedProgram outcome =
      capture_to(file, file.string(), captured, FrameRange{1, 1}, nullptr, progress);
  if (!outcome.frames) {
    end_if_interrupted();
    user_error("{}: {}", name, one_line(outcome.problem));
  }
  return file;
}

sweep::Point point_of(const fs::path& capture, const CommandArguments& arguments,
                      const machine::Config& config, const std::string& machine) {
  sweep::Point point;
  point.capture = sweep::identify_capture(capture.filename().string(), fs::absolute(capture));
  point.gpu = arguments.machine.gpu;
  point.gpu_name = config.name;
  for (const std::string& set : arguments.machine.sets) {
    const size_t equals = set.find('=');
    point.settings.emplace_back(set.substr(0, equals), set.substr(equals + 1));
  }
  point.machine = machine;
  point.hash = identity_hash(point);
  return point;
}

}  // namespace

bool simulate_drawn(const std::vector<std::string>& names, const CommandArguments& arguments,
                    const fs::path& out, probe::Times& times, probe::Times& bytes_read) {
  machine::Config config;
  load_config(config, arguments.machine.gpu, arguments.machine.sets);
  const sweep::SweepFolder folder(out);
  const fs::path captures = folder.path() / "captures";
  fs::create_directories(captures);
  sweep::Plan plan;
  const std::string text = sweep::machine_text(config), machine = sweep::text_hash(text);
  plan.machines.emplace(machine, text);
  std::map<std::string, std::string> case_of;  // by point
  {
    report::Progress progress(arguments.quiet);
    for (const std::string& name : names) {
      plan.points.push_back(
          point_of(capture_of(name, captures, arguments, progress), arguments, config, machine));
      case_of.emplace(plan.points.back().hash, name);
    }
  }
  sweep::Store store(folder.database());
  store.write_plan(plan);
  const sweep::Queue queue(folder.queue());
  queue.make();
  const sweep::SweepOutcome swept = run_points(arguments, plan, store, queue, {});
  for (const auto& failure : swept.failures) tell_error("failed: {}: {}\n", failure.point, failure.reason);
  auto results =
      store.database().prepare("SELECT hash, cycles, bytes_read FROM point JOIN result ON result.point = id");
  while (results.step())
    if (const auto found = case_of.find(results.text(0)); found != case_of.end())
      times[found->second] = results.real(1), bytes_read[found->second] = results.real(2);
  return swept.failures.empty();
}

}  // namespace cutaway::app
