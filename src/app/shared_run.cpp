#include "app/shared_run.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/open_capture.h"
#include "app/simulation_run.h"
#include "app/terminal.h"
#include "base/error.h"
#include "base/json_text.h"
#include "base/text.h"
#include "replay/shared_gpu.h"
#include "report/png.h"

namespace cutaway::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kShared = "shared.json";
constexpr int64_t kSharedFormat = 1;

struct Program {
  explicit Program(const std::string& path, const std::optional<FrameRange>& asked)
      : file(path), reader(open_capture(path)), frames(frames_of(reader, path, asked)) {}

  std::string file;
  capture::Reader reader;
  FrameRange frames;
};

// The capture of the command, then those of --with.
std::deque<Program> programs_of(const CommandArguments& arguments) {
  std::deque<Program> programs;
  programs.emplace_back(arguments.file, arguments.frames);
  for (const std::string& file : arguments.shared.with) programs.emplace_back(file, arguments.shared.frames);
  return programs;
}

std::string name_of(const Program& program) { return std::filesystem::path(program.file).stem().string(); }

double slowdown(const replay::FrameTogether& frame) {
  return frame.alone ? static_cast<double>(frame.end - frame.begin) / static_cast<double>(frame.alone) : 0;
}

bool any_lost(const replay::SharedRun& run) {
  return std::any_of(run.programs.begin(), run.programs.end(),
                     [](const auto& program) { return program.lost.has_value(); });
}

double milliseconds(uint64_t cycles, double core_mhz) {
  return static_cast<double>(cycles) / core_mhz / 1000;
}

// The time from the begin of a frame on the host to the first row of its picture on the screen, on average.
double latency_ms(const machine::HostCounters& host, double core_mhz) {
  return host.shown ? milliseconds(host.latency, core_mhz) / static_cast<double>(host.shown) : 0;
}

void print_host(const std::string& program, const machine::HostCounters& host, double core_mhz) {
  tell(
      "{}: its host computes {:.2f} ms, {:.2f} of them while the GPU has none of its submissions, and waits {} "
      "times",
      program, milliseconds(host.computed, core_mhz), milliseconds(host.alone, core_mhz), host.waits);
  if (host.shown) tell("; {:.2f} ms from the begin of a frame to the screen", latency_ms(host, core_mhz));
  tell("\n");
}

// The parts of a program's time: its host computes while the GPU has none of its submissions, or is
// interrupted; its submissions wait for other programs; the rest, in which the GPU works for it or waits for
// the display.
struct TimeShares {
  double host = 0, others = 0, gpu = 0;
};

std::optional<TimeShares> shares_of(const replay::SharedRun::Program& program) {
  const uint64_t end = program.lost             ? program.lost->cycle
                       : program.frames.empty() ? 0
                                                : program.frames.back().end;
  if (!end) return {};
  const auto share = [&](uint64_t cycles) {
    return std::min(1.0, static_cast<double>(cycles) / static_cast<double>(end));
  };
  TimeShares shares{.host = share(program.host ? program.host->alone + program.host->interrupts : 0),
                    .others = share(program.waited)};
  shares.gpu = std::max(0.0, 1 - shares.host - shares.others);
  return shares;
}

// Prints what bounds a program: the largest part of its time.
void print_bound(const std::string& name, const replay::SharedRun::Program& program) {
  const auto shares = shares_of(program);
  if (!shares) return;
  const auto say = [&](const char* what, double share) {
    tell("{} is bound by {} {:.0f} % of its time\n", name, what, 100 * share);
  };
  if (shares->host >= std::max(shares->others, shares->gpu))
    say("its host, which computes while the GPU has none of its submissions,", shares->host);
  else if (shares->others >= shares->gpu) say("other programs, for which it waits", shares->others);
  else say("the GPU or the display, which are at work for it", shares->gpu);
}

// Cycles in which the GPU has no submission, since hosts compute.
struct HostCycles {
  uint64_t alone = 0, together = 0;
};

// None: hosts take no time.
std::optional<HostCycles> host_cycles(const replay::SharedRun& run) {
  if (run.programs.empty() || !run.programs.front().host) return {};
  uint64_t alone = 0;
  for (const auto& program : run.programs)
    for (const replay::FrameTogether& frame : program.frames) alone += frame.alone;
  return HostCycles{.alone = alone - std::min(alone, run.alone.sum()),
                    .together = run.cycles - std::min(run.cycles, run.together.sum())};
}

