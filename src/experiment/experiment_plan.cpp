#include "experiment/experiment_plan.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "experiment/transistors.h"

namespace cutaway::experiment {
namespace {

// A configuration's base machine and changes.
struct Settings {
  std::string gpu;
  std::vector<std::pair<std::string, std::string>> sets;
  std::vector<machine::Setting> placed;  // the same, with file and line
};

Settings settings_of(const ExperimentFile& file, const Place& place) {
  Settings settings{file.gpu, {}, {}};
  const auto set = [&](const std::string& path, const std::string& value, const std::string& where) {
    settings.sets.emplace_back(path, value);
    settings.placed.push_back({path, value, where});
  };
  for (const auto& [path, value] : file.sets) set(path, value, file.places.at(path));
  for (size_t axis = 0; axis < file.axes.size(); axis++) {
    const Axis& of = file.axes[axis];
    if (!of.gpus.empty()) settings.gpu = of.gpus[place[axis]];
    for (const auto& [path, values] : of.parameters) set(path, values[place[axis]], of.places.at(path));
  }
  return settings;
}

FrameRange frames_of(const ExperimentFile& file, const sweep::CaptureFile& capture,
                     const std::optional<FrameRange>& wanted) {
  const FrameRange held{capture.first_frame, capture.last_frame};
  FrameRange frames =
      wanted.value_or(FrameRange{held.first, std::min(held.last, held.first + file.frames - 1)});
  if (frames.last == FrameRange::kLast) frames.last = held.last;
  if (frames.first < held.first || frames.last > held.last || frames.last < frames.first)
    user_error("--frames {}: {} holds frame{} {}", frames.text(), capture.name,
               held.first == held.last ? "" : "s", held.text());
  return frames;
}

}  // namespace

ExperimentPlan make_experiment_plan(const ExperimentFile& file, const std::filesystem::path& capture,
                                    const std::optional<FrameRange>& frames) {
  ExperimentPlan result;
  result.capture = sweep::identify_capture(capture.string(), std::filesystem::absolute(capture));
  result.frames = frames_of(file, result.capture, frames);
  const Table table{file.axis_names(), {}};
  std::set<std::string> varied, planned;
  for (size_t i = 0; i < table.size(); i++) {
    end_if_interrupted();
    ExperimentPlan::Configuration configuration{.place = table.place(i), .points = {}};
    const Settings settings = settings_of(file, configuration.place);
    for (const auto& [path, value] : settings.sets) varied.insert(path);
    machine::Config config;
    try {
      load_config_with(config, settings.gpu, settings.placed);
    } catch (const UserError& error) {
      user_error("{}: {}: {}", file.path.string(), table.text(configuration.place), error.what());
    }
    configuration.transistors = transistors(shader_area(config));
    const std::string text = sweep::machine_text(config), hash = sweep::text_hash(text);
    result.plan.machines.try_emplace(hash, text);
    for (uint64_t frame = result.frames.first; frame <= result.frames.last; frame++) {
      sweep::Point point{.hash = {},
                         .capture = result.capture,
                         .frame = frame,
                         .gpu = settings.gpu,
                         .gpu_name = config.name,
                         .settings = settings.sets,
                         .machine = hash,
                         .record_interval = kInterval};
      point.hash = identity_hash(point);
      configuration.points.push_back(point.hash);
      if (planned.insert(point.hash).second) result.plan.points.push_back(std::move(point));
      else result.plan.duplicates++;
    }
    result.configurations.push_back(std::move(configuration));
  }
  result.plan.varied.assign(varied.begin(), varied.end());
  return result;
}

}  // namespace cutaway::experiment
