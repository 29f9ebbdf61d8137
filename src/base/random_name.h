#pragma once

#include <string>
#include <string_view>

namespace cutaway {

// Letters and digits of random names; file systems that do not tell capitals apart keep them apart.
constexpr std::string_view kRandomLetters = "abcdefghijklmnopqrstuvwxyz234567";

// A name that nobody can foresee, for new files and folders.
std::string random_name(size_t letters);

// True for a text that random_name(letters) may have made.
inline bool is_random_name(std::string_view text, size_t letters) {
  return text.size() == letters && text.find_first_not_of(kRandomLetters) == text.npos;
}

}  // namespace cutaway
