#include "replay/live_frame.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "base/json_text.h"

namespace cutaway::replay {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr milliseconds kTell{250}, kPausedLook{20};
// A longer recording ends at this length: some 100 MB of file, and ten times that of memory.
constexpr uint64_t kMostRecorded = 100'000;

double rounded(double share) { return std::round(share * 10'000) / 10'000; }

json units_json(const std::vector<machine::Glance::Unit>& units) {
  json list = json::array();
  for (const auto& unit : units)
    list.push_back({{"unit", unit.path},
                    {"busy", rounded(unit.busy)},
                    {"starved", rounded(unit.starved)},
                    {"blocked", rounded(unit.blocked)},
                    {"idle", rounded(unit.idle)},
                    {"holds_up", rounded(unit.holds_up)}});
  return list;
}

json queues_json(const std::vector<machine::Glance::Queue>& queues) {
  json list = json::array();
  for (const auto& queue : queues)
    list.push_back({{"from", queue.from},
                    {"to", queue.to},
                    {"slots", queue.slots},
                    {"filling", rounded(queue.filling)}});
  return list;
}

}  // namespace

void LiveFrame::begin(FrameClock& clock) {
  began_ = true, paused_ = {};
  if (glance_) glance_->begin_frame();
  else glance_.emplace(clock.machine());
}

void LiveFrame::look(FrameClock& clock, uint64_t cycles, double share) {
  if (!glance_) glance_.emplace(clock.machine());
  glance_->probe();
  if (began_) follow_recording(clock);
  wait_while_paused(cycles, share);
  if (Clock::now() - told_ >= kTell) tell_running(cycles, share);
}

void LiveFrame::wait_while_paused(uint64_t cycles, double share) {
  const std::atomic<bool>& paused = options_.control->paused;
  if (!paused) return;
  tell_running(cycles, share);
  const auto begin = Clock::now();
  while (paused) std::this_thread::sleep_for(kPausedLook);
  paused_ += Clock::now() - begin;
}

void LiveFrame::tell_running(uint64_t cycles, double share) {
  told_ = Clock::now();
  const machine::Glance::Look look = glance_->take();
  json running = {{"frame", frame_},
                  {"warming_up", !began_},
                  {"cycles", cycles},
                  {"share", rounded(share)},
                  {"draws", draws_},
                  {"work", nullptr},
                  {"units", units_json(look.units)},
                  {"queues", queues_json(look.queues)}};
  if (look.work.kind[0]) {
    running["work"] = {{"kind", look.work.kind}, {"submission", look.work.submission}};
    if (look.work.draw)
      running["work"].update({{"draw", look.work.of_frame},
                              {"draw_of_submission", look.work.draw},
                              {"of_driver", look.work.of_driver}});
  }
  tell_(kRunning, json_text(running));
}

void LiveFrame::follow_recording(FrameClock& clock) {
  std::atomic<uint64_t>& asked = options_.control->record_frame;
  const uint64_t recorded = clock.observed_cycles();
  if (asked == frame_ && !clock.observes()) return clock.begin_observing();
  if (clock.observes() && (asked != frame_ || recorded >= kMostRecorded)) stop_recording(clock);
}

void LiveFrame::stop_recording(FrameClock& clock) {
  json told = {{"frame", frame_}};
  if (const auto timeline = clock.end_observing(frame_)) {
    told["first_cycle"] = timeline->begin / timeline->core_period;
    told["last_cycle"] = timeline->end / timeline->core_period - 1;
    // A full disk ends the recording, but not the simulation.
    try {
      told["file"] = options_.write_timeline(*timeline);
    } catch (const UserError& error) { told["error"] = error.what(); }
    tell_(kRecording, json_text(told));
  }
  uint64_t mine = frame_;
  options_.control->record_frame.compare_exchange_strong(mine, 0);
}

void LiveFrame::end(FrameClock& clock) {
  if (clock.observes()) stop_recording(clock);
  tell_(kRunning, "null");
}

}  // namespace cutaway::replay
