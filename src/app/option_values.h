#pragma once

#include <cstdint>
#include <string>
#include <utility>

// Parses values of options, decimal or hexadecimal after 0x. UserErrors that name the option.
namespace cutaway::app {

uint64_t program_number(const std::string& text);  // --program
uint64_t seed_number(const std::string& text);     // --seed
// A 32-bit number, at least `least`.
uint32_t small_number(const char* option, const std::string& text, uint32_t least);
// "X,Y" of an option such as --fragment
std::pair<int32_t, int32_t> pixel(const char* option, const std::string& text);

}  // namespace cutaway::app