// Prints the cycles of each kind of work, alone and together, as the command processor counts them.
void print_phases(const replay::SharedRun& run) {
  const auto row = [](const char* what, uint64_t alone, uint64_t together) {
    tell("{:<35} {:>14} {:>14}\n", what, grouped(alone), grouped(together));
  };
  const run_record::FramePhases &alone = run.alone, &together = run.together;
  tell("{:<35} {:>14} {:>14}\n", "cycles of all frames", "alone, summed", "together");
  row("draws and dispatches", alone.draws, together.draws);
  row("copies and clears", alone.copies, together.copies);
  row("caches written back or emptied", alone.caches, together.caches);
  row("waits for the picture on display", alone.display, together.display);
  row("commands and loads", alone.commands, together.commands);
  const auto hosts = host_cycles(run);
  if (hosts) row("no submission: waits for the hosts", hosts->alone, hosts->together);
  const auto [alone_hosts, together_hosts] = hosts.value_or(HostCycles{});
  row("sum", alone.sum() + alone_hosts, together.sum() + together_hosts);
}

void print(const std::deque<Program>& programs, const replay::SharedRun& run, double core_mhz) {
  tell("{:<28} {:>6} {:>14} {:>14} {:>9}\n", "program", "frame", "alone", "together", "slowdown");
  for (size_t i = 0; i < programs.size(); i++)
    for (const replay::FrameTogether& frame : run.programs[i].frames)
      tell("{:<28} {:>6} {:>14} {:>14} {:>9.2f}\n", name_of(programs[i]), frame.number, grouped(frame.alone),
           grouped(frame.end - frame.begin), slowdown(frame));
  tell("\n");
  for (size_t i = 0; i < programs.size(); i++) print_bound(name_of(programs[i]), run.programs[i]);
  tell("\n");
  for (size_t i = 0; i < programs.size(); i++)
    tell("{}: its submissions waited {} cycles for the GPU\n", name_of(programs[i]),
         grouped(run.programs[i].waited));
  for (size_t i = 0; i < programs.size(); i++)
    if (const auto& host = run.programs[i].host) print_host(name_of(programs[i]), *host, core_mhz);
  for (size_t i = 0; i < programs.size(); i++)
    if (const auto& lost = run.programs[i].lost)
      tell("{}: lost in frame {} at cycle {}, and the GPU reset: {}\n", name_of(programs[i]), lost->frame,
           grouped(lost->cycle), lost->why);
  const machine::ContextSwitchCounters& switches = run.switches;
  tell("switches: {}, {} cycles to write caches back, {} to empty them, {} to bind memory clients\n",
       switches.switches, grouped(switches.flush_cycles), grouped(switches.invalidate_cycles),
       grouped(switches.bind_cycles));
  if (const machine::PreemptionCounters& preemptions = run.preemptions; preemptions.preemptions)
    tell("within a submission: {} of them, {} cycles until its work had ended, {} bytes of state sent anew\n",
         preemptions.preemptions, grouped(preemptions.drain_cycles), grouped(preemptions.restored_bytes));
  tell("\n");
  print_phases(run);
}

Json json_of_phases(const run_record::FramePhases& phases) {
  return {{"draws", phases.draws},
          {"copies", phases.copies},
          {"caches", phases.caches},
          {"display", phases.display},
          {"commands", phases.commands}};
}

