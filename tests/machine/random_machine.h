#pragma once

#include <cstdint>
#include <string>

#include "machine/config.h"

// Legal machines drawn from the declarations of their parameters: a parameter that is new takes part without
// a line here.
namespace cutaway::random_machine {

struct Drawn {
  machine::Config config;
  unsigned redrawn = 0;  // parameters drawn again because rules refused them
};

// The same machine for the same seed and declarations.
Drawn draw(uint64_t seed);

// A preset of which every eighth parameter or so is drawn.
Drawn draw_around(const std::string& preset, uint64_t seed);

// True if a parameter is drawn. Supported formats are not: they affect no figure and only reject scenes.
bool is_drawn(const Field& field);

// The values of a parameter that are drawn: its range, or less where a machine would be too slow.
ValueRange drawn_from(const Field& field);

// A file that `cutaway simulate --gpu` takes: every parameter is stated in it.
std::string toml_of(const machine::Config& config);

}  // namespace cutaway::random_machine
