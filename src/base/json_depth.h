#pragma once

#include <cstddef>
#include <string_view>

namespace cutaway {

// Deepest nesting of JSON of others. Readers and writers of JSON values are recursive.
constexpr size_t kDeepestJson = 100;

// False if objects and lists of the text are nested deeper. Looked at before a text of others is parsed; the
// text need not be JSON.
bool is_shallow_json(std::string_view text);

}  // namespace cutaway
