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

std::vector<FrameRange> single_frames(const std::vector<uint64_t>& frames) {
  std::vector<FrameRange> ranges;
  for (const uint64_t frame : frames) ranges.push_back({frame, frame});
  return ranges;
}

void set_frames(sweep::SweepFile& file, const CaptureSample& sample) {
  sweep::CaptureEntry& entry = file.captures[sample.entry];
  std::vector<FrameRange> all = single_frames(sample.study.selection.representatives());
  for (const uint64_t frame : sample.held_back) all.push_back({frame, frame});
  entry.pilots = {sample.study.pilots.begin(), sample.study.pilots.end()};
  entry.pilot_frames = sample.study.pilots.empty() ? std::vector<FrameRange>{} : all;
  entry.frames = sample.study.pilots.empty() ? all : single_frames(sample.study.shared);
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
  return {
      .entry = entry,
      .frames = frames,
      .study = {.selection = {table, warm > frames.first ? warm - frames.first : 0, arguments.sample.seed},
                .error = *capture.sample_error},
      .emulator_seconds = table.seconds};
}

MachinePoints machine_of(const sweep::Point& point, const std::vector<std::string>& varied) {
  MachinePoints machine{
      .name = point.gpu_name, .brief = point.gpu_name, .machine = point.machine, .points = {}};
  for (const auto& [path, value] : point.settings) {
    const std::string setting = fmt::format(", {} = {}", path, value);
    machine.name += setting;
    if (varied.empty() || std::find(varied.begin(), varied.end(), path) != varied.end())
      machine.brief += setting;
  }
  return machine;
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
  const auto place_of = [&](const sweep::Point& point) {
    const auto [at, fresh] = places.try_emplace(point.machine, machines.size());
    if (fresh) machines.push_back(machine_of(point, plan.varied));
    return at->second;
  };
  // Pilots have points of their own, but on a shared frame all machines stand in their order.
  const std::vector<uint64_t>& shared = sample.study.shared;
  for (const bool all : {false, true})
    for (const sweep::Point& point : plan.points) {
      if (point.capture.path != file.captures[sample.entry].path) continue;
      if (all) machines[place_of(point)].points.push_back(&point);
      else if (std::binary_search(shared.begin(), shared.end(), point.frame)) place_of(point);
    }
  return machines;
}

std::vector<sampling::MachineValues> values_of(const sweep::Store& store,
                                               const std::vector<MachinePoints>& machines) {
  std::vector<sampling::MachineValues> values;
  for (const MachinePoints& machine : machines)
    values.push_back({machine.machine, sweep::values_of(store, machine.points)});
  return values;
}

SampledOutcome run_samples(const CommandArguments& arguments, sweep::SweepFile& file,
                           std::vector<CaptureSample>& samples, sweep::Store& store,
                           const sweep::Queue& queue) {
  SampledOutcome result;
  const sweep::Plan first = make_plan(file);
  for (CaptureSample& sample : samples) {
    const std::vector<MachinePoints> machines = machines_of(first, file, sample);
    if (machines.size() > 1) sample.study.pilots = {machines.front().machine};
  }
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
    for (CaptureSample& sample : samples)
      more |= go_on(sample.study, values_of(store, machines_of(result.plan, file, sample)));
  }
  if (!arguments.sample.check) return result;
  for (CaptureSample& sample : samples)
    sample.held_back = sample.study.selection.others(arguments.sample.check);
  run();
  return result;
}

}  // namespace cutaway::app
