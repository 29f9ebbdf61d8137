#include "probe/figures.h"

#include "probe/cases.h"

namespace cutaway::probe {
namespace {

using enum Told;

// Of one chip.
struct Adding {
  std::vector<Figure>& to;
  const char* gpu;
  void operator()(const char* of, double value, const char* fact, Told told, const char* note = "") const {
    to.push_back({gpu, of, value, fact, told, false, note});
  }
};

void add_attila(std::vector<Figure>& to) {
  const Adding add{to, "attila"};
  add("R1-color", 8, "ATT-1, ATT-3", kVendor, "two ROPs of four fragments");
  add("R1-depth", 8, "ATT-1, ATT-3", kVendor, "the same units test depth");
  add("R1-hidden", 128, "ATT-3", kVendor, "two tiles of 64 fragments");
  add("R3-culled", 1, "ATT-3", kVendor);
  add("R3-vertices", 1, "ATT-3", kVendor);
}

// Of 400 MHz; figures for other clocks are taken by the cycle.
void add_geforce6800(std::vector<Figure>& to) {
  const Adding add{to, "geforce6800"};
  add("R1-color", 16, "OUT-NV4-1", kVendor);
  add("R1-depth", 32, "NV4-2", kVendor, "12.8 G pixels/s");
  add("R1-depth", 22.9, "OUT-NV4-7", kMeasured, "less than this: below 8.0 of 11.2 G pixels/s of a 6800 GT");
  add("R1-hidden", 64, "NV4-2, OUT-NV4-8", kVendor);
  add("R2-textures-window", 12, "OUT-NV4-5", kVendor, "about: held by memory to 4.8 of 6.4 G pixels/s");
  for (const char* of : {"R2-textures-3", "R2-textures-4", "R2-textures-6", "R2-textures-8"})
    add(of, 15, "OUT-NV4-4", kMeasured, "many textures: 6.0 of 6.4 G texels/s");
  add("R3-vertices", 1.5, "NV4-2, OUT-NV4-12", kVendor, "600 M/s: six units of four instructions");
  add("R4-mads", 16, "NV4-2", kVendor, "and as many multiplications beside them");
  add("R5-blocks-16", 2, "OUT-NV4-11", kVendor, "both sides run: branches are of about 1,000 pixels");
  add("R6-samples-4", 1, "OUT-NV4-13", kMeasured, "167.5 frames/s beside 167.7 with one sample");
  add("R7-anisotropic-16", 1.1, "OUT-NV4-14", kMeasured, "at most: 9 % fewer frames/s");
}

void add_g80(std::vector<Figure>& to) {
  const Adding add{to, "g80"};
  add("R1-color", 20, "OUT-G80-8", kVendor, "four for each of five partitions");
  add("R1-blended", 10, "OUT-G80-9", kVendor, "half of that");
  add("R1-depth", 160, "OUT-G80-8", kVendor, "eight times the color rate");
  add("R1-depth", 104, "OUT-G80-10", kMeasured, "a 9800 GTX: 5.2 times its color rate");
  add("R1-hidden", 256, "OUT-G80-6", kMeasured, "likely, says the reviewer");
  for (const char* of : {"R2-textures-4", "R2-textures-8"}) {
    add(of, 24, "OUT-G80-4", kVendor, "four addresses for each of six clusters");
    add(of, 18.3, "OUT-G80-11", kMeasured, "a GeForce 9: 76 % of its peak");
  }
  add("R3-culled", 1, "OUT-G80-6, OUT-G80-7", kMeasured);
  add("R3-drawn", 0.5, "OUT-G80-7", kMeasured);
  add("R4-mads", 57.6, "OUT-G80-1", kVendor, "96 processors at 1200 MHz, beside a core at 500 MHz");
  add("R5-blocks-8", 1, "OUT-G80-12", kVendor, "branches are of 32 pixels, and blocks of 64");
  add("R5-blocks-4", 2, "OUT-G80-12", kVendor, "both sides run: blocks of 16 pixels");
  add("R8-cache", 8, "OUT-G80-5", kMeasured, "it seems, says the reviewer");
  // What `shader.fragment_groups` and `work_distributor.group_primitives` were fitted to.
  const auto fitted = [](const Case& each) {
    return each.published.fact == std::string("G80-4") || each.name == "E4.1";
  };
  for (const Case& each : cases())
    if (each.published.ratio > 0)
      to.push_back({"g80", each.name, each.published.ratio, each.published.fact, kMeasured, fitted(each)});
}

void add_d3d11(std::vector<Figure>& to) {
  const Adding add{to, "d3d11"};
  add("R1-color", 30, "OUT-DX-3", kVendor, "a GTX 480: two for each of 15 multiprocessors");
  add("R2-textures-8", 60, "OUT-DX-1", kVendor, "texture units of a GTX 480");
  add("R3-culled", 4, "OUT-DX-2, OUT-DX-15", kVendor, "one for each of four rasterisers");
  add("R3-drawn", 4, "OUT-DX-2", kVendor, "the same, of at most 8 pixels");
  add("R4-mads", 240, "OUT-DX-1", kVendor, "480 processors of a GTX 480 at twice the core clock");
}

std::vector<Figure> all() {
  std::vector<Figure> made;
  add_attila(made);
  add_geforce6800(made);
  add_g80(made);
  add_d3d11(made);
  return made;
}

}  // namespace

const std::vector<Figure>& figures() {
  static const std::vector<Figure> made = all();
  return made;
}

}  // namespace cutaway::probe
