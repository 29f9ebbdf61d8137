#include "app/commands.h"
#include "app/sampled_sweep.h"
#include "app/terminal.h"
#include "base/interrupt.h"
#include "base/text.h"

namespace cutaway::app {
namespace {

// The sweep of one capture on one machine.
sweep::SweepFile sweep_of(const CommandArguments& arguments) {
  sweep::SweepFile file;
  file.path = arguments.file;
  file.captures.push_back({.name = arguments.file,
                           .path = std::filesystem::absolute(arguments.file),
                           .frames = {},
                           .sample_error = arguments.sample.error,
                           .where = arguments.file});
  file.gpus = {arguments.machine.gpu};
  file.warmup = arguments.sample.warmup;
  for (const std::string& setting : arguments.machine.sets) {
    const size_t equals = setting.find('=');
    const std::string path = setting.substr(0, equals);
    file.sets.emplace_back(path, equals == setting.npos ? "" : setting.substr(equals + 1));
    file.places[path] = "--set";
  }
  return file;
}

}  // namespace

int sample(const CommandArguments& arguments) {
  const InterruptGuard guard;
  sweep::SweepFile file = sweep_of(arguments);
  std::vector<CaptureSample> samples = begin_samples(arguments, file);
  const sweep::SweepFolder folder(arguments.out.empty() ? std::filesystem::path("out") / file.path.stem()
                                                        : std::filesystem::path(arguments.out));
  sweep::Store store(folder.database());
  const SampledOutcome result = run_samples(arguments, file, samples, store, sweep::Queue(folder.queue()));
  note_result(folder.path());
  for (const auto& failure : result.outcome.failures) tell("failed: {}: {}\n", failure.point, failure.reason);
  if (!result.outcome.failures.empty()) return kFailed;
  tell_lines(report_samples(result.plan, file, samples, store, folder.path()));
  tell("emulator: {:.2f} s\nfigures: {}\ndatabase: {}\n", samples.front().emulator_seconds,
       folder.path() / "sample.json", folder.database());
  return kOk;
}

}  // namespace cutaway::app
