#include <cstring>
#include <deque>
#include <map>
#include <poll.h>

#include "base/error.h"
#include "sweep/child.h"
#include "sweep/engine.h"
#include "sweep/program.h"

namespace cutaway::sweep {
namespace {

constexpr int kMilliseconds = 200;  // longest poll() without an event
constexpr int kQueueUnusable = 2;   // a worker's exit code for an error that is not the point's

class LocalEngine final : public Engine {
 public:
  LocalEngine(const Queue& queue, unsigned jobs) : command_(worker_command(queue, name())), jobs_(jobs) {}

  std::string name() const override { return "local"; }
  void start(const std::vector<std::string>& hashes) override {
    waiting_.assign(hashes.begin(), hashes.end());
  }
  bool busy() const override { return !waiting_.empty() || !workers_.empty(); }

  std::vector<Ended> poll() override {
    for (; workers_.size() < jobs_ && !waiting_.empty(); waiting_.pop_front()) {
      std::vector<std::string> command = command_;
      command.push_back(waiting_.front());
      Child child(command);
      const int descriptor = child.descriptor();
      workers_.emplace(descriptor, Worker{waiting_.front(), std::move(child)});
    }
    std::vector<pollfd> pollers;
    for (const auto& [descriptor, worker] : workers_) pollers.push_back({descriptor, POLLIN, 0});
    std::vector<Ended> ended;
    if (::poll(pollers.data(), pollers.size(), kMilliseconds) <= 0) return ended;
    for (const pollfd& poller : pollers)
      if (poller.revents) ended.push_back(take(poller.fd));
    return ended;
  }

  void stop() override {
    waiting_.clear();
    workers_.clear();
  }

 private:
  struct Worker {
    std::string hash;
    Child child;
  };

  Ended take(int descriptor) {
    auto node = workers_.extract(descriptor);
    Worker& worker = node.mapped();
    const int code = worker.child.wait();
    const std::string said = last_line(worker.child.errors());
    if (code == kQueueUnusable) throw UserError(said.starts_with("cutaway: ") ? said.substr(9) : said);
    if (code > 128)
      return {worker.hash,
              fmt::format("the process was ended by signal {} ({})", code - 128, strsignal(code - 128))};
    return {worker.hash, fmt::format("the process ended with exit code {}: {}", code, said)};
  }

  std::vector<std::string> command_;
  unsigned jobs_;
  std::deque<std::string> waiting_;
  std::map<int, Worker> workers_;  // by descriptor of the process
};

}  // namespace

std::unique_ptr<Engine> make_local_engine(const Queue& queue, unsigned jobs) {
  return std::make_unique<LocalEngine>(queue, jobs);
}

std::vector<std::string> worker_command(const Queue& queue, const std::string& engine) {
  return {std::filesystem::read_symlink("/proc/self/exe").string(), "sweep-point", queue.folder().string(),
          engine};
}

}  // namespace cutaway::sweep
