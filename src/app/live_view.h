#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "app/commands.h"
#include "base/frames.h"
#include "live/live_server.h"
#include "replay/live_frame.h"
#include "report/progress.h"

namespace cutaway::app {

// The live view of one command (docs/live.md): its server, and the state that it publishes.
class LiveView {
 public:
  // Prints the address on standard error. UserError: the port is unavailable.
  explicit LiveView(const CommandArguments& arguments);

  void capturing(const std::string& program);
  // Call when the simulation of frames begins. Recorded timelines are written to `folder`. progress:
  // estimates the remaining time; it must outlive the result.
  replay::LiveOptions simulating(const FrameRange& frames, unsigned jobs, std::filesystem::path folder,
                                 report::Progress& progress);
  void progress(uint64_t frame, uint64_t cycles, double share);
  void ended(uint64_t frame, uint64_t cycles);
  void tick();  // call several times a second
  bool paused() { return server_.control().paused; }
  // Publishes the end, and lets open pages read it.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  struct Frame {
    uint64_t cycles = 0;
    double share = 0;
    nlohmann::json looked = nullptr;  // for `running`; null while it is not being clocked
  };

  bool is_on_clock(uint64_t frame) const;
  void tell();
  std::string members() const;
  uint64_t cycles() const;
  double share() const;
  double rate() const;

  live::LiveServer server_;
  std::string state_ = "starting", what_, gpu_;
  bool can_record_;
  FrameRange frames_;
  unsigned jobs_ = 0;
  report::Progress* progress_ = nullptr;
  std::map<uint64_t, Frame> running_;
  nlohmann::json finished_ = nlohmann::json::array(), recordings_ = nlohmann::json::array();
  uint64_t ended_cycles_ = 0;
  Clock::time_point begin_ = Clock::now(), told_{}, ticked_{};
  std::chrono::duration<double> paused_{};
  std::deque<std::pair<double, uint64_t>> history_;  // seconds without pauses, cycles
};

}  // namespace cutaway::app
