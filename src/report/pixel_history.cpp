#include "report/pixel_history.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "report/explanation.h"

namespace cutaway::report {
namespace {

std::vector<PixelHistory::Pass> passes_with(const run_record::FragmentRecord& log, uint32_t x, uint32_t y,
                                            std::optional<uint32_t> wanted) {
  std::vector<PixelHistory::Pass> passes;
  for (const run_record::TargetRecord& target : log.targets) {
    if (x >= target.width || y >= target.height || (wanted && *wanted != target.pass)) continue;
    if (passes.empty() || passes.back().pass != target.pass) passes.push_back({.pass = target.pass});
    passes.back().targets.push_back(target);
  }
  return passes;
}

[[noreturn]] void refuse_pixel(const run_record::FragmentRecord& log, uint64_t frame, uint32_t x, uint32_t y,
                               std::optional<uint32_t> wanted) {
  std::string sizes;
  for (const run_record::TargetRecord& target : log.targets) {
    const std::string size = fmt::format("{} x {}", target.width, target.height);
    if ((wanted && *wanted != target.pass) || sizes.find(size) != std::string::npos) continue;
    sizes += (sizes.empty() ? "" : ", ") + size;
  }
  const std::string of =
      wanted ? fmt::format("pass {} of frame {}", *wanted, frame) : fmt::format("frame {}", frame);
  if (sizes.empty()) user_error("--pixel {},{}: {} draws to no target", x, y, of);
  user_error("--pixel {},{}: there is none: {} draws to targets of {} pixels", x, y, of, sizes);
}

}  // namespace

PixelHistory pixel_history(RunReader& run, uint64_t frame, uint32_t x, uint32_t y,
                           std::optional<uint32_t> pass) {
  const std::optional<run_record::FragmentRecord> log = run.fragment_log(frame);
  if (!log)
    user_error("{}: it has no log of the fragments of frame {}: simulate it with --stats fragments",
               one_line(run.path().string()), frame);
  PixelHistory history{.frame = frame, .x = x, .y = y, .end = log->end};
  history.passes = passes_with(*log, x, y, pass);
  if (history.passes.empty()) refuse_pixel(*log, frame, x, y, pass);
  history.work = run.work(frame);
  for (const RunReader::Work& work : history.work)
    for (PixelHistory::Pass& p : history.passes)
      p.cut |= history.end && p.pass == work.pass && work.ended > history.end;
  std::vector<run_record::FragmentEvent> events;
  for (const run_record::FragmentPart& part : log->parts) {
    events.clear();
    run.fragment_events(part, history.work.size(), events);
    for (const run_record::FragmentEvent& event : events) {
      if (!event.touches(x, y)) continue;
      const uint32_t of = history.work[event.work].pass;
      const auto found = std::find_if(history.passes.begin(), history.passes.end(),
                                      [&](const auto& p) { return p.pass == of; });
      if (found == history.passes.end()) continue;
      PixelHistory::Entry& entry = found->entries.emplace_back(PixelHistory::Entry{event, of, {}});
      if (event.kind == run_record::FragmentEvent::Kind::kWritten)
        entry.color = event.color[(y - event.y) * 2 + (x - event.x)];
    }
  }
  return history;
}

std::string color_text(uint32_t color) {
  return fmt::format("#{:02x}{:02x}{:02x}, alpha {}", color & 255, color >> 8 & 255, color >> 16 & 255,
                     color >> 24);
}

namespace {

std::string pass_text(const PixelHistory& history, const PixelHistory::Pass& pass) {
  std::string text = fmt::format("\n  pass {}:", pass.pass);
  for (const run_record::TargetRecord& t : pass.targets)
    text += fmt::format(" {} {} ({} x {}{})", t.target < 0 ? "depth" : fmt::format("color {}", t.target),
                        one_line(t.format), t.width, t.height,
                        t.samples > 1 ? fmt::format(", {} samples", t.samples) : "");
  text += "\n";
  for (const PixelHistory::Entry& entry : pass.entries) {
    const run_record::FragmentEvent& event = entry.event;
    std::string what = run_record::fragment_event_name(event.kind);
    if (event.sample) what += fmt::format(", sample {}", event.sample);
    if (pass.targets.size() > 1 && event.fragments() &&
        event.kind >= run_record::FragmentEvent::Kind::kWritten)
      what += fmt::format(", color {}", event.target);
    if (entry.color) what += fmt::format(": {}", color_text(*entry.color));
    text += fmt::format("    cycle {:>10}  work {:>4}  {}; {}\n", event.cycle, event.work, what,
                        one_line(title_of(history.work[event.work])));
  }
  if (pass.cut) text += fmt::format("    not logged after cycle {}\n", grouped(history.end));
  return text;
}

// Summarises the passes without listed fragments.
std::string passes_text(size_t passes, bool more, const std::string& what) {
  if (!passes) return "";
  return fmt::format(
      "\n  {}{} with this pixel: {}\n", passes,
      more ? (passes == 1 ? " more pass" : " more passes") : (passes == 1 ? " pass" : " passes"), what);
}

}  // namespace

std::string pixel_history_text(const PixelHistory& history) {
  std::string text = fmt::format("frame {}, pixel {},{}\n", history.frame, history.x, history.y);
  if (history.end)
    text += fmt::format("  the log was full: it ends at cycle {}; --fragment-limit makes room for more\n",
                        grouped(history.end));
  size_t listed = 0, nothing = 0, cut = 0;
  for (const PixelHistory::Pass& pass : history.passes) {
    if (!pass.entries.empty()) text += pass_text(history, pass), listed++;
    else (pass.cut ? cut : nothing)++;
  }
  text += passes_text(nothing, listed > 0, "nothing was drawn there");
  return text + passes_text(cut, listed + nothing > 0,
                            fmt::format("not logged after cycle {}", grouped(history.end)));
}

}  // namespace cutaway::report
