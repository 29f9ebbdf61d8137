#include <chrono>
#include <deque>
#include <map>
#include <thread>

#include "base/error.h"
#include "base/interrupt.h"
#include "sweep/engine.h"
#include "sweep/slurm_jobs.h"

namespace cutaway::sweep {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kTries = 3;                                // most job arrays for a point whose tasks are lost
constexpr std::chrono::milliseconds kPause(200);         // between checks of the queue
constexpr std::chrono::seconds kAskPause(1);             // between queries to Slurm
constexpr std::chrono::seconds kLongestSilence(5 * 60);  // a controller may be restarting

class SlurmEngine final : public Engine {
 public:
  SlurmEngine(const Queue& queue, unsigned jobs, const std::vector<std::string>& options)
      : queue_(queue), jobs_(queue, jobs, options), at_a_time_(jobs) {}

  std::string name() const override { return "slurm"; }
  bool busy() const override { return !waiting_.empty() || !under_way_.empty(); }

  void start(const std::vector<std::string>& hashes) override {
    most_ = jobs_.most_tasks();
    const auto alive = jobs_.alive();  // jobs of a killed sweep
    if (!alive) user_error("Slurm does not answer: {}", jobs_.silence());
    for (const std::string& hash : hashes) {
      // A task that ended since the sweep was planned has left its outcome before Slurm forgot it.
      if (alive->contains(hash) || queue_.is_done(hash)) under_way_[hash] = {};
      else waiting_.push_back(hash);
    }
    submit();
  }

  std::vector<Ended> poll() override {
    std::this_thread::sleep_for(kPause);
    std::vector<Ended> ended;
    for (const std::string& hash : queue_.done())
      if (under_way_.erase(hash)) ended.push_back({hash, ""});
    if (Clock::now() - asked_ >= kAskPause) ask(ended);
    submit();
    return ended;
  }

  void stop() override {
    waiting_.clear(), under_way_.clear();
    jobs_.cancel();
  }

 private:
  struct Task {
    int missing = 0;  // consecutive queries in which Slurm did not know it
    int tries = 1;
  };

  // If concurrent tasks are limited, arrays run one after the other, because the limit applies to one array.
  void submit() {
    while (!waiting_.empty() && !interrupted() && (!at_a_time_ || under_way_.empty())) {
      const size_t count = std::min(most_, waiting_.size());
      std::vector<std::string> array(waiting_.begin(), waiting_.begin() + static_cast<ptrdiff_t>(count));
      jobs_.submit(array);
      for (const std::string& hash : array) under_way_[hash].tries = tries_[hash]++ + 1;
      waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<ptrdiff_t>(count));
    }
  }

  // A vanished task may just have left its outcome: it must be missing twice.
  void ask(std::vector<Ended>& ended) {
    const auto alive = jobs_.alive();
    asked_ = Clock::now();
    if (!alive) {
      if (asked_ - answered_ > kLongestSilence)
        user_error("Slurm does not answer: {}; its tasks go on, and so does the same command",
                   jobs_.silence());
      return;
    }
    answered_ = asked_;
    for (auto it = under_way_.begin(); it != under_way_.end();) {
      auto& [hash, task] = *it;
      task.missing = alive->contains(hash) ? 0 : task.missing + 1;
      if (task.missing < 2) {
        ++it;
        continue;
      }
      if (task.tries < kTries) waiting_.push_back(hash);
      else ended.push_back({hash, reason(hash)});
      it = under_way_.erase(it);
    }
  }

  std::string reason(const std::string& hash) const {
    const std::string log = jobs_.log_of(hash);
    return fmt::format("Slurm ended its task {} times without a result{}", kTries,
                       log.empty() ? "" : ", the last time with: " + log);
  }

  const Queue& queue_;
  SlurmJobs jobs_;
  unsigned at_a_time_;
  size_t most_ = 0;
  std::deque<std::string> waiting_;        // to be submitted
  std::map<std::string, Task> under_way_;  // submitted, or found
  std::map<std::string, int> tries_;
  Clock::time_point asked_, answered_ = Clock::now();
};

}  // namespace

std::unique_ptr<Engine> make_slurm_engine(const Queue& queue, unsigned jobs,
                                          const std::vector<std::string>& options) {
  return std::make_unique<SlurmEngine>(queue, jobs, options);
}

}  // namespace cutaway::sweep
