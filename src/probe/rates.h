#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "probe/cases.h"

// Rates: a GPU's work of one kind per cycle, measured by drawing. The program that draws the experiments
// draws these too. `cutaway fidelity` compares them with published figures.
namespace cutaway::probe {

// The format of a texel, or of a pixel of a target.
enum class Texel : uint8_t {
  kBytes,   // four of 8 bits
  kHalves,  // four floats of 16 bits
  kFloats,  // four of 32 bits, which cannot be filtered
  kDepths,  // of 24 bits, for comparison
};

struct RateDraw {
  uint32_t layers = 0;                      // number of triangles over the whole window, one over the other
  bool color = true, blend = false;         // color is written; with blending
  bool depth = false;                       // tested and written: each layer is nearer
  bool hidden = false;                      // all layers but the first are behind it
  bool plain_depth = false;                 // depths come from a copy, so none is known to be cleared
  Texel target = Texel::kBytes;             // format of the color target
  uint32_t textures = 0;                    // that each fragment reads: one texel of each per pixel
  Texel texel = Texel::kBytes;              // format of the textures
  uint32_t texels = 64;                     // along each side of a texture, which repeats
  uint32_t repeats_along_x = 1;             // repetitions along x per repetition along y
  bool anisotropic = false;                 // up to 16 samples along a footprint
  bool trilinear = false;                   // between two levels, half way
  uint32_t samples = 1;                     // per pixel; several are resolved
  std::string fragment = {}, vertex = {};   // programs of experiments/probe; empty: the plain ones
  uint32_t turns = 0;                       // loop iterations in the program; for branches: taken if not 0
  uint32_t block = kWindow / 2;             // pixels along each side of a block; vertices in a row
  uint32_t reads = 0;                       // dependent reads in each fragment
  uint32_t footprint = 0;                   // bytes of the texture or buffer that they traverse
  uint32_t stride = 0;                      // bytes between two fragments' reads, of a buffer
  uint32_t triangles = 0;                   // instead of layers: in a strip
  bool apart = false, transformed = false;  // apart: each has three vertices of its own; transformed: by a
                                            // matrix
  bool indexed = false;                     // as indexed triangles that share the strip's vertices
  bool geometry = false;                    // through a program that passes them on
  uint32_t side = 0;                        // pixels; 0: back-facing and culled
};

struct Rate {
  std::string name;  // as in `cutaway fidelity NAME`: "R2-textures-4"
  std::string what;  // description for people
  std::string unit;  // of work: "pixels"
  double work = 0;   // work in a frame
  RateDraw draw = {};
  std::string beside = "R0";  // the rate whose time is subtracted: a frame without the work
  std::string against = {};   // the rate by whose time the result is divided, if any
  // For rates in a series of rising or falling work: the result is the work of the last rate whose time
  // hardly differs from the first's. Such a rate has no draw of its own.
  std::vector<std::string> series = {};
  bool each = false;     // the result is the time per unit of work, not the work per cycle
  bool traffic = false;  // the result is what memory reads per unit of work, in bytes
  // For the distance that the rasteriser gets past a slow fragment: the cases that it follows from, as
  // "E1.6".
  std::string window = {};
};

// All rates, including those that others name as `beside`.
const std::vector<Rate>& rates();

// The rate with this name, or null.
const Rate* find_rate(std::string_view name);

// The vertices of a rate's triangles, in pixels.
std::vector<Point> vertices_of(const RateDraw& draw);

}  // namespace cutaway::probe
