#include "report/shared_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/text.h"

namespace cutaway::report {
namespace {

using Json = nlohmann::ordered_json;
using run_record::FramePhases;
using run_record::SharedFigures;

constexpr int64_t kSharedFormat = 1;

Json json_of(const FramePhases& phases) {
  return {{"draws", phases.draws},
          {"copies", phases.copies},
          {"caches", phases.caches},
          {"display", phases.display},
          {"commands", phases.commands}};
}

Json json_of(const SharedFigures::Program& program) {
  Json json{{"capture", program.capture}, {"waited_cycles", program.waited}};
  if (!program.window.empty())
    json["window"] = program.window, json["waited_for_window_cycles"] = program.waited_for_window;
  if (const auto& lost = program.lost)
    json["lost"] = {{"frame", lost->frame}, {"cycle", lost->cycle}, {"why", lost->why}};
  if (const auto shares = program.shares())
    json["time_shares"] = {{"host", shares->host},
                           {"other_programs", shares->others},
                           {"window", shares->window},
                           {"gpu", shares->gpu}};
  if (const auto& host = program.host)
    json["host"] = {{"computed_cycles", host->computed},
                    {"alone_cycles", host->alone},
                    {"submissions", host->submissions},
                    {"waits", host->waits},
                    {"shown", host->shown},
                    {"latency_cycles", host->latency}};
  Json& frames = json["frames"] = Json::array();
  for (const SharedFigures::Frame& frame : program.frames) {
    frames.push_back({{"frame", frame.number},
                      {"begin_cycle", frame.begin},
                      {"end_cycle", frame.end},
                      {"alone_cycles", frame.alone},
                      {"left_out", frame.left_out}});
    if (frame.shown_in) frames.back()["shown_in"] = *frame.shown_in;
  }
  return json;
}

double slowdown(const SharedFigures::Frame& frame) {
  return frame.alone ? static_cast<double>(frame.end - frame.begin) / static_cast<double>(frame.alone) : 0;
}

double milliseconds(uint64_t cycles, double core_mhz) {
  return 1000 * run_record::seconds_of(cycles, core_mhz);
}

std::string host_text(const SharedFigures::Program& program, double core_mhz) {
  const SharedFigures::Host& host = *program.host;
  std::string text = fmt::format(
      "{}: its host computes {:.2f} ms, {:.2f} of them while the GPU has none of its submissions, and waits {} "
      "times",
      one_line(program.name), milliseconds(host.computed, core_mhz), milliseconds(host.alone, core_mhz),
      host.waits);
  // The time from the begin of a frame on the host to the first row of its picture on the screen, on average.
  if (host.shown)
    text += fmt::format("; {:.2f} ms from the begin of a frame to the screen",
                        milliseconds(host.latency, core_mhz) / static_cast<double>(host.shown));
  return text + "\n";
}

// The pictures of a program that a window of the first one shows.
std::string window_text(const SharedFigures& run, const SharedFigures::Program& program) {
  const auto [shown, latency] = run.in_window(program);
  std::string text =
      fmt::format("{}: its window in {} shows {} of it, and {} never", one_line(program.name),
                  one_line(run.programs.front().name), counted(shown, "picture"), program.left_out());
  if (shown)
    text += fmt::format("; {:.2f} ms from the begin of a frame to the end of the first frame that shows it",
                        milliseconds(latency, run.core_mhz) / static_cast<double>(shown));
  return text + "\n";
}

std::string left_out_text(const SharedFigures::Program& program) {
  const uint64_t pictures = program.left_out();
  if (!pictures) return "";
  return fmt::format("{}: {} left out, because a later one replaced it before the screen took it\n",
                     one_line(program.name), counted(pictures, "picture"));
}

std::string switches_text(const SharedFigures& run) {
  const SharedFigures::Switches& switches = run.switches;
  std::string text = fmt::format(
      "switches: {}, {} cycles to write caches back, {} to empty them, {} to bind memory clients\n",
      switches.switches, grouped(switches.flush_cycles), grouped(switches.invalidate_cycles),
      grouped(switches.bind_cycles));
  if (const SharedFigures::Preemptions& preemptions = run.preemptions; preemptions.preemptions)
    text += fmt::format(
        "within a submission: {} of them, {} cycles until its work had ended, {} bytes of state sent anew\n",
        preemptions.preemptions, grouped(preemptions.drain_cycles), grouped(preemptions.restored_bytes));
  return text;
}

// The cycles of each kind of work, alone and together, as the command processor counts them.
std::string phases_text(const SharedFigures& run) {
  const FramePhases &alone = run.alone, &together = run.together;
  std::string text =
      fmt::format("{:<35} {:>14} {:>14}\n", "cycles of all frames", "alone, summed", "together");
  const auto row = [&](const char* what, uint64_t alone_cycles, uint64_t cycles) {
    text += fmt::format("{:<35} {:>14} {:>14}\n", what, grouped(alone_cycles), grouped(cycles));
  };
  row("draws and dispatches", alone.draws, together.draws);
  row("copies and clears", alone.copies, together.copies);
  row("caches written back or emptied", alone.caches, together.caches);
  row("waits for the picture on display", alone.display, together.display);
  row("commands and loads", alone.commands, together.commands);
  const auto hosts = run.host_cycles();
  if (hosts) row("no submission: waits for the hosts", hosts->alone, hosts->together);
  const auto [alone_hosts, together_hosts] = hosts.value_or(SharedFigures::HostCycles{});
  row("sum", alone.sum() + alone_hosts, together.sum() + together_hosts);
  return text;
}

}  // namespace

std::string shared_json(const SharedFigures& run) {
  Json json{{"format", kSharedFormat}, {"gpu", run.gpu}, {"cycles", run.cycles}};
  json["core_mhz"] = run.core_mhz;
  json["schedule"] = run.schedule;
  json["slice_us"] = run.slice_us;
  json["switches"] = {{"switches", run.switches.switches},
                      {"flush_cycles", run.switches.flush_cycles},
                      {"invalidate_cycles", run.switches.invalidate_cycles},
                      {"bind_cycles", run.switches.bind_cycles}};
  json["preemptions"] = {{"preemptions", run.preemptions.preemptions},
                         {"drain_cycles", run.preemptions.drain_cycles},
                         {"restored_bytes", run.preemptions.restored_bytes}};
  Json alone = json_of(run.alone), together = json_of(run.together);
  if (const auto hosts = run.host_cycles())
    alone["hosts"] = hosts->alone, together["hosts"] = hosts->together;
  json["phases"] = {{"alone", std::move(alone)}, {"together", std::move(together)}};
  Json& programs = json["programs"] = Json::array();
  for (const SharedFigures::Program& program : run.programs) programs.push_back(json_of(program));
  return json_text(json);
}

std::string bound_text(const SharedFigures::Program& program) {
  const auto shares = program.shares();
  if (!shares) return "";
  const auto say = [](const char* what, double share) {
    return fmt::format("{} {:.0f} % of its time", what, 100 * share);
  };
  if (shares->window > std::max({shares->host, shares->others, shares->gpu}))
    return say("its window, for which it waits", shares->window);
  if (shares->host >= std::max(shares->others, shares->gpu))
    return say("its host, which computes while the GPU has none of its submissions,", shares->host);
  if (shares->others >= shares->gpu) return say("other programs, for which it waits", shares->others);
  return say("the GPU or the display, which are at work for it", shares->gpu);
}

std::string shared_text(const SharedFigures& run) {
  std::string text =
      fmt::format("{:<28} {:>6} {:>14} {:>14} {:>9}\n", "program", "frame", "alone", "together", "slowdown");
  for (const SharedFigures::Program& program : run.programs)
    for (const SharedFigures::Frame& frame : program.frames)
      text += fmt::format("{:<28} {:>6} {:>14} {:>14} {:>9.2f}\n", one_line(program.name), frame.number,
                          grouped(frame.alone), grouped(frame.end - frame.begin), slowdown(frame));
  text += "\n";
  for (const SharedFigures::Program& program : run.programs)
    if (const std::string bound = bound_text(program); !bound.empty())
      text += fmt::format("{} is bound by {}\n", one_line(program.name), bound);
  text += "\n";
  for (const SharedFigures::Program& program : run.programs)
    text += fmt::format("{}: its submissions waited {} cycles for the GPU\n", one_line(program.name),
                        grouped(program.waited));
  for (const SharedFigures::Program& program : run.programs)
    text += program.window.empty() ? left_out_text(program) : window_text(run, program);
  for (const SharedFigures::Program& program : run.programs)
    if (program.host) text += host_text(program, run.core_mhz);
  for (const SharedFigures::Program& program : run.programs)
    if (const auto& lost = program.lost)
      text += fmt::format("{}: lost in frame {} at cycle {}, and the GPU reset: {}\n", one_line(program.name),
                          lost->frame, grouped(lost->cycle), one_line(lost->why));
  return text + switches_text(run) + "\n" + phases_text(run);
}

}  // namespace cutaway::report
