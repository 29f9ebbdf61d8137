#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/commands.h"
#include "report/run_reader.h"

namespace cutaway::app {

// The frames of a run on a machine with some parameters changed.
struct WhatIf {
  struct Change {
    std::string path, before, after;
  };
  std::vector<Change> changes;
  uint64_t cycles_before = 0, cycles_after = 0;  // of all frames

  // Of the cycles before; below 0: it got slower.
  double saved() const;
  // What the one number that was changed grew by; none: several were, or it is no number, or it did not grow.
  std::optional<double> added() const;
};

struct Tries {
  std::vector<WhatIf> results;  // what pays most first
  // Another build of the simulator made the run, or it does not say which: then the machine was simulated
  // once more as it was, and the cycles before are of that. These are what the run had.
  std::optional<uint64_t> recorded_cycles;
};

// Simulates the frames once for each of the tries. UserError: the run cannot be made again as it was, or a
// try is no machine.
Tries measure_tries(const CommandArguments& arguments, report::RunReader& run,
                    const std::vector<uint64_t>& frames);

std::string what_if_text(const Tries& tries);
nlohmann::ordered_json what_if_json(const std::vector<WhatIf>& results);

}  // namespace cutaway::app
