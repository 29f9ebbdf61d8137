#include <cstring>
#include <deque>
#include <map>
#include <poll.h>

#include "base/error.h"
#include "sweep/batches.h"
#include "sweep/child.h"
#include "sweep/engine.h"
#include "sweep/program.h"

namespace cutaway::sweep {
namespace {

constexpr int kMilliseconds = 20;  // longest poll() without an event: a worker may wait for room
constexpr int kQueueUnusable = 2;  // a worker's exit code for an error that is not the point's

class LocalEngine final : public Engine {
 public:
  LocalEngine(const Queue& queue, unsigned jobs)
      : queue_(queue), command_(worker_command(queue, name())), jobs_(jobs) {}
  ~LocalEngine() override { stop_workers(); }

  std::string name() const override { return "local"; }
  void start(const std::vector<std::string>& hashes) override {
    std::vector<Point> points;
    for (const std::string& hash : hashes) points.push_back(queue_.job(hash));
    for (const std::vector<std::string>& batch : make_batches(points, jobs_))
      waiting_.emplace_back(batch.begin(), batch.end());
  }
  bool busy() const override { return !waiting_.empty() || !workers_.empty(); }

  std::vector<Ended> poll() override {
    for (; workers_.size() < jobs_ && !waiting_.empty(); waiting_.pop_front()) {
      std::vector<std::string> command = command_;
      command.insert(command.end(), waiting_.front().begin(), waiting_.front().end());
      Child child(command);
      const int descriptor = child.descriptor();
      workers_.emplace(descriptor, Worker{waiting_.front(), std::move(child)});
    }
    std::vector<pollfd> pollers;
    for (const auto& [descriptor, worker] : workers_) pollers.push_back({descriptor, POLLIN, 0});
    ::poll(pollers.data(), pollers.size(), kMilliseconds);
    std::vector<Ended> ended;
    for (auto& [descriptor, worker] : workers_) take_outcomes(worker, ended);
    for (const pollfd& poller : pollers)
      if (poller.revents) take(poller.fd, ended);
    return ended;
  }

  void stop() override {
    waiting_.clear();
    stop_workers();
  }

 private:
  using Batch = std::deque<std::string>;  // hashes
  struct Worker {
    Batch open;  // points without an outcome, in the order in which it runs them
    Child child;
  };

  // Kills them, and removes the half-made files of their points.
  void stop_workers() {
    std::vector<std::string> open;
    for (const auto& [descriptor, worker] : workers_)
      open.insert(open.end(), worker.open.begin(), worker.open.end());
    workers_.clear();
    for (const std::string& hash : open) queue_.remove_half_made(hash);
  }

  void take_outcomes(Worker& worker, std::vector<Ended>& ended) const {
    for (; !worker.open.empty() && queue_.is_done(worker.open.front()); worker.open.pop_front())
      ended.push_back({worker.open.front(), {}});
  }

  // A worker has ended. If it left a point without an outcome, this point ended it: others run the rest.
  void take(int descriptor, std::vector<Ended>& ended) {
    auto node = workers_.extract(descriptor);
    Worker& worker = node.mapped();
    const int code = worker.child.wait();
    const std::string said = last_line(worker.child.errors());
    take_outcomes(worker, ended);
    if (code == kQueueUnusable) throw UserError(said.starts_with("cutaway: ") ? said.substr(9) : said);
    if (worker.open.empty()) return;
    ended.push_back({worker.open.front(), reason(code, said)});
    queue_.remove_half_made(worker.open.front());
    worker.open.pop_front();
    if (!worker.open.empty()) waiting_.push_front(std::move(worker.open));
  }

  static std::string reason(int code, const std::string& said) {
    if (code > 128)
      return fmt::format("the process was ended by signal {} ({})", code - 128, strsignal(code - 128));
    return fmt::format("the process ended with exit code {}: {}", code, said);
  }

  const Queue& queue_;
  std::vector<std::string> command_;
  unsigned jobs_;
  std::deque<Batch> waiting_;
  std::map<int, Worker> workers_;  // by descriptor of the process
};

}  // namespace

std::unique_ptr<Engine> make_local_engine(const Queue& queue, unsigned jobs) {
  return std::make_unique<LocalEngine>(queue, jobs);
}

std::vector<std::string> worker_command(const Queue& queue, const std::string& engine) {
  return {std::filesystem::read_symlink("/proc/self/exe").string(), "sweep-points", queue.folder().string(),
          engine};
}

}  // namespace cutaway::sweep
