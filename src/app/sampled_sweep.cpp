#include "app/sampled_sweep.h"

#include <algorithm>

#include "app/open_capture.h"
#include "app/run_points.h"
#include "base/error.h"
#include "base/text.h"
#include "report/progress.h"
#include "sampling/features.h"
#include "sweep/point_values.h"

namespace cutaway::app {
namespace {

void set_frames(sweep::SweepFile& file, const CaptureSample& sample) {
  std::vector<FrameRange>& frames = file.captures[sample.entry].frames;
  frames.clear();
  for (const uint64_t frame : sample.selection.representatives()) frames.push_back({frame, frame});
  for (const uint64_t frame : sample.held_back) frames.push_back({frame, frame});
}

CaptureSample begin_sample(const CommandArguments& arguments, const sweep::SweepFile& file, size_t entry) {
  const sweep::CaptureEntry& capture = file.captures[entry];
  const capture::Reader reader = open_capture(capture.path.string());
  const FrameRange frames = frames_of(reader, capture.path.string(), arguments.frames);
  const uint64_t count = frames.last - frames.first + 1;
  if (count < sampling::kFewestFrames)
    user_error(
        "{}: {} to draw a sample from, and a sample needs {}; simulate them all. Within a frame nothing "
        "is sampled: its error could not be stated",
        capture.name, counted(count, "frame"), sampling::kFewestFrames);
  report::Progress progress(arguments.quiet);
  const sampling::FeatureTable table =
      sampling::characterise(reader, frames.first, frames.last, arguments.threads, [&](uint64_t frame) {
        progress.update(-1, fmt::format("{}: emulating frame {} of {}", capture.name, frame, frames.text()));
      });
  const uint64_t warm = reader.info().first_frame() + file.warmup;  // the first frame with a full warm-up
  return {.entry = entry,
          .error = *capture.sample_error,
          .frames = frames,
          .selection = {table, warm > frames.first ? warm - frames.first : 0, arguments.sample.seed},
          .emulator_seconds = table.seconds};
}

// Draws more frames of a capture where a machine's interval is too wide. Returns false where all are narrow.
bool draw_more(const sweep::Plan& plan, const sweep::SweepFile& file, const sweep::Store& store,
               CaptureSample& sample) {
  const double confidence = sampling::confidence_in_rounds(kConfidence);
  const sampling::Regression regression = sample.selection.regression();
  std::vector<uint64_t> counts(sample.selection.strata().size());
  bool more = false;
  for (const MachinePoints& machine : machines_of(plan, file, sample)) {
    const sampling::Prediction cycles =
        sample.selection.predict(regression, values_of(store, machine.points).at("cycles"));
    const sampling::Estimate total = cycles.total(confidence);
    if (total.share() <= sample.error) continue;
    more = true;
    const std::vector<uint64_t> wanted =
        allocate(cycles.residuals, sample.error * total.value, confidence, cycles.parameters);
    for (size_t h = 0; h < counts.size(); h++) counts[h] = std::max(counts[h], wanted[h]);
  }
  if (more) sample.selection.draw(counts);
  return more;
}

}  // namespace

std::vector<CaptureSample> begin_samples(const CommandArguments& arguments, sweep::SweepFile& file) {
  std::vector<CaptureSample> samples;
  for (size_t entry = 0; entry < file.captures.size(); entry++) {
    if (!file.captures[entry].sample_error) continue;
    samples.push_back(begin_sample(arguments, file, entry));
    set_frames(file, samples.back());
  }
  if (!samples.empty() && file.sample)
    user_error("{}: [sample] draws points and frames = \"sample:\" draws frames; give one of them",
               file.path.string());
  return samples;
}

std::vector<MachinePoints> machines_of(const sweep::Plan& plan, const sweep::SweepFile& file,
                                       const CaptureSample& sample) {
  std::vector<MachinePoints> machines;
  std::map<std::string, size_t> places;
  for (const sweep::Point& point : plan.points) {
    if (point.capture.path != file.captures[sample.entry].path) continue;
    const auto [at, fresh] = places.try_emplace(point.machine, machines.size());
    if (fresh) {
      std::string text = point.gpu_name;
      for (const auto& [path, value] : point.settings) text += fmt::format(", {} = {}", path, value);
      machines.push_back({std::move(text), {}});
    }
    machines[at->second].points.push_back(&point);
  }
  return machines;
}

SampledOutcome run_samples(const CommandArguments& arguments, sweep::SweepFile& file,
                           std::vector<CaptureSample>& samples, sweep::Store& store,
                           const sweep::Queue& queue) {
  SampledOutcome result;
  const auto run = [&] {
    for (const CaptureSample& sample : samples) set_frames(file, sample);
    result.plan = make_plan(file);
    store.write_plan(result.plan);
    queue.make();
    result.outcome = run_points(arguments, result.plan, store, queue, file.sbatch_options);
    return result.outcome.failures.empty();
  };
  for (bool more = true; more;) {
    if (!run()) return result;
    more = false;
    for (CaptureSample& sample : samples) more |= draw_more(result.plan, file, store, sample);
  }
  if (!arguments.sample.check) return result;
  for (CaptureSample& sample : samples) sample.held_back = sample.selection.others(arguments.sample.check);
  run();
  return result;
}

}  // namespace cutaway::app
