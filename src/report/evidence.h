#pragma once

#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <string>

#include "report/machine_parts.h"
#include "report/run_reader.h"

// Helpers for sentences of evidence.
namespace cutaway::report {

// Returns 0 if `whole` is 0.
inline double ratio(uint64_t part, uint64_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}
inline std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }
inline std::string percent(uint64_t part, uint64_t whole) { return percent(ratio(part, whole)); }

// A parameter of the run's machine; 0 if it has none of that name.
inline double number(RunReader& run, const std::string& parameter) {
  const auto value = run.parameter(parameter.c_str());
  return value ? std::strtod(value->c_str(), nullptr) : 0;
}
inline uint64_t whole_number(RunReader& run, const std::string& parameter) {
  const auto value = run.parameter(parameter.c_str());
  return value ? std::strtoull(value->c_str(), nullptr, 10) : 0;
}

// "gpu.texture3" becomes "texture". A unit's counters for one client have a longer path: "texture.client".
inline std::string class_of(const std::string& unit) {
  const std::string kind = kind_of_unit(unit);
  return kind.starts_with("gpu.") ? kind.substr(4) : kind;
}

}  // namespace cutaway::report
