#include <fmt/format.h>

#include "probe/rates_parts.h"

// Rates at which caches and memory serve programs' reads.
namespace cutaway::probe {
namespace {

constexpr uint32_t kReads = 4096, kReadTexels = 128;

// A few fragments traverse ever more of a texture: once it exceeds the cache, reads wait.
void add_cache(std::vector<Rate>& to) {
  to.push_back(idle("R8-loaded", "the upload of what is read", {.textures = 1, .texels = kReadTexels}));
  Rate knee{.name = "R8-cache",
            .what = "largest texture that is read again as fast as smaller ones",
            .unit = "KiB"};
  for (const uint32_t kib : {4, 6, 8, 10, 12, 16, 24, 32}) {
    knee.series.push_back(fmt::format("R8-reads-{}", kib));
    to.push_back({.name = knee.series.back(),
                  .what = fmt::format("texels read one after the other, of {} KiB", kib),
                  .unit = "texels",
                  .work = static_cast<double>(kib),
                  .draw = {.textures = 1,
                           .texels = kReadTexels,
                           .fragment = "reads",
                           .reads = kReads,
                           .footprint = kib * 1024,
                           .triangles = 1,
                           .side = 2},
                  .beside = "R8-loaded"});
  }
  to.push_back(std::move(knee));
}

// Fragments read words so far apart that no two are in the same bytes that memory moves at once. Times would
// not tell these bytes: the farther the words are apart, the more rows of memory have to be opened.
void add_far_words(std::vector<Rate>& to) {
  constexpr uint32_t kSide = 128, kEach = 4, kApart = 128;
  constexpr uint32_t kWords = kSide * kSide * kEach;
  to.push_back({.name = "R8-transfer",
                .what = "bytes that memory reads for a word far from others",
                .unit = "bytes",
                .work = kWords,
                .draw = {.fragment = "strides",
                         .reads = kEach,
                         .footprint = kWords * kApart,
                         .stride = kApart,
                         .triangles = 2,
                         .side = kSide},
                .traffic = true});
}

}  // namespace

void add_reads(std::vector<Rate>& to) {
  add_cache(to);
  add_far_words(to);
  // 16 bytes of each texel, once per layer, of a texture larger than any cache; nothing is written.
  RateDraw large{.textures = 1, .texel = Texel::kFloats, .texels = kWindow, .fragment = "discards"};
  to.push_back(idle("R8-loaded-floats", "the upload of what is read", large));
  large.layers = kTexturedLayers;
  to.push_back({.name = "R8-memory",
                .what = "reads of a large texture of four floats of 32 bits",
                .unit = "bytes",
                .work = kTexturedLayers * kPixels * 16,
                .draw = large,
                .beside = "R8-loaded-floats"});
  // Each read gives the address of the next, in bytes that no cache holds.
  constexpr uint32_t kChain = 1024, kApart = 256;
  to.push_back({.name = "R8-latency",
                .what = "a read of memory, which waits for the one before",
                .unit = "cycles",
                .work = kChain,
                .draw = {.fragment = "chain",
                         .reads = kChain,
                         .footprint = kChain * kApart,
                         .stride = kApart,
                         .triangles = 1,
                         .side = 2},
                .each = true});
}

}  // namespace cutaway::probe
