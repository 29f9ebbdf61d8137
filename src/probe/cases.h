#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What a probe of a GPU draws: the experiments of Crassin and Neyret on G80 (G80-4 to G80-8), as data. The
// program `cutaway_probe` draws a case with any Vulkan driver; the command has it drawn by a simulated chip.
namespace cutaway::probe {

constexpr uint32_t kWindow = 512;  // pixels along each side

struct Point {
  float x, y;  // pixels from the window's upper left corner
};

enum class Topology { kTriangles, kStrips, kLines, kPoints };

// After kRestart, which stands in the place of an index, a new strip begins.
constexpr uint32_t kRestart = 0xffffffff;

struct Shape {
  Topology topology = Topology::kTriangles;
  std::vector<Point> vertices;
  std::vector<uint32_t> indices;  // none: every vertex once, in order
};

// Which pixels are slow.
enum class Where {
  kPixels,       // those that are listed
  kSubTile,      // all of the sub-tile (8x4) of the first
  kEachSubTile,  // one in each sub-tile, in the place that the first has in its own
  kLines,        // lines down from the first, again and again
};

// Lines of slow pixels, of which each pixel has a branch of its own: of so many pixels, as far from one
// another.
struct Lines {
  uint32_t pixels = 0, across = 0, down = 0;
  uint32_t aside = 0;  // so much further to the right lies every other pixel of a line
};

// The fragment program: how long it takes where. Additions in a loop, of which each needs the one before
// (`waits`) or none does.
struct Slowness {
  uint32_t background = 0;                        // turns of the loop of every other fragment
  uint32_t turns = 0;                             // of the slow ones
  std::vector<std::pair<uint32_t, uint32_t>> at;  // up to 4 slow pixels, each with a branch of its own
  Where where = Where::kPixels;
  bool waits = false;
  Lines lines = {};
};

// What was measured of a case on an 8800 GTS, beside another case.
struct Published {
  double ratio = 0;       // of the times; 0: no figure was published
  const char* fact = "";  // where it stands: "G80-4"
  std::string reference;  // the other case
  std::string beside;     // the case whose time is not looked at, in both; empty: none
  bool each = false;      // of the times of a vertex
};

struct Case {
  std::string name;  // as in `cutaway probe NAME`: "E2.1-quads-64"
  std::string what;  // for people
  Slowness slowness;
  Shape (*shape)(uint32_t size) = nullptr;
  uint32_t size = 0;
  Published published = {};
  uint32_t per_draw = 0;  // vertices of each of several draws; 0: there is one
  uint32_t apart = 0;     // pixels that G80 draws between two slow ones; 0: the case is not about that
  // What is drawn before, of the same size, with no turns of the loop; null: nothing.
  Shape (*base)(uint32_t size) = nullptr;
};

// How many pixels of a large triangle G80 draws on past a fragment that does not end (G80-3).
constexpr double kPublishedWindow = 5000;

// The lines of slow pixels that stand for silhouettes: in a tile each.
constexpr std::pair<uint32_t, uint32_t> kSilhouetteAt = {40, 32};
constexpr Lines kSilhouettes = {.pixels = 16, .across = 96, .down = 96};

// All of them, by experiment.
const std::vector<Case>& cases();

// The case of a name. None: null.
const Case* find_case(std::string_view name);

}  // namespace cutaway::probe
