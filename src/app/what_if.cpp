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
#include "app/try_offers.h"
#include "base/error.h"
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

// A preset or a file may have changed since the run.
void check_same(report::RunReader& run, const machine::Config& config) {
  for (const report::ParameterText& parameter : sweep::parameters_of(config)) {
    const auto was = run.parameter(parameter.path);
    if (was != parameter.value)
      user_error("{}: {} was {} and is {} now: the machine has changed since the run; simulate again",
                 run.path().string(), parameter.path, was.value_or("not there"), parameter.value);
  }
}

uint64_t warmup_of(report::RunReader& run) {
  const std::string text = run.fact("warmup");
  uint64_t warmup = 0;
  std::from_chars(text.data(), text.data() + text.size(), warmup);
  return warmup;
}

// The cycles of the frames on a machine, or the reason why it cannot run them.
struct Measured {
  uint64_t cycles = 0;
  std::string refusal;
};

// Simulates the frames on all machines.
std::vector<Measured> measure(const std::vector<machine::Config>& machines, const capture::Reader& reader,
                              const std::vector<uint64_t>& frames, uint64_t warmup,
                              const CommandArguments& arguments) {
  std::vector<Measured> results(machines.size());
  report::Progress progress(arguments.quiet);
  std::map<std::pair<size_t, uint64_t>, double> shares;  // by machine and frame
  double done = 0;
  const double all =
      static_cast<double>(machines.size()) * static_cast<double>(frames.back() - frames.front() + 1);
  const auto show = [&](size_t machine, uint64_t frame, double share) {
    double& known = shares[{machine, frame}];
    done += share - std::exchange(known, share);
    progress.update(done / all, fmt::format("{}: frame {}", counted(machines.size(), "machine"), frame));
  };
  replay::MachinesOptions options{.warmup = warmup, .on_progress = show};
  options.jobs =
      arguments.machine.jobs ? arguments.machine.jobs : std::max(1u, std::thread::hardware_concurrency());
  options.on_frame = [&](size_t machine, replay::SimulatedFrame&& frame) {
    show(machine, frame.figures.frame, 1);
    if (std::find(frames.begin(), frames.end(), frame.figures.frame) != frames.end())
      results[machine].cycles += frame.figures.cycles;
  };
  options.on_refusal = [&](size_t machine, const std::string& why) { results[machine].refusal = why; };
  replay::simulate_machines(reader, frames.front(), frames.back(), machines, options);
  progress.clear();
  return results;
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

// Orders by time saved; refused tries follow.
bool saves_more(const WhatIf& a, const WhatIf& b) {
  if (a.refusal.empty() != b.refusal.empty()) return a.refusal.empty();
  return a.seconds_saved() > b.seconds_saved();
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
                    const std::vector<uint64_t>& frames, const std::vector<std::string>& automatic) {
  const MachineArguments as_it_was = machine_of(run);
  machine::Config config;
  load_machine(as_it_was, config);
  check_same(run, config);
  std::vector<std::string> asked = arguments.explain.tries;
  Tries tries{.automatic = std::erase(asked, kAutomaticTries) > 0};
  // Figures of different builds are not compared: the program could cause the difference.
  const bool again = run.fact("program_hash") != sweep::program_hash();
  std::vector<machine::Config> machines;
  const auto add = [&](const std::string& settings) {
    machine::load_config(machines.emplace_back(), as_it_was.gpu, as_it_was.sets, "--try", split(settings));
  };
  for (const std::string& settings : asked) add(settings);
  for (const std::string& settings : automatic)
    if (std::find(asked.begin(), asked.end(), settings) == asked.end()) add(settings);
  if (machines.empty()) return tries;
  if (again) machines.push_back(config);

  const std::string file =
      arguments.explain.capture.empty() ? run.fact("capture") : arguments.explain.capture;
  const std::vector<Measured> measured =
      measure(machines, open_capture(file), frames, warmup_of(run), arguments);
  for (const report::RunReader::Frame& frame : run.frames())
    if (std::find(frames.begin(), frames.end(), frame.frame) != frames.end())
      tries.cycles_before += frame.cycles;
  if (again && !measured.back().refusal.empty()) user_error("{}", measured.back().refusal);
  if (again) tries.recorded_cycles = std::exchange(tries.cycles_before, measured.back().cycles);
  tries.seconds_before = run_record::seconds_of(tries.cycles_before, config.gpu.core_mhz);
  for (size_t i = 0; i < machines.size() - again; i++) {
    if (i < asked.size() && !measured[i].refusal.empty())
      user_error("--try {}: {}", asked[i], measured[i].refusal);
    tries.results.push_back(
        {.changes = changes_of(config, machines[i]),
         .cycles_before = tries.cycles_before,
         .cycles_after = measured[i].cycles,
         .seconds_before = tries.seconds_before,
         .seconds_after = run_record::seconds_of(measured[i].cycles, machines[i].gpu.core_mhz),
         .refusal = measured[i].refusal});
  }
  std::stable_sort(tries.results.begin(), tries.results.end(), tries.automatic ? saves_more : pays_more);
  return tries;
}

namespace {

std::string rank_text(const Tries& tries) {
  std::string text = fmt::format("what was tried, what saves most of {} ({} cycles) first:\n",
                                 time_text(tries.seconds_before), grouped(tries.cycles_before));
  text += fmt::format("  {:>12} {:>8} {:>10} {:>14}  {}\n", "time saved", "", "time", "cycles", "change");
  for (const WhatIf& result : tries.results) {
    if (!result.refusal.empty()) continue;
    text += fmt::format("  {:>9.4f} ms {:>7.1f}% {:>10} {:>14}  {}\n", result.seconds_saved() * 1e3,
                        100 * result.saved(), time_text(result.seconds_after), grouped(result.cycles_after),
                        text_of(result));
  }
  return text;
}

std::string payoff_text(const std::vector<WhatIf>& results) {
  std::string text = "what was tried, what pays most for each that is added first:\n";
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

}  // namespace

std::string what_if_text(const Tries& tries) {
  if (tries.results.empty())
    return "nothing to try: no unit that holds the machine up has a parameter to change\n";
  std::string text;
  if (tries.recorded_cycles)
    text += fmt::format(
        "another build of cutaway made this run ({} cycles): it was simulated once more by this "
        "one ({} cycles), to compare with\n",
        grouped(*tries.recorded_cycles), grouped(tries.cycles_before));
  text += tries.automatic ? rank_text(tries) : payoff_text(tries.results);
  for (const WhatIf& result : tries.results)
    if (!result.refusal.empty())
      text += fmt::format("  cannot run it: {}: {}\n", text_of(result), one_line(result.refusal));
  return text;
}

nlohmann::ordered_json what_if_json(const std::vector<WhatIf>& results) {
  auto list = nlohmann::ordered_json::array();
  for (const WhatIf& result : results) {
    auto changes = nlohmann::ordered_json::array();
    for (const auto& change : result.changes)
      changes.push_back({{"parameter", change.path}, {"before", change.before}, {"after", change.after}});
    if (!result.refusal.empty()) {
      list.push_back({{"changes", std::move(changes)}, {"refused", result.refusal}});
      continue;
    }
    nlohmann::ordered_json one = {{"changes", std::move(changes)},
                                  {"cycles_before", result.cycles_before},
                                  {"cycles_after", result.cycles_after},
                                  {"milliseconds_before", result.seconds_before * 1e3},
                                  {"milliseconds_after", result.seconds_after * 1e3},
                                  {"milliseconds_saved", result.seconds_saved() * 1e3},
                                  {"saved", result.saved()}};
    if (result.added()) one["saved_for_each_added"] = result.saved() / *result.added();
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace cutaway::app
