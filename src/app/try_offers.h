#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/commands.h"
#include "report/explanation.h"
#include "report/run_reader.h"

namespace cutaway::app {

// How the machine of a run was made. UserError: the run does not record it.
MachineArguments machine_of(report::RunReader& run);

// Collects the changes of a run's machine that its evidence suggests to try.
class TryOffers {
 public:
  static constexpr size_t kMost = 16;         // tries of `--try auto`
  static constexpr size_t kMostHelpful = 12;  // of these, values expected to save time

  explicit TryOffers(report::RunReader& run);

  // Removes the values that no legal machine has; all if the run's machine cannot be made again.
  void keep_legal(report::Explanation& explanation);
  // Adds the parameters that the evidence of an explanation names to those of `--try auto`.
  void consider(const report::Explanation& explanation);
  // The tries of `--try auto`, "PATH=VALUE": parameters by the time that their causes hold the machine up.
  // The values expected to save time come first, then the opposite ones.
  std::vector<std::string> automatic() const;

 private:
  bool legal(const std::string& setting);

  struct Considered {
    report::Lever lever;
    double seconds = 0;  // that the causes which name it held the machine up
  };
  MachineArguments machine_;
  bool known_ = true;  // machine_ can be made
  std::map<std::string, bool> legal_;
  std::vector<Considered> considered_;  // in the order in which evidence names them
};

}  // namespace cutaway::app
