#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

#include "app/commands.h"
#include "app/probe_pictures.h"
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

// Has the driver of this computer draw a case, and something of it written to a file.
void draw_by_driver(const Case& of, const char* option, const std::string& file) {
  Process process(
      {.command = {probe_program().string(), of.name, option, file}, .environment = {}, .keep_open = {}});
  const ProgramEnd end = process.wait();
  end_if_interrupted();
  if (!end.success()) user_error("{}: the program that draws it {}", of.name, end.text());
}

// Nanoseconds of each case, and who drew it.
probe::Device measure(const Cases& cases, const CommandArguments& arguments, Times& times) {
  report::Progress progress(arguments.quiet);
  const TemporaryFile file;
  probe::Device device{"", "nanoseconds"};
  for (const Case* each : cases) {
    progress.update(-1, each->name);
    draw_by_driver(*each, "--times", file.path());
    std::ifstream lines(file.path());
    double nanoseconds = 0;
    std::string kind;
    std::getline(lines, device.name);
    std::getline(lines, kind);
    if (!(lines >> nanoseconds)) user_error("{}: its driver has no timestamps", one_line(device.name));
    device.cpu = kind == "cpu";
    times[each->name] = nanoseconds;
  }
  return device;
}

probe::Order order_by_driver(const Case& of, const std::string& device) {
  const TemporaryFile file;
  draw_by_driver(of, "--order", file.path());
  std::vector<uint32_t> ranks(size_t{probe::kWindow} * probe::kWindow);
  const auto bytes = static_cast<std::streamsize>(ranks.size() * sizeof ranks[0]);
  std::ifstream in(file.path(), std::ios::binary);
  if (!in.read(reinterpret_cast<char*>(ranks.data()), bytes))
    user_error("{}: its driver has no stores and atomics in fragment programs, which tell the order",
               one_line(device));
  return probe::order_of(ranks);
}

// The order in which fragments end, of the cases that were drawn; the page of them.
fs::path draw_order(const Cases& cases, const CommandArguments& arguments, const std::string& machine,
                    const fs::path& out) {
  report::Progress progress(arguments.quiet);
  if (arguments.probe.driver)
    return write_pictures(cases, machine, 1, out / "pictures", [&](const Case& of) {
      progress.update(-1, of.name + ": the order of its fragments");
      return order_by_driver(of, machine);
    });
  machine::Config config;
  load_config(config, arguments.machine.gpu, arguments.machine.sets);
  const uint32_t units = config.runs(arch::Stage::kFragment).topology.units_per_cluster;
  return write_pictures(cases, machine, units, out / "pictures", [&](const Case& of) {
    return watch_order(out / "captures" / (of.name + ".cutaway"), config, [&](uint64_t, double share) {
      end_if_interrupted();
      progress.update(share, of.name + ": the order of its fragments");
    });
  });
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
  probe::Device device{arguments.machine.gpu, "cycles"};
  if (asked.driver) device = measure(cases, arguments, times);
  else whole = simulate(cases, arguments, out, times);
  const std::vector<probe::Row> rows = probe::rows(cases, times);
  fs::create_directories(out);
  sweep::write_whole(out / "probe.json", probe::json(rows, device));
  fmt::print("{}\n{}{}\n", device.name, probe::table(rows, device), (out / "probe.json").string());
  if (asked.pictures && whole) fmt::print("{}\n", draw_order(cases, arguments, device.name, out).string());
  return whole ? kOk : kFailed;
}

}  // namespace cutaway::app
