#include "report/what_ifs.h"

#include <fmt/format.h>
#include <set>

namespace cutaway::report {

std::vector<std::string> what_ifs(const Explanation& explanation) {
  std::vector<std::string> tries;
  std::set<std::string> named;  // parameters
  for (const Explanation::Cause& cause : explanation.causes) {
    if (cause.share < Explanation::kTold) continue;
    for (const Finding& finding : cause.evidence)
      for (const Lever& lever : finding.levers)
        if (!lever.helpful.empty() && named.insert(lever.parameter).second)
          tries.push_back(fmt::format("{}={}", lever.parameter, lever.helpful));
  }
  return tries;
}

std::string what_if_command(const std::string& run, uint64_t frame, const std::string& one) {
  std::string quoted;
  for (const char c : run) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return fmt::format("cutaway explain '{}' --frame {} --try {}", quoted, frame, one);
}

}  // namespace cutaway::report
