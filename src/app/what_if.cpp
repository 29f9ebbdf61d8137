#include "app/what_if.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "app/open_capture.h"
#include "app/simulation_run.h"
#include "app/text.h"
#include "base/error.h"
#include "base/json_depth.h"
#include "base/text.h"
#include "replay/simulation.h"
#include "report/progress.h"
#include "sweep/point.h"
#include "sweep/run_recording.h"

namespace cutaway::app {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t end; (end = text.find(';', begin)) != text.npos; begin = end + 1)
    parts.push_back(text.substr(begin, end - begin));
  parts.push_back(text.substr(begin));
  return parts;
}

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

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

// A preset or a file may have changed since the run.
void check_same(report::RunReader& run, const machine::Config& config) {
  for (const report::ParameterText& parameter : sweep::parameters_of(config)) {
    const auto was = run.parameter(parameter.path);
    if (was != parameter.value)
      user_error("{}: {} was {} and is {} now: the machine has changed since the run; simulate again",
                 run.path().string(), parameter.path, was.value_or("not there"), parameter.value);
  }
}

uint64_t cycles_of(const machine::Config& config, const capture::Reader& reader,
                   const std::vector<uint64_t>& frames, uint64_t warmup, unsigned jobs,
                   const std::function<void(uint64_t, uint64_t, double)>& on_progress) {
  uint64_t cycles = 0;
  std::map<uint64_t, double> shares;  // by frame
  const auto share = [&] {
    double sum = 0;
    for (const auto& [frame, done] : shares) sum += done;
    return sum / static_cast<double>(frames.back() - frames.front() + 1);
  };
  replay::SimulationOptions options{.config = config};
  options.jobs = jobs ? jobs : std::max(1u, std::thread::hardware_concurrency());
  options.warmup = warmup;
  options.on_progress = [&](uint64_t frame, uint64_t so_far, double done) {
    shares[frame] = done;
    on_progress(frame, so_far, share());
  };
  options.on_frame = [&](replay::SimulatedFrame&& frame) {
    shares[frame.figures.frame] = 1;
    if (std::find(frames.begin(), frames.end(), frame.figures.frame) != frames.end())
      cycles += frame.figures.cycles;
  };
  replay::simulate(reader, frames.front(), frames.back(), options);
  return cycles;
}

std::vector<WhatIf::Change> changes_of(machine::Config before, machine::Config after) {
  FieldTable table;
  after.list(table);
  FieldTable old;
  before.list(old);
  std::vector<WhatIf::Change> changes;
  for (const auto& field : table.fields()) {
    const std::string was = old.get(field->path);
    if (was != field->value()) changes.push_back({field->path, was, field->value()});
  }
  return changes;
}

std::string text_of(const WhatIf& what) {
  std::string text;
  for (const auto& change : what.changes)
    text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", change.path, one_line(change.before),
                        one_line(change.after));
  return text.empty() ? "nothing changed" : text;
}

// Orders by saving per unit added; tries without a single number follow, by saving.
bool pays_more(const WhatIf& a, const WhatIf& b) {
  if (a.added().has_value() != b.added().has_value()) return a.added().has_value();
  return a.saved() / a.added().value_or(1) > b.saved() / b.added().value_or(1);
}

}  // namespace

double WhatIf::saved() const { return seconds_before > 0 ? 1 - seconds_after / seconds_before : 0; }

std::optional<double> WhatIf::added() const {
  if (changes.size() != 1) return std::nullopt;
  const auto before = number(changes[0].before), after = number(changes[0].after);
  if (!before || !after || *after <= *before) return std::nullopt;
  return *after - *before;
}

