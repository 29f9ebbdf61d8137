#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "probe/cases.h"

// What a GPU does of one kind of work in a cycle, measured by a program: the same program that draws the
// experiments draws these. `cutaway fidelity` holds them against what was published.
namespace cutaway::probe {

// What a texel or a pixel of a target is made of.
enum class Texel : uint8_t {
  kBytes,   // four of 8 bits
  kHalves,  // four floats of 16 bits
  kFloats,  // four of 32, which nothing filters
  kDepths,  // of 24 bits, with which others are compared
};

struct RateDraw {
  uint32_t layers = 0;                      // triangles over the whole window, one over the other
  bool color = true, blend = false;         // color is written; blended
  bool depth = false;                       // tested and written: each layer is nearer
  bool hidden = false;                      // all but the first are behind it
  bool plain_depth = false;                 // depths come from a copy: none is known to be cleared
  Texel target = Texel::kBytes;             // that color is written to
  uint32_t textures = 0;                    // that each fragment reads: a texel of each for a pixel
  Texel texel = Texel::kBytes;              // of those
  uint32_t texels = 64;                     // along each side of one, which repeats
  uint32_t repeats_along_x = 1;             // so many times as often as along y
  bool anisotropic = false;                 // up to 16 samples along a footprint
  bool trilinear = false;                   // of two levels, half way between them
  uint32_t samples = 1;                     // of a pixel; several are resolved
  std::string fragment = {}, vertex = {};   // programs of experiments/probe; empty: the plain ones
  uint32_t turns = 0;                       // of a loop in the program; of branches: taken if there are some
  uint32_t block = kWindow / 2;             // pixels along each side of one; vertices in a row
  uint32_t reads = 0;                       // in each fragment, one after the other
  uint32_t footprint = 0;                   // bytes of the texture or buffer that they go through
  uint32_t stride = 0;                      // bytes between two fragments' reads, of a buffer
  uint32_t triangles = 0;                   // in place of layers: in a strip
  bool apart = false, transformed = false;  // each has three vertices of its own; by a matrix
  bool indexed = false;                     // as triangles of indices, which share the strip's vertices
  bool geometry = false;                    // through a program that passes them on
  uint32_t side = 0;                        // pixels; 0: they look away, and are culled
};

struct Rate {
  std::string name;  // as in `cutaway fidelity NAME`: "R2-textures-4"
  std::string what;  // for people
  std::string unit;  // of work: "pixels"
  double work = 0;   // in a frame
  RateDraw draw = {};
  std::string beside = "R0";  // whose time is taken off: what a frame takes without the work
  std::string against = {};   // the rate whose time it is told in, if it is told so
  // Rates of rising or falling work: what it tells is that of the last one that takes hardly longer or
  // shorter than the first. It has no draw of its own.
  std::vector<std::string> series = {};
  bool each = false;    // it is told as the time of one of the work, not as the work in a cycle
  bool window = false;  // how far the rasteriser gets past a slow fragment, by the cases of E1.6
};

// All of them; those that others name as `beside` are among them.
const std::vector<Rate>& rates();

// The rate of a name. None: null.
const Rate* find_rate(std::string_view name);

// The vertices of a rate's triangles, in pixels.
std::vector<Point> vertices_of(const RateDraw& draw);

}  // namespace cutaway::probe
