#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

#include "app/commands.h"
#include "app/probe_pictures.h"
#include "app/probe_runs.h"
#include "app/terminal.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "launch/process.h"
#include "probe/outcome.h"

namespace cutaway::app {
namespace {

namespace fs = std::filesystem;
using probe::Case;
using probe::Times;
using Cases = std::vector<const Case*>;

constexpr const char* kProbeFolder = "out/probe";

int list_probes() {
  for (const Case& each : probe::cases()) {
    const probe::Published& published = each.published;
    std::string beside;
    if (published.ratio > 0)
      beside = fmt::format("{:.2f} of {} ({})", published.ratio, published.reference, published.fact);
    tell("{:<20} {:<34} {}\n", each.name, beside, each.what);
  }
  return kOk;
}

// The answer to the command without arguments, which would work for minutes.
int tell_measurements() {
  constexpr double kSeconds = 1;  // of one core for each experiment, on average
  const size_t count = probe::select({}).size();
  tell(
      "cutaway probe all draws {} on the preset attila: about {} on one core\n"
      "cutaway probe E1 --gpu g80 draws those whose names begin with E1 on another preset\n"
      "cutaway probe list names them; cutaway probe --help tells the rest\n",
      counted(count, "experiment"), duration_text(kSeconds * static_cast<double>(count)));
  return kOk;
}

std::vector<std::string> names_of(const Cases& cases) {
  std::vector<std::string> names;
  for (const Case* each : cases) names.push_back(each->name);
  return names;
}

// A unique file name; the destructor removes the file.
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

// Draws a case with this computer's driver and writes a result to a file.
void draw_by_driver(const Case& of, const char* option, const std::string& file) {
  launch::Process process(
      {.command = {probe_program().string(), of.name, option, file}, .environment = {}, .keep_open = {}});
  const launch::ProgramEnd end = process.wait();
  end_if_interrupted();
  if (!end.success()) user_error("{}: the program that draws it {}", of.name, end.text());
}

// Measures the nanoseconds of each case; returns the device.
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

// Writes the fragments' order of ending for the drawn cases; returns the page.
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
  if (asked.names == std::vector<std::string>{"list"}) return list_probes();
  if (arguments.bare) return tell_measurements();
  const bool all = asked.names == std::vector<std::string>{"all"};
  const Cases cases = probe::select(all ? std::vector<std::string>{} : asked.names);
  const fs::path out = arguments.out.empty() ? kProbeFolder : arguments.out;
  Times times, bytes_read;
  bool whole = true;
  probe::Device device{arguments.machine.gpu, "cycles"};
  if (asked.driver) device = measure(cases, arguments, times);
  else whole = simulate_drawn(names_of(cases), arguments, out, times, bytes_read);
  const std::vector<probe::Row> rows = probe::rows(cases, times);
  fs::create_directories(out);
  write_whole(out / "probe.json", probe::json(rows, device));
  note_result(out);
  tell("{}\n", device.name);
  tell_lines(probe::table(rows, device));
  tell("{}\n", out / "probe.json");
  if (asked.pictures && whole) tell("{}\n", draw_order(cases, arguments, device.name, out));
  return whole ? kOk : kFailed;
}

}  // namespace cutaway::app
