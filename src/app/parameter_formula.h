#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::app {

// A parameter of whole numbers: its value, and other values to try.
struct TriedParameter {
  std::string name;
  long value = 0;
  std::vector<long> others;
};

// Values of parameters by their index, in place of their own.
using ParameterChanges = std::map<size_t, long>;

// A number that follows from parameters. None: no machine has these values.
using NumberOfParameters = std::function<std::optional<long>(const ParameterChanges&)>;

// Finds by trial how a number follows from parameters: "2", "`a` + 4 × `b` × `c`", "max(2, `a` / `b`)". A
// number that follows from them in another way is its value with their names: "7, by `a`, `b`".
std::string formula_of(const std::vector<TriedParameter>& parameters, const NumberOfParameters& number);

}  // namespace cutaway::app
