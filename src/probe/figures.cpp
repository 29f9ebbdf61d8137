#include "probe/figures.h"

#include "probe/cases.h"
#include "probe/outcome.h"
#include "probe/reasons.h"

namespace cutaway::probe {
namespace {

using enum Told;

// Adds figures of one chip.
struct Adding {
  std::vector<Figure>& to;
  const char* gpu;
  void operator()(const char* of, double value, const char* fact, Told told, const char* note = "") const {
    to.push_back({.gpu = gpu, .of = of, .value = value, .fact = fact, .told = told, .note = note});
  }
  void range(const char* of, double least, double most, const char* fact, Told told,
             const char* note = "") const {
    (*this)(of, least, fact, told, note);
    to.back().most = most;
  }
};

void add_attila(std::vector<Figure>& to) {
  const Adding add{to, "attila"};
  add("R1-color", 8, "ATT-1, ATT-3", kVendor, "two ROPs of four fragments");
  add("R1-depth", 8, "ATT-1, ATT-3", kVendor, "the same units test depth");
  add("R1-hidden", 128, "ATT-3", kVendor, "two tiles of 64 fragments");
  add.range("R1-memory", 51.2, 57.6, "ATT-15", kMeasured, "80 to 90 % of the 64 that memory moves");
  for (const char* of : {"R2-textures-4", "R2-textures-8"})
    add(of, 4, "ATT-8", kVendor,
        "an instruction a cycle of four fragments, of two units: a texel is read and added");
  add("R2-chained", 8, "ATT-8", kVendor, "an instruction a cycle of four fragments, of two units");
  add("R3-culled", 1, "ATT-3", kVendor);
  add("R3-vertices", 1, "ATT-3", kVendor);
  add("R3-shared", 0.34, "OUT-ATT-1", kMeasured, "two of three vertices are reused: 66 %");
  add("R4-mads", 8, "ATT-8, ATT-9", kVendor, "an instruction a cycle of four fragments, of two units");
}

// At 400 MHz; figures for other clocks are converted by the cycle.
void add_geforce6800(std::vector<Figure>& to) {
  const Adding add{to, "geforce6800"};
  add("R1-color", 16, "OUT-NV4-1", kVendor);
  add("R1-both", 16, "OUT-NV4-6", kVendor);
  add("R1-depth", 32, "NV4-2", kVendor, "12.8 G pixels/s");
  to.back().fitted = true;  // hierarchical_z.accepts
  add("R1-depth", 22.9, "OUT-NV4-7", kMeasured, "less than this: below 8.0 of 11.2 G pixels/s of a 6800 GT");
  add("R1-hidden", 64, "NV4-2, OUT-NV4-8", kVendor);
  add("R2-textures-window", 12, "OUT-NV4-5", kVendor, "about: held by memory to 4.8 of 6.4 G pixels/s");
  for (const char* of : {"R2-textures-3", "R2-textures-4", "R2-textures-6", "R2-textures-8"})
    add(of, 15, "OUT-NV4-4", kMeasured, "many textures: 6.0 of 6.4 G texels/s");
  add("R2-shadows", 16, "NV4-7, OUT-NV4-10", kVendor, "four comparisons a clock for each of 16 pixels");
  add("R3-vertices", 1.5, "NV4-2, OUT-NV4-12", kVendor, "600 M/s: six units of four instructions");
  add("R4-mads", 16, "NV4-2", kVendor, "and as many multiplications in addition");
  add("R4-muls-and-mads", 32, "NV4-2", kVendor, "16 and 16");
  add("R4-normals", 1, "NV4-4", kVendor, "free");
  add("R4-vertex-mads", 6, "NV4-2", kVendor);
  add("R5-blocks-16", 2, "OUT-NV4-11", kVendor, "both sides run: branches are of about 1,000 pixels");
  add("R5-vertices-1", 1, "NV4-1", kVendor, "each vertex takes its own branch");
  add("R5-if", 4, "NV4-3", kVendor, "if and endif");
  add("R5-if-else", 6, "NV4-3", kVendor, "if, else and endif");
  add("R5-loop", 4, "NV4-3", kVendor, "loop and endloop");
  add("R5-vertex-if", 2, "NV4-1, OUT-NV4-10", kVendor);
  add("R6-samples-4", 1, "OUT-NV4-13", kMeasured, "167.5 frames/s beside 167.7 with one sample");
  add.range("R7-anisotropic-16", 1, 1.1, "OUT-NV4-14", kMeasured, "at most 9 % fewer frames/s");
  add("R8-memory", 82.8, "NV4-1", kVendor, "35.2 GB/s");
}

void add_g80(std::vector<Figure>& to) {
  const Adding add{to, "g80"};
  add("R1-color", 20, "OUT-G80-8", kVendor, "four for each of five partitions");
  add("R1-blended", 10, "OUT-G80-9", kVendor, "half of that");
  add("R1-both", 20, "OUT-G80-8", kVendor, "color and depth of four for each of them");
  add("R1-depth", 160, "OUT-G80-8", kVendor, "eight times the color rate");
  add("R1-depth", 104, "OUT-G80-10", kMeasured, "a 9800 GTX: 5.2 times its color rate");
  add("R1-hidden", 256, "OUT-G80-6", kMeasured, "likely, says the reviewer");
  for (const char* of : {"R2-textures-4", "R2-textures-8"}) {
    add(of, 24, "OUT-G80-4", kVendor, "four addresses for each of six clusters");
    add(of, 18.3, "OUT-G80-11", kMeasured, "a GeForce 9: 76 % of its peak");
  }
  add("R2-halves-4", 24, "OUT-G80-3", kVendor, "as many as of 8 bits");
  add("R2-trilinear-4", 24, "OUT-G80-4, OUT-G80-3", kVendor, "eight filters behind four addresses");
  add("R3-culled", 1, "OUT-G80-6, OUT-G80-7", kMeasured);
  add("R3-drawn", 0.5, "OUT-G80-7", kMeasured);
  add("R4-mads", 57.6, "OUT-G80-1", kVendor, "96 processors at 1200 MHz, beside a core at 500 MHz");
  add("R4-waits", 4.58, "G80-2", kMeasured, "11 cycles at 1200 MHz");
  add("R5-blocks-8", 1, "OUT-G80-12", kVendor, "branches are of 32 pixels, and blocks of 64");
  add("R5-blocks-4", 2, "OUT-G80-12", kVendor, "both sides run: blocks of 16 pixels");
  add("R5-vertices-16", 1, "OUT-G80-12", kVendor, "branches are of 16 vertices");
  add("R5-vertices-8", 2, "OUT-G80-12", kVendor, "both sides run");
  add("R8-cache", 8, "OUT-G80-5", kMeasured, "it seems, says the reviewer");
  add("R8-transfer", 32, "OUT-G80-14", kMeasured, "of a partition of 64 bits");
  add("R8-memory", 128, "OUT-G80-1", kVendor, "64.0 GB/s");
  add("E1.6-window", kPublishedWindow, "G80-3", kMeasured, "about, of a large primitive");
  to.back().fitted = true;  // group_fifo.quads
  for (const char* of : {"E2.2-window-32", "E2.2-window-16", "E2.2-window-8"})
    add.range(of, 1, kPublishedWindow, "G80-3", kMeasured, "fewer, the smaller the squares");
  for (const char* of : {"E4.2-squares-128", "E4.2-squares-64", "E4.2-squares-32"})
    add.range(of, 1, 1.83, "G80-8", kMeasured, "it rises from size to size, by 83 % in all");
  // The figures that `shader.fragment_groups` and `group_fifo.primitive_quads` were fitted to.
  const auto fitted = [](const Case& each) {
    return each.published.fact == std::string("G80-4") || each.name == "E3.1-lines-2";
  };
  for (const Case& each : cases())
    if (each.published.ratio > 0)
      to.push_back({.gpu = "g80",
                    .of = each.name,
                    .value = each.published.ratio,
                    .fact = each.published.fact,
                    .fitted = fitted(each)});
}

void add_d3d11(std::vector<Figure>& to) {
  const Adding add{to, "d3d11"};
  add("R1-color", 30, "OUT-DX-3", kVendor, "a GTX 480: two for each of 15 multiprocessors");
  add("R1-color", 30.2, "OUT-DX-4", kMeasured, "23.3 G pixels/s of a GTX 580 at 772 MHz");
  add("R1-halves", 24, "OUT-DX-5", kVendor, "two cycles each, of 48 ROPs");
  add("R1-floats", 12, "OUT-DX-5", kVendor, "four cycles each");
  add("R1-depth", 32, "OUT-DX-2", kVendor, "four rasterisers of eight pixels");
  add("R1-depth-samples", 256, "OUT-DX-3", kVendor, "if compressible");
  add("R2-textures-8", 60, "OUT-DX-1", kVendor, "texture units of a GTX 480");
  add("R3-culled", 4, "OUT-DX-2", kVendor, "one for each of four rasterisers, as OUT-DX-15 says");
  to.back().fitted = true;  // streamer.vertices_per_cycle
  add("R3-drawn", 4, "OUT-DX-2", kVendor, "the same, of at most 8 pixels");
  to.back().fitted = true;
  add.range("R3-geometry", 3, 7, "DX-9", kMeasured, "where geometry binds");
  add("R4-mads", 240, "OUT-DX-1", kVendor, "480 processors of a GTX 480 at twice the core clock");
  add("R4-waits", 12, "OUT-DX-6", kVendor, "24 cycles at twice the core clock");
  add.range("R8-memory", 221, 239, "OUT-DX-7", kMeasured,
            "155 to 167 of the 182 GB/s of a GTX 480 at 950 MHz");
  add.range("R8-latency", 200, 400, "DX-2", kVendor, "400 to 800 cycles at twice the core clock");
  to.back().fitted = true;  // memory.latency
  add.range("R8-latency", 200, 300, "OUT-DX-6", kVendor, "400 to 600");
}

std::vector<Figure> all_figures() {
  std::vector<Figure> made;
  add_attila(made);
  add_geforce6800(made);
  add_g80(made);
  add_d3d11(made);
  for (Figure& figure : made)
    for (const Reason& reason : reasons())
      if (reason.gpu == figure.gpu && begins(reason.of, figure.of)) figure.why = reason.why;
  return made;
}

}  // namespace

const std::vector<Figure>& figures() {
  static const std::vector<Figure> made = all_figures();
  return made;
}

}  // namespace cutaway::probe
