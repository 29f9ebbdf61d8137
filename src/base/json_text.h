#pragma once

#include <string>

namespace cutaway {

// The text of a JSON value (any type of nlohmann's). Bytes from outside that are not UTF-8 become U+FFFD, so
// that no name or argument keeps a result from being written. Every text of JSON is made here.
// indent: spaces for each level; negative: all on one line. ascii: for a terminal; all beyond ASCII as
// \uXXXX.
template <class Json>
std::string json_text(const Json& json, int indent = -1, bool ascii = false) {
  return json.dump(indent, ' ', ascii, Json::error_handler_t::replace);
}

}  // namespace cutaway
