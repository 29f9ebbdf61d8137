#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/explain_json.h"
#include "app/terminal.h"
#include "app/text.h"
#include "app/try_offers.h"
#include "app/what_if.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/json_text.h"
#include "base/text.h"
#include "compiler/compiler.h"
#include "report/explanation.h"
#include "report/pixel_history.h"
#include "report/roll_up.h"
#include "report/shared_report.h"

namespace cutaway::app {
namespace {

using report::Explanation;
using report::RunReader;
using Json = nlohmann::ordered_json;

std::vector<std::string> spirv_lines(std::span<const uint32_t> spirv) {
  end_if_interrupted();
  return compiler::source_lines(spirv);
}

// The intervals of a frame that the arguments select.
RunReader::Scope intervals_of(const ExplainArguments& asked, RunReader& run, uint64_t frame) {
  RunReader::Scope scope{.frame = frame};
  const std::vector<RunReader::Interval> intervals = run.intervals(frame);
  for (const RunReader::Interval& interval : intervals) {
    const bool chosen = asked.interval
                            ? interval.interval == *asked.interval
                            : interval.ended >= asked.cycles->first && interval.began < asked.cycles->last;
    if (!chosen) continue;
    if (!scope.first_interval) scope.first_interval = interval.interval;
    scope.last_interval = interval.interval;
  }
  if (scope.first_interval) return scope;
  if (asked.interval)
    user_error("--interval {}: frame {} has {}, from 0 on", *asked.interval, frame,
               counted(intervals.size(), "interval"));
  user_error("--cycles {}: frame {} has {}", asked.cycles->text(), frame,
             counted(intervals.empty() ? 0 : intervals.back().ended, "cycle"));
}

// The part of a frame that the arguments select.
RunReader::Scope scope_of(const ExplainArguments& asked, RunReader& run, uint64_t frame) {
  if (asked.interval || asked.cycles) return intervals_of(asked, run, frame);
  RunReader::Scope scope{.frame = frame};
  if (asked.program) scope.context = *asked.program - 1;
  const std::vector<RunReader::Work>& work = run.work(frame);
  uint32_t draws = 0;
  for (const RunReader::Work& w : work) {
    draws += w.kind == "draw";
    const bool chosen = asked.work   ? w.work == *asked.work
                        : asked.draw ? w.kind == "draw" && draws == *asked.draw
                                     : asked.pass && w.pass == *asked.pass;
    if (!chosen) continue;
    if (!scope.first_work) scope.first_work = w.work;
    scope.last_work = w.work;
  }
  if (scope.first_work || !(asked.work || asked.draw || asked.pass)) return scope;
  const auto passes = work.empty() ? 0 : work.back().pass;
  if (asked.work) user_error("--work {}: frame {} has work 0 to {}", *asked.work, frame, work.size() - 1);
  if (asked.draw) user_error("--draw {}: frame {} has {}", *asked.draw, frame, counted(draws, "draw"));
  user_error("--pass {}: frame {} has passes 0 to {}", *asked.pass, frame, passes);
}

// Work in flight during some intervals.
std::vector<RunReader::Work> under_way(RunReader& run, const RunReader::Scope& scope) {
  const std::vector<RunReader::Interval> intervals = run.intervals(scope.frame);
  const uint64_t began = intervals.at(*scope.first_interval).began,
                 ended = intervals.at(*scope.last_interval).ended;
  std::vector<RunReader::Work> work = run.work(scope.frame);
  std::erase_if(work, [&](const auto& w) { return w.began >= ended || w.ended <= began; });
  return work;
}

void print_under_way(RunReader& run, const RunReader::Scope& scope, size_t count) {
  const std::vector<RunReader::Work> work = under_way(run, scope);
  tell("  under way: {}\n", counted(work.size(), "piece") + " of work");
  tell("  {:>5} {:>4} {:>12} {:>12}  {}\n", "work", "pass", "began", "ended", "what");
  for (size_t i = 0; i < std::min(work.size(), count); i++)
    tell("  {:>5} {:>4} {:>12} {:>12}  {}\n", work[i].work, work[i].pass, grouped(work[i].began),
         grouped(work[i].ended), title_of(work[i]));
}

std::vector<RunReader::Work> dearest(RunReader& run, const RunReader::Scope& scope, size_t count) {
  std::vector<RunReader::Work> work = run.work(scope.frame);
  std::erase_if(work, [&](const auto& w) { return !scope.has(w); });
  std::stable_sort(work.begin(), work.end(),
                   [](const auto& a, const auto& b) { return a.marginal_cycles > b.marginal_cycles; });
  if (work.size() > count) work.resize(count);
  return work;
}

void print_work(RunReader& run, const RunReader::Scope& scope, size_t count) {
  const std::vector<RunReader::Work> work = dearest(run, scope, count);
  if (work.size() < 2) return;
  tell("  what costs most, by marginal cycles (they sum to the frame's):\n");
  tell("  {:>5} {:>4} {:>12} {:>9}  {}\n", "work", "pass", "cycles", "indices", "what, and what held it up");
  for (const RunReader::Work& w : work) {
    const auto causes = causes_of(run, {.frame = scope.frame, .first_work = w.work, .last_work = w.work});
    tell_wrapped(fmt::format("  {:>5} {:>4} {:>12} {:>9}  {}: {}\n", w.work, w.pass,
                             grouped(w.marginal_cycles), w.kind == "draw" ? grouped(w.vertices) : "",
                             one_line(title_of(w)), causes_text(causes)));
  }
}

bool whole_frame(const RunReader::Scope& scope) {
  return !scope.first_work && !scope.first_interval && !scope.context;
}

// Scopes of the work of each program that has some in a frame; empty: the run is of one program.
std::vector<RunReader::Scope> programs_of(RunReader& run, const RunReader::Scope& frame) {
  std::vector<RunReader::Scope> scopes;
  const auto& shared = run.shared();
  for (uint32_t context = 0; shared && context < shared->programs.size(); context++) {
    const RunReader::Scope scope{.frame = frame.frame, .context = context};
    if (has_work(run, scope)) scopes.push_back(scope);
  }
  return scopes;
}

// A whole frame by label, or by pass if it has no labels.
void print_roll_up(RunReader& run, const RunReader::Scope& scope, const Explanation& frame) {
  constexpr size_t kRows = 40;
  const std::vector<RunReader::Work>& work = run.work(scope.frame);
  const auto print = [&](const char* title, const std::vector<report::RollUpRow>& rows) {
    tell("  {}:\n  {:>12} {:>10} {:>8} {:>6}\n", title, "cycles", "time", "share", "draws");
    tell_lines(report::roll_up_text(rows, frame.cycles, frame.seconds, kRows));
  };
  if (std::any_of(work.begin(), work.end(), [](const auto& w) { return !w.label.empty(); }))
    print("by label, marginal cycles", report::by_label(work));
  if (!work.empty() && work.back().pass > 0) print("by pass, marginal cycles", report::by_pass(work));
}

Explanation explain_scope(RunReader& run, const RunReader::Scope& scope, TryOffers& offers) {
  Explanation explanation = explain(run, scope, spirv_lines);
  offers.keep_legal(explanation);
  return explanation;
}

Json frame_json(RunReader& run, const RunReader::Scope& scope, size_t count, TryOffers& offers) {
  const Explanation explanation = explain_scope(run, scope, offers);
  offers.consider(explanation);
  Json json = json_of(explanation);
  json["frame"] = scope.frame;
  if (whole_frame(scope)) {
    const std::vector<RunReader::Work>& work = run.work(scope.frame);
    json["by_label"] = roll_up_json(report::by_label(work), json);
    json["by_pass"] = roll_up_json(report::by_pass(work), json);
    for (const RunReader::Scope& of_program : programs_of(run, scope)) {
      Json one = json_of(explain_scope(run, of_program, offers));
      one["program"] = *of_program.context + 1;
      json["programs"].push_back(std::move(one));
    }
  }
  json["work"] = Json::array();
  if (scope.first_interval) {
    json["first_interval"] = *scope.first_interval, json["last_interval"] = *scope.last_interval;
    for (const RunReader::Work& w : under_way(run, scope)) json["work"].push_back({{"work", w.work}});
    return json;
  }
  for (const RunReader::Work& w : dearest(run, scope, count)) {
    Json one = json_of(
        explain_scope(run, {.frame = scope.frame, .first_work = w.work, .last_work = w.work}, offers));
    one["work"] = w.work, one["pass"] = w.pass, one["kind"] = w.kind, one["label"] = w.label;
    if (!w.program.empty()) one["program"] = w.program;
    json["work"].push_back(std::move(one));
  }
  return json;
}

void print_json(const Json& json) { tell_exactly(json_text(json, 2) + "\n"); }

// --pixel, which allows only the options --frame, --pass and --json.
int tell_pixel(const ExplainArguments& asked, RunReader& run, const std::vector<uint64_t>& frames) {
  if (asked.work || asked.draw || asked.interval || asked.cycles || !asked.tries.empty())
    user_error("--pixel allows only the options --frame, --pass and --json");
  if (frames.size() > 1) user_error("choose a frame with --frame: the run has {}", frames.size());
  const report::PixelHistory history =
      report::pixel_history(run, frames.front(), static_cast<uint32_t>(asked.pixel->first),
                            static_cast<uint32_t>(asked.pixel->second), asked.pass);
  if (asked.json) print_json(history_json(history));
  else tell_lines(pixel_history_text(history));
  return kOk;
}

// The command that explains a frame of the run, to which --try can be added.
std::string command_of(const ExplainArguments& asked, uint64_t frame) {
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || strchr("/._-+", c); };
  std::string run = asked.run;
  if (!std::all_of(run.begin(), run.end(), plain)) {
    run = "'";
    for (const char c : asked.run) run += c == '\'' ? "'\\''" : std::string(1, c);
    run += "'";
  }
  return fmt::format("cutaway explain {} --frame {}", one_line(run), frame);
}

// Commands stay on one line, so that they can be copied.
void tell_explanation(const Explanation& explanation, const std::string& command) {
  const std::string text = explanation_text(explanation, command);
  if (command.empty()) return tell_wrapped(text);
  for (size_t begin = 0, end; begin < text.size(); begin = end) {
    end = std::min(text.size(), text.find('\n', begin) + 1);
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (line.find_first_not_of(' ') == line.find(command)) tell_lines(line);
    else tell_wrapped(line);
  }
}

constexpr size_t kFewFrames = 4;  // they are told one by one

// Tells many frames together. Returns the one to explain: the worst of `frames`.
std::vector<uint64_t> summarised(RunReader& run, const std::vector<uint64_t>& frames) {
  std::vector<RunReader::Frame> all = run.frames();
  std::erase_if(all, [&](const auto& frame) {
    return std::find(frames.begin(), frames.end(), frame.frame) == frames.end();
  });
  const std::string mhz = run.parameter("gpu.core_mhz").value_or("1");
  tell_lines(report::frames_text(all, std::strtod(mhz.c_str(), nullptr)));
  const uint64_t worst = std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
                           return a.cycles < b.cycles;
                         })->frame;
  tell("the worst is explained; another: --frame N; all, as JSON: --json\n\n");
  return {worst};
}

