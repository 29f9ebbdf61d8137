#pragma once

#include <string>

namespace cutaway::report {

// The work of the units of a kind, in the field's words: "texture filtering" of "texture". `stage` is that of
// the program that a shader unit ran ("fragment", of run_record::kProgramStages); "" if it is unknown or
// none. An unknown kind is its own name; "" becomes "nothing under way".
std::string words_of(const std::string& kind, const std::string& stage = "");

}  // namespace cutaway::report
