#pragma once

#include <string>
#include <vector>

namespace cutaway::scenes {

// Fragment programs, without END, that measure one thing each: which instructions issue together, or the cost
// of control flow. None waits for memory; the texture programs make 16 accesses, the others repeat one thing
// sixteen or thirty-two times.
struct RateProgram {
  std::string name, text;
  bool textured = false;
  std::string functions;  // placed behind the END
};
std::vector<RateProgram> rate_programs();

// Sixteen constructs, each around a MUL, for vertices.
std::string vertex_branches();

}  // namespace cutaway::scenes