// UserError: a run of several programs does not answer this, or one of one program does not.
void check_programs(const ExplainArguments& asked, RunReader& run) {
  const auto& shared = run.shared();
  if (!shared) {
    if (asked.program) user_error("--program {}: the run is of one program", *asked.program);
    return;
  }
  const size_t programs = shared->programs.size();
  if (asked.program && *asked.program > programs)
    user_error("--program {}: the run is of {} programs", *asked.program, programs);
  if (asked.program && (asked.work || asked.draw || asked.pass || asked.interval || asked.cycles))
    user_error("--program: it allows no --work, --draw, --pass, --interval and --cycles");
  if (!asked.tries.empty() || asked.pixel)
    user_error("{}: the run is of {} programs, and this simulates or shows one; explain a run of its own",
               asked.pixel ? "--pixel" : "--try", programs);
}

// Leaves out the parts of a run in which the program of --program had no work. UserError: it had none in any.
void leave_out_idle(const ExplainArguments& asked, RunReader& run, std::vector<uint64_t>& frames) {
  std::erase_if(frames, [&](uint64_t frame) {
    return !has_work(run, {.frame = frame, .context = *asked.program - 1});
  });
  if (frames.empty())
    user_error("--program {}: it had no work on the GPU{}", *asked.program,
               asked.frame ? fmt::format(" in frame {}", *asked.frame) : "");
}

