#include <optional>

#include "app/commands.h"
#include "app/open_capture.h"
#include "app/result_file.h"
#include "app/simulation_run.h"
#include "app/terminal.h"
#include "app/text.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "replay/simulation.h"
#include "report/life.h"
#include "report/progress.h"

namespace cutaway::app {
namespace {

report::Subject subject_of(const TraceArguments& arguments) {
  const int given =
      arguments.fragment.has_value() + arguments.vertex.has_value() + arguments.request.has_value();
  if (given != 1)
    user_error("give one of --fragment X,Y, --vertex I and --request N; see `cutaway trace --help`");
  if (arguments.primitive && !arguments.fragment) user_error("--primitive says which one of a --fragment");
  report::Subject subject;
  if (arguments.fragment)
    subject.fragment = {arguments.fragment->first, arguments.fragment->second, arguments.primitive};
  subject.vertex = arguments.vertex;
  subject.request = arguments.request;
  return subject;
}

uint64_t frame_of(const CommandArguments& arguments, const capture::Reader& reader) {
  std::optional<FrameRange> asked;
  if (arguments.trace.frame) asked = FrameRange{*arguments.trace.frame, *arguments.trace.frame};
  const FrameRange frames = frames_of(reader, arguments.file, asked);
  if (frames.first != frames.last)
    user_error("{} holds frames {}; choose one with --frame", arguments.file, frames.text());
  return frames.first;
}

// Reports the draws to choose from.
[[noreturn]] void name_draws(const capture::Reader& reader, uint64_t frame, const machine::Config& config,
                             const replay::ClockOptions& options, const report::Subject::Fragment& fragment) {
  constexpr size_t kMost = 30;  // the last ones are listed
  std::vector<run_record::Timeline::Draw> draws =
      replay::draws_over(reader, frame, config, options, fragment.x, fragment.y);
  if (draws.empty()) user_error("pixel {},{}: no draw of frame {} covers it", fragment.x, fragment.y, frame);
  std::string list = draws.size() > kMost ? fmt::format("the last of {}: ", draws.size()) : "";
  if (draws.size() > kMost) draws.erase(draws.begin(), draws.end() - kMost);
  for (const run_record::Timeline::Draw& draw : draws)
    list += fmt::format("{}{}", draw.number == draws.front().number ? "" : ", ", draw.number);
  user_error("choose with --draw one of those that cover pixel {},{}: {}", fragment.x, fragment.y, list);
}

}  // namespace

int trace(const CommandArguments& arguments) {
  const InterruptGuard guard;
  const report::Subject subject = subject_of(arguments.trace);
  if (!arguments.timeline.draw && !subject.fragment)
    user_error("--draw D: say which draw of the frame, counted from 1");
  machine::Config config;
  load_machine(arguments.machine, config);
  const capture::Reader reader = open_capture(arguments.file);
  const uint64_t frame = frame_of(arguments, reader);
  std::optional<ResultFile> svg;
  if (!arguments.svg.empty()) svg.emplace(arguments.svg);

  report::Progress progress(arguments.quiet);
  replay::ClockOptions options;
  options.on_progress = [&](uint64_t cycles, double share) {
    end_if_interrupted();
    progress.update(share, fmt::format("frame {}: {} cycles", frame, grouped(cycles)));
  };
  if (!arguments.timeline.draw) name_draws(reader, frame, config, options, *subject.fragment);
  machine::ObserverOptions& observer = options.observe.emplace();
  observer.draw = run_record::Timeline::Draw{.number = *arguments.timeline.draw};
  if (arguments.trace.cycles)
    observer.first = arguments.trace.cycles->first, observer.last = arguments.trace.cycles->last;
  observer.fewer = "--cycles A..B";
  observer.keep = [&subject](const run_record::Timeline::Thing& thing) { return subject.may_need(thing); };
  const run_record::Timeline timeline = replay::observe(reader, frame, config, options);
  progress.clear();

  const report::Life life = report::life_of(timeline, subject);
  if (svg) svg->append(report::life_svg(timeline, life));
  if (svg) svg->keep();
  tell_lines(report::life_text(timeline, life));
  return kOk;
}

}  // namespace cutaway::app
