#pragma once

#include <cstdint>
#include <string>
#include <vector>

// Published figures of the presets' chips that can be measured by drawing a case or a rate.
namespace cutaway::probe {

// Source of a figure.
enum class Told : uint8_t {
  kMeasured,
  kVendor
};  // kMeasured: somebody measured the chip; kVendor: its maker, or a reviewer

struct Figure {
  std::string gpu;  // preset
  std::string of;   // name of a rate (the figure is work per cycle of the core clock), or of a case (a ratio)
  double value = 0;
  std::string fact;  // its fact id: "OUT-G80-8"
  Told told = Told::kMeasured;
  bool fitted = false;   // a parameter of the preset was fitted to it
  std::string note;      // how it is to be understood
  double most = 0;       // upper end of a range that starts at `value`; 0: not a range
  std::string why = {};  // the reason that the simulated chip differs, if known
};

// All figures, by preset, including the cases' figures of an 8800 GTS.
const std::vector<Figure>& figures();

}  // namespace cutaway::probe