Json json_of(const std::deque<Program>& programs, const replay::SharedRun& run,
             const machine::Config& config) {
  Json json{{"format", kSharedFormat}, {"gpu", config.name}, {"cycles", run.cycles}};
  json["core_mhz"] = config.gpu.core_mhz;
  json["schedule"] = config.command_processor.schedule.name;
  json["slice_us"] = config.command_processor.slice_us;
  json["switches"] = {{"switches", run.switches.switches},
                      {"flush_cycles", run.switches.flush_cycles},
                      {"invalidate_cycles", run.switches.invalidate_cycles},
                      {"bind_cycles", run.switches.bind_cycles}};
  json["preemptions"] = {{"preemptions", run.preemptions.preemptions},
                         {"drain_cycles", run.preemptions.drain_cycles},
                         {"restored_bytes", run.preemptions.restored_bytes}};
  Json alone = json_of_phases(run.alone), together = json_of_phases(run.together);
  if (const auto hosts = host_cycles(run)) alone["hosts"] = hosts->alone, together["hosts"] = hosts->together;
  json["phases"] = {{"alone", std::move(alone)}, {"together", std::move(together)}};
  Json& list = json["programs"] = Json::array();
  for (size_t i = 0; i < programs.size(); i++) {
    Json program{{"capture", programs[i].file}, {"waited_cycles", run.programs[i].waited}};
    if (const auto& lost = run.programs[i].lost)
      program["lost"] = {{"frame", lost->frame}, {"cycle", lost->cycle}, {"why", lost->why}};
    if (const auto shares = shares_of(run.programs[i]))
      program["time_shares"] = {
          {"host", shares->host}, {"other_programs", shares->others}, {"gpu", shares->gpu}};
    if (const auto& host = run.programs[i].host)
      program["host"] = {{"computed_cycles", host->computed},
                         {"alone_cycles", host->alone},
                         {"submissions", host->submissions},
                         {"waits", host->waits},
                         {"shown", host->shown},
                         {"latency_cycles", host->latency}};
    Json& frames = program["frames"] = Json::array();
    for (const replay::FrameTogether& frame : run.programs[i].frames)
      frames.push_back({{"frame", frame.number},
                        {"begin_cycle", frame.begin},
                        {"end_cycle", frame.end},
                        {"alone_cycles", frame.alone}});
    list.push_back(std::move(program));
  }
  return json;
}

void write_results(const std::deque<Program>& programs, const replay::SharedRun& run,
                   const machine::Config& config, report::OutputFolder& out) {
  for (size_t i = 0; i < programs.size(); i++)
    for (const replay::FrameTogether& frame : run.programs[i].frames)
      if (frame.picture)
        report::write_png(out.staged(fmt::format("frames/{}-{:04}.png", i + 1, frame.number)),
                          frame.picture->width, frame.picture->height, frame.picture->rgba);
  out.write(kShared, json_text(json_of(programs, run, config)));
  out.commit();
  note_result(out.path());
  tell("pictures: {}\nfigures: {}\n", out.pictures(), out.path() / kShared);
}

machine::Config machine_of(const CommandArguments& arguments, size_t programs) {
  machine::Config config;
  MachineArguments machine = arguments.machine;
  machine.sets.insert(machine.sets.begin(), fmt::format("command_processor.contexts={}", programs));
  if (arguments.shared.slice_us)
    machine.sets.push_back(fmt::format("command_processor.slice_us={}", *arguments.shared.slice_us));
  if (arguments.shared.preempts) machine.sets.push_back("command_processor.preempts=true");
  load_machine(machine, config);
  const unsigned contexts = config.command_processor.contexts;
  if (contexts < programs)
    user_error("command_processor.contexts: {} for {} programs; leave it out, or set at least {}", contexts,
               programs, programs);
  return config;
}

}  // namespace

int simulate_shared(const CommandArguments& arguments) {
  const std::deque<Program> programs = programs_of(arguments);
  replay::SharedOptions options{.config = machine_of(arguments, programs.size()),
                                .verify = arguments.machine.verify,
                                .seed = arguments.machine.seed,
                                .skip_idle = arguments.machine.skip_idle,
                                .watchdog_us = arguments.shared.watchdog_us.value_or(0),
                                .on_progress = {}};
  std::optional<report::OutputFolder> out;
  if (!arguments.out.empty()) out.emplace(arguments.out);
  report::Progress progress(arguments.quiet);
  options.on_progress = [&](const std::string& what, uint64_t cycles) {
    progress.update(-1, cycles ? fmt::format("{}: {} cycles", what, grouped(cycles)) : what);
  };
  std::vector<replay::SharedProgram> shared;
  for (const Program& program : programs)
    shared.push_back({program.reader, program.frames.first, program.frames.last});
  const replay::SharedRun run = replay::run_shared(shared, options);
  progress.clear();
  print(programs, run, options.config.gpu.core_mhz);
  if (out) write_results(programs, run, options.config, *out);
  bool differs = false;
  for (size_t i = 0; i < programs.size(); i++) {
    if (run.programs[i].difference.empty()) continue;
    tell("verify: {}: {}\n", name_of(programs[i]), run.programs[i].difference);
    differs = true;
  }
  if (options.verify && !differs)
    tell("verify: GPU memory and pictures of each program equal the emulator's{}\n",
         any_lost(run) ? "; of lost programs, the pictures of the frames before" : "");
  return differs || any_lost(run) ? kFailed : kOk;
}

}  // namespace cutaway::app
