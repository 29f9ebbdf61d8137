#include "probe/rates.h"

#include <algorithm>
#include <fmt/format.h>

namespace cutaway::probe {
namespace {

constexpr double kPixels = double{kWindow} * kWindow;
constexpr uint32_t kLayers = 16, kTexturedLayers = 4, kTriangles = 65536, kMads = 64;
constexpr uint32_t kTurns = 256, kReads = 4096, kReadTexels = 128;

// Told in the time of another.
Rate times(const std::string& against, const std::string& name, const std::string& what, RateDraw draw,
           const std::string& beside = "R0") {
  return {name, what, "", 0, draw, beside, against, {}};
}

// Fragments of which every other block loops. Where both sides of a branch run for all of a group, they take
// twice as long as where the window's quarters are the blocks.
void add_branches(std::vector<Rate>& to) {
  for (const uint32_t block : {kWindow / 2, 64u, 32u, 16u, 8u, 4u, 2u})
    to.push_back(times("R5-blocks-" + std::to_string(kWindow / 2), "R5-blocks-" + std::to_string(block),
                       fmt::format("a branch taken in every other block of {0} x {0} pixels", block),
                       {.layers = 1, .turns = kTurns, .block = block}));
}

// What costs nothing where arithmetic binds.
void add_hidden_costs(std::vector<Rate>& to) {
  const RateDraw plain{.layers = kTexturedLayers, .mads = kMads};
  RateDraw sampled = plain, isotropic = plain;
  sampled.samples = 4;
  to.push_back({"R6-cleared", "a frame of four samples that is cleared", "", 0, {.samples = 4}, "", "", {}});
  to.push_back(times("R4-mads", "R6-samples-4",
                     fmt::format("{} MADs a fragment, four samples a pixel", kMads), sampled, "R6-cleared"));
  isotropic.textures = 1, isotropic.repeats_along_x = 16;
  RateDraw anisotropic = isotropic;
  anisotropic.anisotropic = true;
  to.push_back(times("R7-bilinear", "R7-bilinear", fmt::format("{} MADs and a texel a fragment", kMads),
                     isotropic, "R2-loaded-1"));
  to.push_back(times("R7-bilinear", "R7-anisotropic-16",
                     fmt::format("{} MADs and a texel a fragment, of a footprint of 16 to 1", kMads),
                     anisotropic, "R2-loaded-1"));
}

// A few fragments go through more and more of a texture: where its cache no longer holds that, reads wait.
void add_reads(std::vector<Rate>& to) {
  to.push_back(
      {"R8-loaded", "the upload of what is read", "", 0, {.textures = 1, .texels = kReadTexels}, "", "", {}});
  Rate knee{"R8-cache", "of a texture that are read again as soon as less", "KiB", 0, {}, "", "", {}};
  for (const uint32_t kib : {4, 6, 8, 10, 12, 16, 24, 32}) {
    knee.series.push_back(fmt::format("R8-reads-{}", kib));
    to.push_back({knee.series.back(),
                  fmt::format("texels read one after the other, of {} KiB", kib),
                  "texels",
                  static_cast<double>(kib),
                  {.textures = 1,
                   .texels = kReadTexels,
                   .reads = kReads,
                   .footprint = kib * 1024,
                   .triangles = 1,
                   .side = 2},
                  "R8-loaded",
                  "",
                  {}});
  }
  to.push_back(std::move(knee));
}

std::vector<Rate> all() {
  std::vector<Rate> made;
  made.push_back({"R0", "a frame that is cleared", "", 0, {}, "", "", {}});
  const auto fill = [&](const char* name, const char* what, RateDraw draw) {
    draw.layers = kLayers;
    // The first layer of hidden ones is drawn beside them.
    const double layers = draw.hidden ? kLayers - 1 : kLayers;
    made.push_back({name, what, "pixels", layers * kPixels, draw, draw.hidden ? "R1-first" : "R0", "", {}});
  };
  fill("R1-color", "color, of one constant", {});
  fill("R1-blended", "color, added to what is there", {.blend = true});
  fill("R1-depth", "depth alone, tested and written", {.color = false, .depth = true});
  fill("R1-hidden", "fragments behind what was drawn first", {.depth = true, .hidden = true});
  made.push_back({"R1-first", "what hides those", "", 0, {.layers = 1, .depth = true}, "", "", {}});

  const auto textured = [&](const std::string& name, const std::string& what, uint32_t textures,
                            uint32_t texels) {
    const std::string base = "R2-loaded-" + name;
    made.push_back({"R2-textures-" + name,
                    what,
                    "texels",
                    kTexturedLayers * kPixels * textures,
                    {.layers = kTexturedLayers, .textures = textures, .texels = texels},
                    base,
                    "",
                    {}});
    made.push_back(
        {base, "the upload of those", "", 0, {.textures = textures, .texels = texels}, "", "", {}});
  };
  textured("window", "texels of a texture as large as the window", 1, kWindow);
  for (const uint32_t textures : {1, 2, 3, 4, 6, 8})
    textured(std::to_string(textures), fmt::format("texels of {} small textures that repeat", textures),
             textures, 64);

  const auto triangles = [&](const char* name, const char* what, const char* unit, double each,
                             RateDraw draw) {
    draw.triangles = kTriangles;
    made.push_back({name, what, unit, each * kTriangles, draw, "R0", "", {}});
  };
  triangles("R3-vertices", "vertices of triangles that look away, four instructions each", "vertices", 3,
            {.apart = true, .transformed = true});
  triangles("R3-culled", "triangles of a strip that look away", "triangles", 1, {});
  triangles("R3-drawn", "triangles of a strip, of two pixels each", "triangles", 1, {.side = 2});

  made.push_back({"R4-mads",
                  "multiplications and additions of four components",
                  "MADs",
                  kTexturedLayers * kPixels * kMads,
                  {.layers = kTexturedLayers, .mads = kMads},
                  "R0",
                  "",
                  {}});
  add_branches(made);
  add_hidden_costs(made);
  add_reads(made);
  return made;
}

}  // namespace

const std::vector<Rate>& rates() {
  static const std::vector<Rate> made = all();
  return made;
}

const Rate* find_rate(std::string_view name) {
  const auto found = std::ranges::find(rates(), name, &Rate::name);
  return found == rates().end() ? nullptr : &*found;
}

std::vector<Point> vertices_of(const RateDraw& draw) {
  constexpr float kEdge = kWindow;
  if (!draw.triangles) return {{0, 0}, {2 * kEdge, 0}, {0, 2 * kEdge}};
  std::vector<Point> made;
  if (draw.apart) {
    for (uint32_t i = 0; i < draw.triangles; i++) made.insert(made.end(), {{0, 0}, {8, 0}, {0, 8}});
    return made;
  }
  // A strip of squares, in rows that go to the right and back; of those that look away one long row.
  const auto side = static_cast<float>(draw.side);
  const uint32_t columns = draw.side ? kWindow / draw.side : draw.triangles;
  const float width = draw.side ? side : kEdge / static_cast<float>(draw.triangles),
              height = draw.side ? side : 8;
  for (uint32_t i = 0; i < draw.triangles + 2; i++) {
    const uint32_t row = i / 2 / columns, along = i / 2 % columns;
    const uint32_t column = row % 2 ? columns - 1 - along : along;
    const float x = width * static_cast<float>(column), y = height * static_cast<float>(row % columns);
    made.push_back({x, i % 2 == (draw.side ? 1 : 0) ? y + height : y});
  }
  return made;
}

}  // namespace cutaway::probe