// Tells what held up a run of several programs: each of them, then the machine with all of their
// work.
void tell_programs(const report::RunReader::Scope& scope, RunReader& run, TryOffers& offers) {
  const std::vector<RunReader::Scope> programs = programs_of(run, scope);
  if (programs.empty()) return;
  tell(
      "\neach program, in the marginal cycles of its work; the wait for its turn and the switch to it are in "
      "them:\n");
  for (const RunReader::Scope& of_program : programs)
    tell_explanation(explain_scope(run, of_program, offers), "");
}

}  // namespace

int explain(const CommandArguments& arguments) {
  const InterruptGuard guard;
  const ExplainArguments& asked = arguments.explain;
  const int parts = int{asked.work.has_value()} + asked.draw.has_value() + asked.pass.has_value() +
                    asked.interval.has_value() + asked.cycles.has_value();
  if (parts > 1) user_error("--work, --draw, --pass, --interval and --cycles: give only one of them");
  RunReader run(asked.run);
  std::vector<uint64_t> frames;
  for (const RunReader::Frame& frame : run.frames())
    if (!asked.frame || frame.frame == *asked.frame) frames.push_back(frame.frame);
  check_programs(asked, run);
  if (frames.empty())
    user_error("--frame {}: {} has no such frame", asked.frame.value_or(0), run.path().string());
  if (asked.program) leave_out_idle(asked, run, frames);
  if (asked.pixel) return tell_pixel(asked, run, frames);
  if (parts && frames.size() > 1) user_error("choose a frame with --frame: the run has {}", frames.size());

  Json json = {{"gpu", run.fact("gpu")}, {"program", run.fact("program")}, {"frames", Json::array()}};
  const auto& shared = run.shared();
  if (shared) json["shared"] = Json::parse(report::shared_json(*shared));
  if (!asked.json) tell("{} on {}\n\n", run.fact("program"), run.fact("gpu"));
  if (!asked.json && shared && !asked.program && !parts) tell_lines(report::shared_text(*shared) + "\n");
  const std::vector<uint64_t> told =
      !asked.json && frames.size() > kFewFrames ? summarised(run, frames) : frames;
  TryOffers offers(run);
  for (const uint64_t frame : told) {
    const RunReader::Scope scope = scope_of(asked, run, frame);
    if (asked.json) {
      json["frames"].push_back(frame_json(run, scope, asked.draws, offers));
      continue;
    }
    const Explanation explanation = explain_scope(run, scope, offers);
    offers.consider(explanation);
    tell_explanation(explanation, shared ? "" : command_of(asked, frame));
    if (whole_frame(scope)) tell_programs(scope, run, offers);
    if (whole_frame(scope)) print_roll_up(run, scope, explanation);
    if (scope.first_interval) print_under_way(run, scope, asked.draws);
    else print_work(run, scope, asked.draws);
    tell("\n");
  }
  if (asked.tries.empty() && !asked.json && !shared && !offers.automatic().empty())
    tell(
        "to measure what the evidence names, up and down, ranked by the time that it saves:\n  {} --try auto\n",
        command_of(asked, told.front()));
  if (!asked.tries.empty()) {
    const bool automatic =
        std::find(asked.tries.begin(), asked.tries.end(), kAutomaticTries) != asked.tries.end();
    const Tries tries =
        measure_tries(arguments, run, frames, automatic ? offers.automatic() : std::vector<std::string>());
    if (asked.json) json["tries"] = what_if_json(tries.results);
    else tell_lines(what_if_text(tries));
    if (asked.json && tries.recorded_cycles) json["cycles_of_another_build"] = *tries.recorded_cycles;
  }
  if (asked.json) print_json(json);
  return kOk;
}

}  // namespace cutaway::app
