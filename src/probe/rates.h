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
  uint32_t repeats_along_x = 1;             // so many times as often as along y
  bool anisotropic = false;                 // up to 16 samples along a footprint
  uint32_t samples = 1;                     // of a pixel; several are resolved
  uint32_t mads = 0;                        // of four components, in each fragment
  uint32_t turns = 0;                       // of a loop of one MAD, in every other block of the window
  uint32_t block = kWindow / 2;             // pixels along each side of one
  uint32_t reads = 0;                       // of a texel in each fragment, one after the other
  uint32_t footprint = 0;                   // bytes of the texture that they go through again and again
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
  std::string against;        // the rate whose time it is told in, if it is told so
  // Rates of rising work: what it tells is the greatest that takes hardly longer than the first. It has no
  // draw of its own.
  std::vector<std::string> series;
};

// All of them; those that others name as `beside` are among them.
const std::vector<Rate>& rates();

// The rate of a name. None: null.
const Rate* find_rate(std::string_view name);

// The vertices of a rate's triangles, in pixels.
std::vector<Point> vertices_of(const RateDraw& draw);

}  // namespace cutaway::probe
