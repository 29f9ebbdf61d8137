#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sweep/queue.h"

namespace cutaway::sweep {

// Who runs the points of a queue: processes here, or a cluster's scheduler. Its workers leave their outcomes
// in the queue.
class Engine {
 public:
  struct Ended {
    std::string hash;
    std::string reason;  // why there is no outcome; what it says where there is one means nothing
  };
  virtual ~Engine() = default;
  virtual std::string name() const = 0;
  // Points of the queue, to be run in this order. UserError: that is refused.
  virtual void start(const std::vector<std::string>& hashes) = 0;
  // Waits for a part of a second, or until something has happened: points for which nothing more is done.
  // UserError: nothing can go on.
  virtual std::vector<Ended> poll() = 0;
  virtual bool busy() const = 0;  // some have not ended
  virtual void stop() = 0;        // ends all workers, and waits
};

// Worker processes here, `jobs` at a time. They end with this process.
std::unique_ptr<Engine> make_local_engine(const Queue& queue, unsigned jobs);

// Job arrays of Slurm, by way of sbatch, squeue and scancel. Tasks outlive this process: the next engine for
// the same queue finds them. jobs: tasks at a time; 0: as many as Slurm runs. options: handed on to sbatch.
std::unique_ptr<Engine> make_slurm_engine(const Queue& queue, unsigned jobs,
                                          const std::vector<std::string>& options);

// The command of a worker for one point: this program.
std::vector<std::string> worker_command(const Queue& queue, const std::string& engine);

}  // namespace cutaway::sweep