Tries measure_tries(const CommandArguments& arguments, report::RunReader& run,
                    const std::vector<uint64_t>& frames) {
  const MachineArguments as_it_was = machine_of(run);
  machine::Config config;
  load_machine(as_it_was, config);
  check_same(run, config);
  std::vector<machine::Config> machines(arguments.explain.tries.size());
  for (size_t i = 0; i < machines.size(); i++)
    machine::load_config(machines[i], as_it_was.gpu, as_it_was.sets, "--try",
                         split(arguments.explain.tries[i]));

  const std::string file =
      arguments.explain.capture.empty() ? run.fact("capture") : arguments.explain.capture;
  const capture::Reader reader = open_capture(file);
  const std::string warmup_text = run.fact("warmup");
  uint64_t warmup = 0;
  std::from_chars(warmup_text.data(), warmup_text.data() + warmup_text.size(), warmup);
  uint64_t before = 0;
  for (const report::RunReader::Frame& frame : run.frames())
    if (std::find(frames.begin(), frames.end(), frame.frame) != frames.end()) before += frame.cycles;

  Tries tries;
  report::Progress progress(arguments.quiet);
  const bool again = run.fact("program_hash") != sweep::program_hash();
  const size_t all = machines.size() + again;
  size_t done = 0;
  const auto measure = [&](const machine::Config& machine, const std::string& what) {
    const auto show = [&](uint64_t frame, uint64_t cycles, double share) {
      progress.update((static_cast<double>(done) + share) / static_cast<double>(all),
                      fmt::format("{}: frame {}: {} cycles", what, frame, grouped(cycles)));
    };
    const uint64_t cycles = cycles_of(machine, reader, frames, warmup, arguments.machine.jobs, show);
    done++;
    return cycles;
  };
  // Figures of different builds are not compared: the program could cause the difference.
  if (again) tries.recorded_cycles = std::exchange(before, measure(config, "as it was"));
  for (size_t i = 0; i < machines.size(); i++) {
    const uint64_t after = measure(machines[i], fmt::format("try {} of {}", i + 1, machines.size()));
    tries.results.push_back({.changes = changes_of(config, machines[i]),
                             .cycles_before = before,
                             .cycles_after = after,
                             .seconds_before = run_record::seconds_of(before, config.gpu.core_mhz),
                             .seconds_after = run_record::seconds_of(after, machines[i].gpu.core_mhz)});
  }
  progress.clear();
  std::stable_sort(tries.results.begin(), tries.results.end(), pays_more);
  return tries;
}

std::string what_if_text(const Tries& tries) {
  const std::vector<WhatIf>& results = tries.results;
  std::string text;
  if (tries.recorded_cycles)
    text += fmt::format(
        "another build of cutaway made this run ({} cycles): it was simulated once more by this "
        "one ({} cycles), to compare with\n",
        grouped(*tries.recorded_cycles), grouped(results.front().cycles_before));
  text += "what was tried, what pays most for each that is added first:\n";
  text += fmt::format("  {:>14} {:>10} {:>14} {:>10} {:>10} {:>14}  {}\n", "cycles before", "time", "after",
                      "time", "time saved", "for each added", "change");
  for (const WhatIf& result : results) {
    const auto added = result.added();
    text += fmt::format("  {:>14} {:>10} {:>14} {:>10} {:>9.1f}% {:>14}  {}\n", grouped(result.cycles_before),
                        time_text(result.seconds_before), grouped(result.cycles_after),
                        time_text(result.seconds_after), 100 * result.saved(),
                        added ? fmt::format("{:.3g}%", 100 * result.saved() / *added) : "", text_of(result));
  }
  return text;
}

nlohmann::ordered_json what_if_json(const std::vector<WhatIf>& results) {
  auto list = nlohmann::ordered_json::array();
  for (const WhatIf& result : results) {
    auto changes = nlohmann::ordered_json::array();
    for (const auto& change : result.changes)
      changes.push_back({{"parameter", change.path}, {"before", change.before}, {"after", change.after}});
    nlohmann::ordered_json one = {{"changes", std::move(changes)},
                                  {"cycles_before", result.cycles_before},
                                  {"cycles_after", result.cycles_after},
                                  {"milliseconds_before", result.seconds_before * 1e3},
                                  {"milliseconds_after", result.seconds_after * 1e3},
                                  {"saved", result.saved()}};
    if (result.added()) one["saved_for_each_added"] = result.saved() / *result.added();
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace cutaway::app
