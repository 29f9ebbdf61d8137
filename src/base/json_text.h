#pragma once

#include <string>

#include "base/shown_text.h"

namespace cutaway {

// The text of a JSON value (any type of nlohmann's). Bytes from outside that are not UTF-8 become U+FFFD, so
// that no name or argument keeps a result from being written. Every text of JSON is made here.
// Control characters are escapes, so that no terminal obeys them. indent: spaces for each level; negative:
// all on one line.
template <class Json>
std::string json_text(const Json& json, int indent = -1) {
  return escape_controls_in_json(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

}  // namespace cutaway
