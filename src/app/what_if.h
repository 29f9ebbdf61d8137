#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/commands.h"
#include "report/run_reader.h"

namespace cutaway::app {

// The frames of a run, on a machine with some parameters changed.
struct WhatIf {
  struct Change {
    std::string path, before, after;
  };
  std::vector<Change> changes;
  uint64_t cycles_before = 0, cycles_after = 0;  // of the core clock, over all frames
  double seconds_before = 0, seconds_after = 0;  // that they take at the clocks of the two machines
  std::string refusal;                           // why the machine cannot run the frames; "": it did

  double seconds_saved() const { return seconds_before - seconds_after; }
  // Relative saving of time; negative: it got slower.
  double saved() const;
  // Increase of the single changed number; none: several were changed, or it is no number, or it did not
  // grow.
  std::optional<double> added() const;
};

struct Tries {
  bool automatic = false;      // `--try auto` is among them
  uint64_t cycles_before = 0;  // of the unchanged machine
  double seconds_before = 0;
  std::vector<WhatIf> results;  // refused ones last; else by the time that they save if automatic, by what
                                // pays most for each that is added if not
  // Set if another build of the simulator made the run, or the run does not say which: then the unchanged
  // machine was simulated again for the cycles before. This is the run's figure.
  std::optional<uint64_t> recorded_cycles;
};

// Simulates the frames once per try, on machines side by side. automatic: the tries of `--try auto`, if that
// is asked for. UserError: the run cannot be repeated, or a try that was asked for is not a legal machine or
// cannot run the frames.
Tries measure_tries(const CommandArguments& arguments, report::RunReader& run,
                    const std::vector<uint64_t>& frames, const std::vector<std::string>& automatic);

std::string what_if_text(const Tries& tries);
nlohmann::ordered_json what_if_json(const std::vector<WhatIf>& results);

}  // namespace cutaway::app
