#pragma once

#include "probe/figures.h"

// Why figures of presets differ from what was published.
namespace cutaway::probe {

struct Reason {
  std::string gpu;
  std::string of;  // figures whose names begin so: "E3.2-stacks"
  std::string why;
};

const std::vector<Reason>& reasons();

}  // namespace cutaway::probe
