#pragma once

#include <string>
#include <vector>

namespace cutaway::scenes {

// Fragment programs, without END, that ask for one thing: what issues together, and what flow costs. None
// waits for memory; those of textures access 16 times, and the others are sixteen or thirty-two times the
// same.
struct RateProgram {
  std::string name, text;
  bool textured = false;
  std::string functions;  // that stand behind the END
};
std::vector<RateProgram> rate_programs();

// Sixteen constructs, each around a MUL, for vertices.
std::string vertex_branches();

}  // namespace cutaway::scenes
