#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/run_reader.h"

namespace cutaway::report {

// A shader unit that waits for a result acts, as a probe of the machine sees it: instructions are in its
// execute stages. But where few groups are inside, and the streamer is not held up by what is behind it but
// fetches attributes or waits for what is under way, it is the streamer that holds the machine up: with more
// vertices under way the unit would issue in those cycles.
struct StarvedShaders {
  double share = 0;      // of what is blamed on the shader units: the streamer's part
  std::string sentence;  // with the figures that tell it
};

// kind: of shader units, "shader". Nothing: they do not run vertices, or are not starved of them.
std::optional<StarvedShaders> starved_shaders(RunReader& run, const std::vector<RunReader::Counts>& counts,
                                              const std::string& kind);

}  // namespace cutaway::report
