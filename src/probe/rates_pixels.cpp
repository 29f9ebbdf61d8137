#include <fmt/format.h>

#include "probe/rates_parts.h"

// Rates of written pixels and of texels that they read.
namespace cutaway::probe {
namespace {

constexpr uint32_t kLayers = 16;

}  // namespace

void add_fill(std::vector<Rate>& to) {
  to.push_back(idle("R0", "a frame that is cleared", {}));
  const auto fill = [&](const char* name, const char* what, RateDraw draw, const char* beside = "R0") {
    draw.layers = kLayers;
    // The first layer is drawn in addition to the hidden ones.
    const double layers = draw.hidden ? kLayers - 1 : kLayers;
    to.push_back({.name = name,
                  .what = what,
                  .unit = draw.samples > 1 ? "samples" : "pixels",
                  .work = layers * kPixels * draw.samples,
                  .draw = draw,
                  .beside = beside});
  };
  fill("R1-color", "color, of one constant", {});
  fill("R1-blended", "color, added to what is there", {.blend = true});
  fill("R1-both", "color and depth, tested and written", {.depth = true});
  fill("R1-depth", "depth alone, tested and written", {.color = false, .depth = true});
  fill("R1-hidden", "fragments behind the first draw", {.depth = true, .hidden = true}, "R1-first");
  to.push_back(idle("R1-first", "the draw that hides those", {.layers = 1, .depth = true}));

  fill("R1-depth-samples", "depth alone of eight samples a pixel",
       {.color = false, .depth = true, .samples = 8}, "R0-samples");
  to.push_back(idle("R0-samples", "a frame of eight samples that is cleared", {.samples = 8}));
  fill("R1-halves", "color of four floats of 16 bits", {.target = Texel::kHalves}, "R0-halves");
  to.push_back(idle("R0-halves", "a frame of those that is cleared", {.target = Texel::kHalves}));
  fill("R1-floats", "color of four floats of 32 bits", {.target = Texel::kFloats}, "R0-floats");
  to.push_back(idle("R0-floats", "a frame of those that is cleared", {.target = Texel::kFloats}));

  // 4 bytes each: a color read and written, a depth read and written.
  constexpr double kMoved = 16;
  fill("R1-memory", "color and depth, both read and written, uncompressed",
       {.blend = true, .depth = true, .plain_depth = true}, "R0-plain-depth");
  to.back().unit = "bytes", to.back().work *= kMoved;
  to.push_back(idle("R0-plain-depth", "the upload of depths", {.plain_depth = true}));
}

void add_textures(std::vector<Rate>& to) {
  const auto textured = [&](const std::string& name, const std::string& what, uint32_t textures,
                            RateDraw draw) {
    const std::string base = "R2-loaded-" + name;
    draw.textures = textures;
    to.push_back(idle(base, "the upload of those", draw));
    draw.layers = kTexturedLayers;
    to.push_back({.name = "R2-" + name,
                  .what = what,
                  .unit = "texels",
                  .work = kTexturedLayers * kPixels * textures,
                  .draw = draw,
                  .beside = base});
  };
  // Small enough for the caches: only the filtering rate is measured.
  constexpr uint32_t kSmall = 16;
  textured("textures-window", "texels of a texture as large as the window", 1, {.texels = kWindow});
  for (const uint32_t textures : {1, 2, 3, 4, 6, 8})
    textured(fmt::format("textures-{}", textures),
             fmt::format("texels of {0} textures of {1} x {1} that repeat", textures, kSmall), textures,
             {.texels = kSmall});
  textured("halves-4", "texels of 4 such textures, of four floats of 16 bits", 4,
           {.texel = Texel::kHalves, .texels = kSmall});
  textured("trilinear-4", "texels of 4 such textures, each of two levels", 4,
           {.texels = kSmall, .trilinear = true});
  // Only texture instructions.
  const auto chained = [&](const std::string& name, const std::string& what, Texel texel) {
    constexpr uint32_t kChained = 33;
    RateDraw draw{.textures = 1, .texel = texel, .texels = 16, .fragment = name};
    to.push_back(idle("R2-loaded-" + name, "the upload of those", draw));
    draw.layers = 1;
    to.push_back({.name = "R2-" + name,
                  .what = what,
                  .unit = "texels",
                  .work = kPixels * kChained,
                  .draw = draw,
                  .beside = "R2-loaded-" + name});
  };
  chained("chained", "dependent texels: each gives the coordinates of the next", Texel::kHalves);
  chained("shadows", "texels of depths: four are compared and mixed for each", Texel::kDepths);
}

// Features that cost nothing if arithmetic is the bottleneck.
void add_hidden_costs(std::vector<Rate>& to) {
  const std::string mads = fmt::format("{} MADs a fragment", kMads);
  const RateDraw plain{.layers = kTexturedLayers, .fragment = "mads"};
  RateDraw sampled = plain, isotropic = plain;
  sampled.samples = 4;
  to.push_back(idle("R6-cleared", "a frame of four samples that is cleared", {.samples = 4}));
  to.push_back(times("R6-samples-1", "R6-samples-1", mads, plain));
  to.push_back(times("R6-samples-1", "R6-samples-4", mads + ", four samples a pixel", sampled, "R6-cleared"));
  isotropic.textures = 1, isotropic.repeats_along_x = 16, isotropic.fragment = "mads_1";
  RateDraw anisotropic = isotropic;
  anisotropic.anisotropic = true;
  const std::string loaded = "R2-loaded-textures-1";
  to.push_back(times("R7-bilinear", "R7-bilinear", mads + " and a texel", isotropic, loaded));
  to.push_back(times("R7-bilinear", "R7-anisotropic-16", mads + " and a texel, of a footprint of 16 to 1",
                     anisotropic, loaded));
}

}  // namespace cutaway::probe
