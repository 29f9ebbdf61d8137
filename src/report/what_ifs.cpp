#include "report/what_ifs.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace cutaway::report {
namespace {

constexpr size_t kMostCauses = 3;
constexpr double kLeastShare = 0.1;  // of the probes, of a cause worth an experiment

// The tables of parameters that tell how fast a kind of unit is.
std::vector<std::string> tables_of(const std::string& kind) {
  if (kind == "memory_controller") return {"memory"};
  if (kind == "z_stencil" || kind == "color_write") return {kind, "rop"};
  return {kind};
}

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// True if a declared range, "1 to 64", has the value. Other ranges are the machine's to judge.
bool in_range(const Declaration& declaration, double value) {
  const std::string_view range = declaration.range;
  const size_t cut = range.find(" to ");
  if (cut == range.npos) return true;
  const auto least = number_of(range.substr(0, cut)), most = number_of(range.substr(cut + 4));
  return !least || !most || (*least <= value && value <= *most);
}

bool is_speed(std::string_view name) {
  return name == "units" || name == "channels" || name.ends_with("_per_cycle");
}

}  // namespace

std::vector<std::string> what_ifs(RunReader& run, std::span<const Explanation::Cause> causes,
                                  std::span<const Declaration> declarations) {
  std::vector<std::string> tries;
  const auto add = [&](const std::string& path, double twice) {
    const auto declared = std::find_if(declarations.begin(), declarations.end(),
                                       [&](const Declaration& one) { return one.path == path; });
    if (declared != declarations.end() && !in_range(*declared, twice)) return;
    std::string one = fmt::format("{}={}", path, twice);
    if (std::find(tries.begin(), tries.end(), one) == tries.end()) tries.push_back(std::move(one));
  };
  for (const Explanation::Cause& cause : causes.first(std::min(causes.size(), kMostCauses))) {
    if (cause.share < kLeastShare) continue;
    for (const std::string& owner : tables_of(cause.kind))
      for (const std::string& path : run.parameters(owner)) {
        const auto value = number_of(run.parameter(path).value_or(""));
        if (is_speed(std::string_view(path).substr(owner.size() + 1)) && value && *value > 0)
          add(path, 2 * *value);
      }
  }
  return tries;
}

std::string what_if_command(const std::string& run, uint64_t frame, const std::string& one) {
  std::string quoted;
  for (const char c : run) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return fmt::format("cutaway explain '{}' --frame {} --try {}", quoted, frame, one);
}

}  // namespace cutaway::report
