#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sweep/queue.h"

namespace cutaway::sweep {

// The job arrays of one queue in Slurm. A task runs the point at its index in the array's list, a file
// slurm/NUMBER beside the points. The job's name contains the queue and the number, so that later processes
// find them.
class SlurmJobs {
 public:
  SlurmJobs(const Queue& queue, unsigned at_a_time, std::vector<std::string> options);

  size_t most_tasks();  // limit per array
  // Submits one array for these points, at most most_tasks(). UserError: sbatch is missing, or rejects it.
  void submit(const std::vector<std::string>& hashes);
  // Points of waiting or running tasks; nothing: Slurm does not answer now. UserError: squeue is missing.
  std::optional<std::set<std::string>> alive();
  // Cancels all arrays known from submit() and alive(), and waits up to some seconds for their end.
  void cancel();
  std::string silence() const { return silence_; }    // why alive() returned nothing
  std::string log_of(const std::string& hash) const;  // last line in the log of the point's last task

 private:
  const std::vector<std::string>& list(const std::string& number);
  std::filesystem::path folder() const { return queue_.folder() / "slurm"; }

  const Queue& queue_;
  unsigned at_a_time_;
  std::vector<std::string> options_;
  std::string name_;                                       // common prefix of all job names
  std::set<std::string> jobs_;                             // ids of arrays
  std::map<std::string, std::vector<std::string>> lists_;  // by number
  std::map<std::string, std::filesystem::path> logs_;      // by point
  std::string silence_;
};

}  // namespace cutaway::sweep
