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

// The job arrays of one queue, as Slurm knows them. A task runs the point at its place in the array's list, a
// file slurm/NUMBER beside the points; the job's name tells the queue and the number, so that whoever comes
// later finds them.
class SlurmJobs {
 public:
  SlurmJobs(const Queue& queue, unsigned at_a_time, std::vector<std::string> options);

  size_t most_tasks();  // of an array
  // One array for these points, at most most_tasks(). UserError: sbatch is not there, or refuses.
  void submit(const std::vector<std::string>& hashes);
  // Points of tasks that wait or run; nothing: Slurm does not answer now. UserError: squeue is not there.
  std::optional<std::set<std::string>> alive();
  // Cancels all arrays that submit() and alive() have seen, and waits for their end, some seconds at most.
  void cancel();
  std::string silence() const { return silence_; }    // why alive() gave nothing
  std::string log_of(const std::string& hash) const;  // last line that the point's last task wrote

 private:
  const std::vector<std::string>& list(const std::string& number);
  std::filesystem::path folder() const { return queue_.folder() / "slurm"; }

  const Queue& queue_;
  unsigned at_a_time_;
  std::vector<std::string> options_;
  std::string name_;                                       // of all jobs, up to the number
  std::set<std::string> jobs_;                             // ids of arrays
  std::map<std::string, std::vector<std::string>> lists_;  // by number
  std::map<std::string, std::filesystem::path> logs_;      // by point
  std::string silence_;
};

}  // namespace cutaway::sweep
