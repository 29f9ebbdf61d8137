#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "probe/cases.h"

// What a GPU does of one kind of work in a cycle, measured by a program: the same program that draws the
// experiments draws these. `cutaway fidelity` holds them against what was published.
namespace cutaway::probe {

struct RateDraw {
  uint32_t layers = 0;                      // triangles over the whole window, one over the other
  bool color = true, blend = false;         // color is written; blended
  bool depth = false;                       // tested and written: each layer is nearer
  bool hidden = false;                      // all but the first are behind it
  uint32_t textures = 0;                    // that each fragment reads: a texel of each for a pixel
  uint32_t texels = 64;                     // along each side of one, which repeats
  uint32_t mads = 0;                        // of four components, in each fragment
  uint32_t triangles = 0;                   // in place of layers: in a strip
  bool apart = false, transformed = false;  // each has three vertices of its own; by a matrix
  uint32_t side = 0;                        // pixels; 0: they look away, and are culled
};

struct Rate {
  std::string name;  // as in `cutaway fidelity NAME`: "R2-textures-4"
  std::string what;  // for people
  std::string unit;  // of work: "pixels"
  double work = 0;   // in a frame
  RateDraw draw;
  std::string beside = "R0";  // whose time is taken off: what a frame takes without the work
};

// All of them; those that others name as `beside` are among them.
const std::vector<Rate>& rates();

// The rate of a name. None: null.
const Rate* find_rate(std::string_view name);

// The vertices of a rate's triangles, in pixels.
std::vector<Point> vertices_of(const RateDraw& draw);

}  // namespace cutaway::probe
