#include "app/live_view.h"

#include <algorithm>
#include <unistd.h>

#include "app/terminal.h"
#include "base/error.h"
#include "base/json_text.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "report/perfetto.h"

namespace cutaway::app {
namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds kTell{200};
constexpr double kRateSeconds = 3;  // averaging period of the rate

// Writes a timeline atomically, with a new name each time: a recording never replaces another.
std::string write_timeline(const std::filesystem::path& folder, const run_record::Timeline& timeline) {
  std::filesystem::path path;
  for (int number = 1;; number++) {
    const std::string suffix = number == 1 ? "" : fmt::format("-{}", number);
    path = folder / fmt::format("live-{:04}-{}{}.pftrace", timeline.frame,
                                timeline.begin / timeline.core_period, suffix);
    if (!std::filesystem::exists(path)) break;
  }
  WholeFile file(path);
  report::write_perfetto(timeline, [&](std::span<const std::byte> bytes) { file.append(bytes); });
  file.commit();
  return path.string();
}

}  // namespace

LiveView::LiveView(const CommandArguments& arguments)
    : server_(arguments.live.value(), live::live_page()),
      what_(arguments.file),
      gpu_(arguments.machine.gpu),
      can_record_(arguments.timeline.file.empty()) {
  server_.control().can_record = can_record_;
  tell();
  tell_error("live view: {}\n", server_.address());
}

void LiveView::capturing(const std::string& program) {
  state_ = "capturing", what_ = program;
  tell();
}

replay::LiveOptions LiveView::simulating(const FrameRange& frames, unsigned jobs,
                                         std::filesystem::path folder, report::Progress& progress) {
  state_ = "simulating", frames_ = frames, jobs_ = jobs, progress_ = &progress;
  begin_ = ticked_ = Clock::now();
  tell();
  return {
      .control = &server_.control(),
      .on_running = [this](uint64_t frame,
                           const std::string& text) { running_[frame].looked = json::parse(text); },
      .on_recording = [this](uint64_t, const std::string& text) { recordings_.push_back(json::parse(text)); },
      .write_timeline =
          [folder](const run_record::Timeline& timeline) { return write_timeline(folder, timeline); }};
}

void LiveView::progress(uint64_t frame, uint64_t cycles, double share) {
  running_[frame].cycles = cycles, running_[frame].share = share;
}

void LiveView::ended(uint64_t frame, uint64_t cycles) {
  ended_cycles_ += std::max(cycles, running_[frame].cycles);  // includes warm-up
  running_.erase(frame);
  finished_.push_back({{"frame", frame}, {"cycles", cycles}});
  tell();
}

void LiveView::tick() {
  const auto now = Clock::now(), before = std::exchange(ticked_, now);
  if (paused()) {
    paused_ += now - before;
    progress_->leave_out(now - before);
    progress_->update(-1, "paused by the live view");
  }
  LiveControl& control = server_.control();
  std::vector<uint64_t> frames;
  for (const auto& [frame, running] : running_)
    if (running.looked.is_object()) frames.push_back(frame);
  control.on_clock.set(frames);
  control.first_frame = frames.empty() ? 0 : frames.front();
  // Drops a request for a frame that is not being clocked.
  if (uint64_t asked = control.record_frame; asked && !is_on_clock(asked))
    control.record_frame.compare_exchange_strong(asked, 0);
  if (now - told_ >= kTell) tell();
}

bool LiveView::is_on_clock(uint64_t frame) const {
  const auto found = running_.find(frame);
  return found != running_.end() && found->second.looked.is_object();
}

void LiveView::tell() {
  told_ = Clock::now();
  const double seconds = std::chrono::duration<double>(told_ - begin_ - paused_).count();
  history_.emplace_back(seconds, cycles());
  while (history_.size() > 2 && history_.front().first < seconds - kRateSeconds) history_.pop_front();
  server_.tell(members());
}

void LiveView::finish() {
  state_ = "done";
  server_.finish(members());
}

uint64_t LiveView::cycles() const {
  uint64_t sum = ended_cycles_;
  for (const auto& [frame, running] : running_) sum += running.cycles;
  return sum;
}

double LiveView::share() const {
  if (!jobs_) return 0;
  double sum = static_cast<double>(finished_.size());
  for (const auto& [frame, running] : running_) sum += running.share;
  return std::min(1.0, sum / static_cast<double>(frames_.last - frames_.first + 1));
}

double LiveView::rate() const {
  if (history_.size() < 2) return 0;
  const auto& [first, before] = history_.front();
  const auto& [last, now] = history_.back();
  return last > first && now > before ? static_cast<double>(now - before) / (last - first) : 0;
}

std::string LiveView::members() const {
  const std::chrono::duration<double> passed = Clock::now() - begin_;
  json state = {{"schema", 1},
                {"state", state_},
                {"what", what_},
                {"gpu", gpu_},
                {"pid", getpid()},
                {"jobs", jobs_},
                {"frames", nullptr},
                {"cycles", cycles()},
                {"share", share()},
                {"cycles_per_second", state_ == "simulating" ? rate() : 0},
                {"seconds", (passed - paused_).count()},
                {"paused_seconds", paused_.count()},
                {"seconds_left", nullptr},
                {"can_record", can_record_},
                {"running", json::array()},
                {"finished", finished_},
                {"recordings", recordings_}};
  if (jobs_)
    state["frames"] = {{"first", frames_.first},
                       {"last", frames_.last},
                       {"all", frames_.last - frames_.first + 1},
                       {"done", finished_.size()}};
  if (progress_ && state_ == "simulating")
    if (const auto left = progress_->seconds_left()) state["seconds_left"] = *left;
  for (const auto& [frame, running] : running_)
    if (running.looked.is_object()) state["running"].push_back(running.looked);
  const std::string text = json_text(state);
  return text.substr(1, text.size() - 2);
}

}  // namespace cutaway::app
