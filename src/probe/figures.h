#pragma once

#include <cstdint>
#include <string>
#include <vector>

// What was published of the chips of the presets, and can be measured by drawing a case or a rate.
namespace cutaway::probe {

// Who says it.
enum class Told : uint8_t {
  kMeasured,
  kVendor
};  // somebody who measured the chip; who made it, or a reviewer

struct Figure {
  std::string gpu;  // preset
  std::string of;   // the name of a rate, in units of work a cycle of the core clock; or of a case, a ratio
  double value = 0;
  std::string fact;  // where it stands: "OUT-G80-8"
  Told told = Told::kMeasured;
  bool fitted = false;   // a parameter of the preset was fitted to it
  std::string note;      // how it is meant
  double most = 0;       // where it is a range, from `value` to this; 0: it is not
  std::string why = {};  // ours differs, where somebody has looked
};

// All of them, by preset; those of the cases of an 8800 GTS among them.
const std::vector<Figure>& figures();

}  // namespace cutaway::probe
