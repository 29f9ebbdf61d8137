#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The cases that a probe of a GPU draws: the experiments of Crassin and Neyret on G80 (G80-4 to G80-8), as
// data. The program `cutaway_probe` draws a case with any Vulkan driver; the command draws it on a simulated
// chip.
namespace cutaway::probe {

constexpr uint32_t kWindow = 512;  // pixels along each side

struct Point {
  float x, y;  // pixels from the window's upper left corner
};

enum class Topology { kTriangles, kStrips, kLines, kPoints };

// As an index: begins a new strip.
constexpr uint32_t kRestart = 0xffffffff;

struct Shape {
  Topology topology = Topology::kTriangles;
  std::vector<Point> vertices;
  std::vector<uint32_t> indices;  // empty: every vertex once, in order
};

// The set of slow pixels.
enum class Where {
  kPixels,       // the listed pixels
  kSubTile,      // the whole sub-tile (8x4) of the first listed pixel
  kEachSubTile,  // one pixel in each sub-tile for each listed pixel, at its position
  kEachHalf,     // one pixel in each half of a sub-tile (4x4), at the first listed pixel's position
  kLines,        // repeated lines downwards from the first listed pixel
};

// Lines of slow pixels, each pixel with its own branch: number of pixels and distance between lines.
struct Lines {
  uint32_t pixels = 0, across = 0, down = 0;
  uint32_t aside = 0;  // every second pixel of a line is this much further to the right
};

// The fragment program's running time by pixel. It executes additions in a loop, each dependent on the
// previous one (`waits`) or independent.
struct Slowness {
  uint32_t background = 0;                        // loop iterations of every other fragment
  uint32_t turns = 0;                             // loop iterations of the slow fragments
  std::vector<std::pair<uint32_t, uint32_t>> at;  // up to 4 slow pixels, each with its own branch
  Where where = Where::kPixels;
  bool waits = false;
  Lines lines = {};
};

// The measurement of a case on an 8800 GTS, relative to another case.
struct Published {
  double ratio = 0;       // ratio of the times; 0: no figure was published
  const char* fact = "";  // its fact id: "G80-4"
  std::string reference;  // the other case
  std::string beside;     // the case whose time is subtracted from both; empty: none
  bool each = false;      // ratio of times per vertex
};

struct Case {
  std::string name;  // as in `cutaway probe NAME`: "E2.1-quads-64"
  std::string what;  // description for people
  Slowness slowness;
  Shape (*shape)(uint32_t size) = nullptr;
  uint32_t size = 0;
  Published published = {};
  uint32_t per_draw = 0;  // vertices of each of several draws; 0: a single draw
  uint32_t apart = 0;     // pixels that G80 draws between two slow ones; 0: not applicable
  // Geometry drawn before, of the same size; null: none.
  Shape (*base)(uint32_t size) = nullptr;
  Slowness base_slowness = {};
  // Geometry drawn before both, with no loop iterations, into the depths alone: early depth tests then keep
  // `shape` to its pixels and `base` to the others; null: no tests.
  Shape (*mask)(uint32_t size) = nullptr;
};

// Number of pixels of a large triangle that G80 draws past a fragment that does not end (G80-3).
constexpr double kPublishedWindow = 5000;

// Lines of slow pixels that stand for silhouettes: one per tile.
constexpr std::pair<uint32_t, uint32_t> kSilhouetteAt = {40, 32};
constexpr Lines kSilhouettes = {.pixels = 16, .across = 96, .down = 96};

// Positions in a sub-tile of stars of two kinds.
constexpr std::pair<uint32_t, uint32_t> kStars[2] = {{3, 1}, {7, 1}};

// All cases, by experiment.
const std::vector<Case>& cases();

// The case with this name, or null.
const Case* find_case(std::string_view name);

}  // namespace cutaway::probe
