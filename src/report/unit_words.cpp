#include "report/unit_words.h"

#include <algorithm>

namespace cutaway::report {

std::string words_of(const std::string& kind, const std::string& stage) {
  if (kind.empty()) return "nothing under way";
  if (kind == "memory_controller") return "memory";
  if (kind == "host") return "the host";
  if (kind == "geometry_shading") return "geometry shading unit";
  std::string words = stage.empty() ? kind : stage + " shading";
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

}  // namespace cutaway::report
