#include "sampling/study.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"

namespace cutaway::sampling {

bool Study::is_pilot(const std::string& machine) const {
  return pilots.empty() || std::find(pilots.begin(), pilots.end(), machine) != pilots.end();
}

std::vector<uint64_t> Study::frames_of(const std::string& machine) const {
  return is_pilot(machine) ? selection.representatives() : shared;
}

double MachineValues::value(const std::string& name, uint64_t frame) const {
  const auto values_of_name = values.find(name);
  return values_of_name == values.end() ? 0 : value_at(values_of_name->second, frame);
}

StudyEstimates::StudyEstimates(const Study& study, const std::vector<MachineValues>& machines)
    : study_(study), regression_(study.selection.regression()) {
  for (const std::string& pilot : study.pilots)
    for (const MachineValues& machine : machines)
      if (machine.machine == pilot) pilots_.push_back(&machine);
  CUTAWAY_CHECK(pilots_.size() == study.pilots.size(), "a pilot has no values");
}

Estimate StudyEstimates::total(const MachineValues& machine, const std::string& name) const {
  return study_.is_pilot(machine.machine) ? prediction(machine, name).total(kInRounds)
                                          : following(machine, name).total(kInRounds);
}

Prediction StudyEstimates::prediction(const MachineValues& pilot, const std::string& name) const {
  Values values;
  for (const uint64_t frame : study_.selection.representatives()) values[frame] = pilot.value(name, frame);
  return study_.selection.predict(regression_, values);
}

// A frame's size is the first pilot's cycles, which are always the first predictor.
Following StudyEstimates::following(const MachineValues& machine, const std::string& name) const {
  const SecondPhase phase{.selection = study_.selection,
                          .regression = regression_,
                          .sizes = pilots_.front()->values.at("cycles"),
                          .frames = study_.shared};
  std::vector<const Values*> predictors{&phase.sizes};
  for (const MachineValues* pilot : pilots_)
    if (const auto known = pilot->values.find(name);
        known != pilot->values.end() && !(name == "cycles" && pilot == pilots_.front()))
      predictors.push_back(&known->second);
  const auto own = machine.values.find(name);
  return follow(phase, predictors, own == machine.values.end() ? Values{} : own->second);
}

std::vector<double> StudyEstimates::slopes(const MachineValues& machine) const {
  return following(machine, "cycles").slopes;
}

std::map<uint64_t, Estimate> StudyEstimates::frames_of(const Prediction& cycles) const {
  std::map<uint64_t, Estimate> frames;
  for (size_t h = 0; h < cycles.residuals.size(); h++) {
    const Stratum& stratum = study_.selection.strata()[h];
    const Estimate residual = single_frame(cycles.residuals[h], kConfidence);
    for (size_t i = stratum.drawn; i < stratum.frames.size(); i++) {
      Estimate& estimate = frames[stratum.frames[i]] = residual;
      estimate.value += cycles.by_frame[stratum.frames[i] - study_.selection.first_frame()];
    }
  }
  return frames;
}

std::map<uint64_t, Estimate> StudyEstimates::frames(const MachineValues& machine) const {
  if (study_.is_pilot(machine.machine)) return frames_of(prediction(machine, "cycles"));
  const Following cycles = following(machine, "cycles");
  std::map<uint64_t, Estimate> sizes = frames_of(prediction(*pilots_.front(), "cycles")),
                               frames = frames_of(cycles.predicted);
  for (const uint64_t frame : study_.selection.representatives()) {
    double& function = frames[frame].value;
    for (size_t p = 0; p < pilots_.size(); p++)
      function += cycles.slopes[p] * pilots_[p]->value("cycles", frame);
    sizes[frame].value = pilots_.front()->value("cycles", frame);
  }
  for (auto& [frame, estimate] : frames) {
    const double size = sizes.at(frame).value;
    estimate.value += cycles.rest * size;
    estimate.bound = std::hypot(estimate.bound, cycles.rest_bound(size, kConfidence));
  }
  for (const uint64_t frame : study_.shared) frames.erase(frame);
  return frames;
}

namespace {

// Draws more representatives where the interval of a pilot is wider than the share `error`.
bool draw_more(Study& study, const std::vector<MachineValues>& machines, const StudyEstimates& estimates,
               double error) {
  std::vector<uint64_t> counts(study.selection.strata().size());
  bool more = false;
  for (const MachineValues& machine : machines) {
    if (!study.is_pilot(machine.machine)) continue;
    const Prediction cycles = estimates.prediction(machine, "cycles");
    const Estimate total = cycles.total(kInRounds);
    if (total.share() <= error) continue;
    more = true;
    const std::vector<uint64_t> wanted =
        allocate(cycles.residuals, error * total.value, kInRounds, cycles.parameters);
    for (size_t h = 0; h < counts.size(); h++) counts[h] = std::max(counts[h], wanted[h]);
  }
  if (more) study.selection.draw(counts);
  return more;
}

// Returns the machine whose interval is the widest of those that are too wide, or null.
const MachineValues* widest_follower(const Study& study, const std::vector<MachineValues>& machines,
                                     const StudyEstimates& estimates) {
  const MachineValues* widest = nullptr;
  double most = study.error;
  for (const MachineValues& machine : machines) {
    if (study.is_pilot(machine.machine)) continue;
    if (const double share = estimates.total(machine, "cycles").share(); share > most)
      most = share, widest = &machine;
  }
  return widest;
}

// Has followers share frames, as many as the pilots ask for.
void share(Study& study, const std::vector<MachineValues>& machines) {
  const uint64_t count = std::max(kFewestShared, kSharedForPilot * study.pilots.size());
  if (2 * count >= study.selection.representatives().size()) {
    study.pilots.clear(), study.shared.clear();  // few frames: all machines simulate them
    return;
  }
  const auto first = std::find_if(machines.begin(), machines.end(), [&](const MachineValues& machine) {
    return machine.machine == study.pilots.front();
  });
  study.shared = study.selection.shared(first->values.at("cycles"), count);
}

}  // namespace

// A follower's interval has two parts, its pilots' and its own: pilots keep to the first.
bool go_on(Study& study, const std::vector<MachineValues>& machines) {
  const double of_pilots = study.pilots.empty() ? study.error : study.error / std::numbers::sqrt2;
  const StudyEstimates estimates(study, machines);
  if (draw_more(study, machines, estimates, of_pilots)) {
    study.shared.clear();  // drawn anew of more representatives
    return true;
  }
  if (study.pilots.empty()) return false;
  if (!study.shared.empty()) {
    const MachineValues* widest = widest_follower(study, machines, estimates);
    if (!widest) return false;
    study.pilots.push_back(widest->machine);
  }
  share(study, machines);
  return true;
}

}  // namespace cutaway::sampling
