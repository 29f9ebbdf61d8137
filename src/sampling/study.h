#pragma once

#include <map>
#include <string>
#include <vector>

#include "sampling/follower.h"

// A sample of the frames of a capture that serves several machines.
namespace cutaway::sampling {

constexpr double kConfidence = 0.95;
constexpr double kInRounds = confidence_in_rounds(kConfidence);

struct Study {
  Selection selection;
  double error = 0;  // share of a machine's cycles that its interval may have
  // Machines that simulate all representatives; empty: all machines do.
  std::vector<std::string> pilots = {};
  std::vector<uint64_t> shared = {};  // representatives that the other machines simulate

  bool is_pilot(const std::string& machine) const;
  // The representatives that a machine simulates.
  std::vector<uint64_t> frames_of(const std::string& machine) const;
};

// The quantities of a machine, by name, in the frames that it simulates. "cycles" is among them.
struct MachineValues {
  std::string machine;
  std::map<std::string, Values> values;

  double value(const std::string& name, uint64_t frame) const;
};

// Estimates quantities of all frames from those of the simulated frames.
class StudyEstimates {
 public:
  // machines: all pilots, and all machines that simulate the shared frames. Study and machines must outlive
  // the estimates, and not change.
  StudyEstimates(const Study& study, const std::vector<MachineValues>& machines);

  const Regression& regression() const { return regression_; }
  Estimate total(const MachineValues& machine, const std::string& name) const;
  // Predicts a quantity of a pilot.
  Prediction prediction(const MachineValues& pilot, const std::string& name) const;
  // How the cycles of a machine that is no pilot follow from those of the pilots, in their order.
  std::vector<double> slopes(const MachineValues& machine) const;
  // The estimated cycles of all frames that the machine does not simulate.
  std::map<uint64_t, Estimate> frames(const MachineValues& machine) const;

 private:
  Following following(const MachineValues& machine, const std::string& name) const;
  std::map<uint64_t, Estimate> frames_of(const Prediction& cycles) const;

  const Study& study_;
  Regression regression_;
  std::vector<const MachineValues*> pilots_;  // in the study's order; none where all machines are
};

// Asks in the study for more simulations where a machine's interval of cycles is too wide: more
// representatives where a pilot's is, or another pilot. Returns false where all are narrow. machines: as for
// StudyEstimates.
bool go_on(Study& study, const std::vector<MachineValues>& machines);

}  // namespace cutaway::sampling
