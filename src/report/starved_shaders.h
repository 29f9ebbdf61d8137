#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/run_reader.h"

namespace cutaway::report {

// To a probe of the machine, a shader unit that waits for a result is active: instructions are in its execute
// stages. But if few groups are inside, and the streamer is not blocked but fetches attributes or waits for
// earlier vertices, the streamer holds the machine up: with more vertices in flight the unit would issue in
// those cycles.
struct StarvedShaders {
  double share = 0;      // the streamer's part of the share attributed to the shader units
  std::string sentence;  // states the figures behind it
};

// kind: of shader units, "shader". None: they do not run vertices, or are not starved of them.
std::optional<StarvedShaders> starved_shaders(RunReader& run, const std::vector<RunReader::Counts>& counts,
                                              const std::string& kind);

}  // namespace cutaway::report
