#pragma once

#include "probe/figures.h"

// Reasons that the presets' figures differ from published ones.
namespace cutaway::probe {

struct Reason {
  std::string gpu;
  std::string of;  // prefix of the figures' names: "E3.2-stacks"
  std::string why;
};

const std::vector<Reason>& reasons();

}  // namespace cutaway::probe
