#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sweep/queue.h"

namespace cutaway::sweep {

// Runs the points of a queue, in processes on this host or through a cluster's scheduler. Its workers leave
// their outcomes in the queue.
class Engine {
 public:
  struct Ended {
    std::string hash;
    std::string reason;  // why there is no outcome; meaningless if there is one
  };
  virtual ~Engine() = default;
  virtual std::string name() const = 0;
  // Adds points of the queue, to be run in this order. UserError: they are rejected.
  virtual void start(const std::vector<std::string>& hashes) = 0;
  // Waits for a fraction of a second, or until an event. Returns points that have ended. UserError: the
  // engine cannot continue.
  virtual std::vector<Ended> poll() = 0;
  virtual bool busy() const = 0;  // true while some points have not ended
  virtual void stop() = 0;        // ends all workers, and waits for them
};

// Worker processes on this host, `jobs` at a time. They end with this process.
std::unique_ptr<Engine> make_local_engine(const Queue& queue, unsigned jobs);

// Job arrays of Slurm, through sbatch, squeue and scancel. Tasks outlive this process: the next engine for
// the same queue finds them. jobs: concurrent tasks; 0: as many as Slurm runs. options: passed to sbatch.
std::unique_ptr<Engine> make_slurm_engine(const Queue& queue, unsigned jobs,
                                          const std::vector<std::string>& options);

// The command line of a worker, to which the hashes of its points are appended: this program.
std::vector<std::string> worker_command(const Queue& queue, const std::string& engine);

}  // namespace cutaway::sweep
