#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

#include "app/commands.h"
#include "app/process.h"
#include "app/program_capture.h"
#include "app/run_points.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "probe/outcome.h"
#include "sweep/sweep.h"
#include "sweep/whole_file.h"

namespace cutaway::app {
namespace {

namespace fs = std::filesystem;
using probe::Case;
using probe::Times;
using Cases = std::vector<const Case*>;

constexpr const char* kDefaultFolder = "out/probe";

int list() {
  for (const Case& each : probe::cases()) {
    const probe::Published& published = each.published;
    std::string beside;
    if (published.ratio > 0)
      beside = fmt::format("{:.2f} of {} ({})", published.ratio, published.reference, published.fact);
    fmt::print("{:<20} {:<34} {}\n", each.name, beside, each.what);
  }
  return kOk;
}

// Beside the command, or where `cmake --install` puts it.
fs::path probe_program() {
  const fs::path command = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& place : {command / "cutaway-probe", command / "../libexec/cutaway/cutaway-probe"})
    if (fs::exists(place)) return fs::weakly_canonical(place);
  user_error("{}: the program that draws the experiments is missing; build or install the whole project",
             (command / "cutaway-probe").string());
}

// Captures of an earlier run are taken where the program is no newer.
bool is_newer(const fs::path& program, const fs::path& capture) {
  std::error_code error;
  const auto captured = fs::last_write_time(capture, error);
  return error || fs::last_write_time(program) > captured;
}

fs::path capture_of(const Case& of, const fs::path& folder, const CommandArguments& arguments,
                    report::Progress& progress) {
  const fs::path file = folder / (of.name + ".cutaway"), program = probe_program();
  if (!is_newer(program, file)) return file;
  CommandArguments captured = arguments;
  captured.program = {program.string(), of.name};
  captured.quiet = true;
  progress.update(-1, of.name + ": captured");
  const CapturedProgram outcome =
      capture_to(file, file.string(), captured, FrameRange{1, 1}, nullptr, progress);
  if (!outcome.frames) user_error("{}: {}", of.name, one_line(outcome.problem));
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

// Cycles of the core clock of each case, on the engine of sweeps. False: some failed.
bool simulate(const Cases& cases, const CommandArguments& arguments, const fs::path& out, Times& times) {
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
    for (const Case* each : cases) {
      plan.points.push_back(
          point_of(capture_of(*each, captures, arguments, progress), arguments, config, machine));
      case_of.emplace(plan.points.back().hash, each->name);
    }
  }
  sweep::Store store(folder.database());
  store.write_plan(plan);
  const sweep::Queue queue(folder.queue());
  queue.make();
  const sweep::SweepOutcome swept = run_points(arguments, plan, store, queue, {});
  for (const auto& failure : swept.failures)
    fmt::print(stderr, "failed: {}: {}\n", failure.point, failure.reason);
  auto results = store.database().prepare("SELECT hash, cycles FROM point JOIN result ON result.point = id");
  while (results.step())
    if (const auto found = case_of.find(results.text(0)); found != case_of.end())
      times[found->second] = results.real(1);
  return swept.failures.empty();
}

// A file's name that nobody else has; the file goes with the object.
class TemporaryFile {
 public:
  TemporaryFile() {
    path_ = (fs::temp_directory_path() / "cutaway-probe-XXXXXX").string();
    const int file = mkstemp(path_.data());
    if (file < 0) user_error("{}: cannot be made", path_);
    close(file);
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Nanoseconds of each case, and the device's name.
std::string measure(const Cases& cases, const CommandArguments& arguments, Times& times) {
  report::Progress progress(arguments.quiet);
  const TemporaryFile file;
  std::string device;
  for (const Case* each : cases) {
    progress.update(-1, each->name);
    Process process({.command = {probe_program().string(), each->name, "--times", file.path()},
                     .environment = {},
                     .keep_open = {}});
    const ProgramEnd end = process.wait();
    end_if_interrupted();
    if (!end.success()) user_error("{}: the program that draws it {}", each->name, end.text());
    std::ifstream lines(file.path());
    double nanoseconds = 0;
    std::getline(lines, device);
    if (!(lines >> nanoseconds)) user_error("{}: its driver has no timestamps", one_line(device));
    times[each->name] = nanoseconds;
  }
  return device;
}

}  // namespace

int probe(const CommandArguments& arguments) {
  const InterruptGuard guard;
  const ProbeArguments& asked = arguments.probe;
  if (asked.names == std::vector<std::string>{"list"}) return list();
  const Cases cases = probe::select(asked.names);
  const fs::path out = arguments.out.empty() ? kDefaultFolder : arguments.out;
  Times times;
  bool whole = true;
  std::string machine = arguments.machine.gpu;
  const char* unit = asked.driver ? "nanoseconds" : "cycles";
  if (asked.driver) machine = measure(cases, arguments, times);
  else whole = simulate(cases, arguments, out, times);
  const std::vector<probe::Row> rows = probe::rows(cases, times);
  fs::create_directories(out);
  sweep::write_whole(out / "probe.json", probe::json(rows, machine, unit));
  fmt::print("{}\n{}{}\n", machine, probe::table(rows, unit), (out / "probe.json").string());
  return whole ? kOk : kFailed;
}

}  // namespace cutaway::app
