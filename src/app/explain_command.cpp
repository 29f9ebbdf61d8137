#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "app/commands.h"
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
  std::erase_if(work, [&](const auto& w) {
    return w.work < scope.first_work.value_or(0) || w.work > scope.last_work.value_or(~0u);
  });
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

bool whole_frame(const RunReader::Scope& scope) { return !scope.first_work && !scope.first_interval; }

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

Json roll_up_json(const std::vector<report::RollUpRow>& rows, const Json& frame) {
  Json json = Json::array();
  const double whole = std::max(1.0, frame.at("cycles").get<double>());
  for (const report::RollUpRow& row : rows)
    json.push_back(
        {{"name", row.name},
         {"depth", row.depth},
         {"cycles", row.cycles},
         {"milliseconds", frame.at("milliseconds").get<double>() * static_cast<double>(row.cycles) / whole},
         {"share", static_cast<double>(row.cycles) / whole},
         {"draws", row.draws}});
  return json;
}

// Lists the values of --try that a sentence of evidence offers.
Json tries_json(const report::Finding& finding) {
  Json tries = Json::array();
  for (const report::Lever& lever : finding.levers)
    if (!lever.helpful.empty()) tries.push_back(lever.parameter + "=" + lever.helpful);
  return tries;
}

Json json_of(const Explanation& explanation) {
  Json causes = Json::array(), waits = Json::array();
  for (const auto& cause : explanation.causes) {
    Json sentences = Json::array(), tries = Json::array();
    for (const report::Finding& finding : cause.evidence) {
      sentences.push_back(finding.sentence);
      tries.push_back(tries_json(finding));
    }
    causes.push_back({{"kind", cause.kind},
                      {"stage", cause.stage},
                      {"words", cause.words},
                      {"share", cause.share},
                      {"evidence", std::move(sentences)},
                      {"tries", std::move(tries)}});
  }
  for (const auto& wait : explanation.waits)
    if (wait.share > 0) waits.push_back({{"who", wait.who}, {"whom", wait.whom}, {"share", wait.share}});
  Json json = {{"title", explanation.title},
               {"cycles", explanation.cycles},
               {"milliseconds", explanation.seconds * 1e3},
               {"share_of_frame", explanation.share_of_frame},
               {"held_up_by", std::move(causes)},
               {"remarks", explanation.remarks},
               {"waits", std::move(waits)}};
  for (const auto& wires : explanation.wires)
    json["wires"].push_back({{"from", wires.from},
                             {"to", wires.to},
                             {"wires", wires.count},
                             {"slots", wires.slots},
                             {"filling", wires.filling},
                             {"peak", wires.peak}});
  return json;
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

Json history_json(const report::PixelHistory& history) {
  Json passes = Json::array();
  for (const report::PixelHistory::Pass& pass : history.passes) {
    Json targets = Json::array(), events = Json::array();
    for (const run_record::TargetRecord& t : pass.targets)
      targets.push_back({{"target", t.target},
                         {"format", t.format},
                         {"width", t.width},
                         {"height", t.height},
                         {"samples", t.samples}});
    for (const report::PixelHistory::Entry& entry : pass.entries) {
      const run_record::FragmentEvent& event = entry.event;
      Json one = {{"cycle", event.cycle},
                  {"work", event.work},
                  {"what", run_record::fragment_event_name(event.kind)},
                  {"kind", static_cast<int>(event.kind)},
                  {"target", event.target},
                  {"sample", event.sample}};
      if (entry.color)
        one["rgba"] = {*entry.color & 255, *entry.color >> 8 & 255, *entry.color >> 16 & 255,
                       *entry.color >> 24};
      events.push_back(std::move(one));
    }
    passes.push_back({{"pass", pass.pass},
                      {"targets", std::move(targets)},
                      {"events", std::move(events)},
                      {"whole", !pass.cut}});
  }
  Json json = {{"frame", history.frame}, {"x", history.x}, {"y", history.y}, {"passes", std::move(passes)}};
  json["log_ends"] = history.end ? Json(history.end) : Json(nullptr);
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
  for (size_t begin = 0, end; begin < text.size(); begin = end) {
    end = std::min(text.size(), text.find('\n', begin) + 1);
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (line.find_first_not_of(' ') == line.find(command)) tell_lines(line);
    else tell_wrapped(line);
  }
}

constexpr size_t kFewFrames = 4;  // they are told one by one

// Tells many frames together. Returns the one to explain: the worst.
std::vector<uint64_t> summarised(RunReader& run) {
  const std::vector<RunReader::Frame> all = run.frames();
  const std::string mhz = run.parameter("gpu.core_mhz").value_or("1");
  tell_lines(report::frames_text(all, std::strtod(mhz.c_str(), nullptr)));
  const uint64_t worst = std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
                           return a.cycles < b.cycles;
                         })->frame;
  tell("the worst is explained; another: --frame N; all, as JSON: --json\n\n");
  return {worst};
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
  if (frames.empty())
    user_error("--frame {}: {} has no such frame", asked.frame.value_or(0), run.path().string());
  if (asked.pixel) return tell_pixel(asked, run, frames);
  if (parts && frames.size() > 1) user_error("choose a frame with --frame: the run has {}", frames.size());

  Json json = {{"gpu", run.fact("gpu")}, {"program", run.fact("program")}, {"frames", Json::array()}};
  if (!asked.json) tell("{} on {}\n\n", run.fact("program"), run.fact("gpu"));
  const std::vector<uint64_t> told = !asked.json && frames.size() > kFewFrames ? summarised(run) : frames;
  TryOffers offers(run);
  for (const uint64_t frame : told) {
    const RunReader::Scope scope = scope_of(asked, run, frame);
    if (asked.json) {
      json["frames"].push_back(frame_json(run, scope, asked.draws, offers));
      continue;
    }
    const Explanation explanation = explain_scope(run, scope, offers);
    offers.consider(explanation);
    tell_explanation(explanation, command_of(asked, frame));
    if (whole_frame(scope)) print_roll_up(run, scope, explanation);
    if (scope.first_interval) print_under_way(run, scope, asked.draws);
    else print_work(run, scope, asked.draws);
    tell("\n");
  }
  if (asked.tries.empty() && !asked.json && !offers.automatic().empty())
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
