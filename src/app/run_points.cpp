#include "app/run_points.h"

#include <algorithm>
#include <thread>

#include "base/error.h"
#include "base/text.h"
#include "report/progress.h"

namespace cutaway::app {
namespace {

std::unique_ptr<sweep::Engine> make_engine(const CommandArguments& arguments, const sweep::Queue& queue,
                                           const std::vector<std::string>& sbatch_options) {
  const unsigned jobs = arguments.machine.jobs;
  if (arguments.sweep.engine == "slurm") return make_slurm_engine(queue, jobs, sbatch_options);
  return make_local_engine(queue, jobs ? jobs : std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace

sweep::SweepOutcome run_points(const CommandArguments& arguments, const sweep::Plan& plan,
                               sweep::Store& store, const sweep::Queue& queue,
                               const std::vector<std::string>& sbatch_options) {
  const auto engine = make_engine(arguments, queue, sbatch_options);
  report::Progress progress(arguments.quiet);
  const sweep::SweepOutcome outcome = run_sweep(plan, store, queue, *engine, progress);
  progress.clear();
  if (outcome.interrupted)
    user_error("interrupted; {} of {} finished: the same command goes on", outcome.finished,
               counted(outcome.points, "point"));
  return outcome;
}

}  // namespace cutaway::app
