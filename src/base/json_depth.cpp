#include "base/json_depth.h"

namespace cutaway {

bool is_shallow_json(std::string_view text) {
  size_t depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); i++) {
    const char c = text[i];
    if (in_string && c == '\\') i++;
    else if (c == '"') in_string = !in_string;
    else if (!in_string && (c == '[' || c == '{') && ++depth > kDeepestJson) return false;
    else if (!in_string && (c == ']' || c == '}') && depth) depth--;
  }
  return true;
}

}  // namespace cutaway
