#include "emulator/color_writes.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/quad_elements.h"
#include "emulator/tile_masks.h"
#include "func/raster/line.h"
#include "func/rop/wide_blend.h"

namespace cutaway::emulator {
namespace {

struct Outputs {
  const uint32_t* component[4];
};
Outputs outputs_of(const ShaderCore& core, uint32_t output) {
  return {{core.output(output, 0), core.output(output, 1), core.output(output, 2), core.output(output, 3)}};
}

// Finds where quads of a tiled target lie. Neighbours in a group mostly lie in one tile, a run of memory.
template <uint32_t bytes>
class TilePlaces {
 public:
  TilePlaces(arch::Memory& memory, const func::TargetView& view) : memory_(memory), view_(view) {}

  std::byte* place(int32_t x, int32_t y) {  // null: not mapped
    const auto column = static_cast<uint32_t>(x), row = static_cast<uint32_t>(y);
    const uint64_t tile = uint64_t{row / arch::kTileSize} << 32 | column / arch::kTileSize;
    if (tile != tile_) {
      const arch::Address address = view_.address(column & ~7u, row & ~7u);
      if (address % arch::kPageBytes > arch::kPageBytes - 64 * bytes)  // not in one page
        return memory_.writable(view_.address(column, row));
      tile_ = tile;
      start_ = memory_.writable(address);
    }
    return start_ ? start_ + arch::tiled_offset(column % arch::kTileSize, row % arch::kTileSize, 0, bytes)
                  : nullptr;
  }

 private:
  arch::Memory& memory_;
  const func::TargetView& view_;
  uint64_t tile_ = ~uint64_t{0};
  std::byte* start_ = nullptr;
};

// Writes the elements of a quad's lanes to its place.
template <uint32_t bytes>
void store_elements(const uint32_t* from, uint32_t lanes, std::byte* place) {
  constexpr uint32_t kRow = arch::kSectorSize * bytes, kWords = bytes / 4;
  if constexpr (bytes == 4) {
    __m128i made = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    if (lanes != 15) made = chosen(lanes, made, load_quad(place, kRow));
    return store_quad(made, place, kRow);
  }
  if (lanes == 15) {
    std::memcpy(place, from, 2 * bytes);
    std::memcpy(place + kRow, from + 2 * kWords, 2 * bytes);
    return;
  }
  for (uint32_t l = 0; l < 4; l++)
    if (lanes >> l & 1) std::memcpy(place + (l >> 1) * kRow + (l & 1) * bytes, from + kWords * l, bytes);
}

}  // namespace

void ColorWrites::begin(const FragmentDraw& draw, bool uniform) {
  draw_ = &draw;
  found_ = false;
  const bool tests_late = draw.depth.active() && draw.mode != arch::DepthMode::kEarly;
  one_color_ = uniform && !tests_late && !(draw.flags & arch::kShaderWritesSampleMask) &&
               !draw.state->registers.raster.alpha_to_coverage && !draw.targets.empty();
  for (const FragmentDraw::Target& target : draw.targets)
    one_color_ &= target.wide && target.view.bytes == 4 && !func::needs_destination(target.state);
  writes_halves_ = draw.samples == 1 && !on_pixel_;
  for (const FragmentDraw::Target& target : draw.targets) writes_halves_ &= target.wide;
}

// ---- Draws of one color ----

void ColorWrites::find_elements(const ShaderCore& core) {
  for (size_t i = 0; i < draw_->targets.size(); i++) {
    const FragmentDraw::Target& target = draw_->targets[i];
    alignas(64) uint32_t element[func::kWideStep];
    func::blend_wide(target.state, outputs_of(core, target.output).component, func::kWideStep, element);
    element_[i] = element[0];
  }
  found_ = true;
}

bool ColorWrites::fill_tile(int32_t x, int32_t y) {
  if (!found_) return false;
  std::byte* place[arch::kColorTargets];
  const size_t targets = draw_->targets.size();
  for (size_t i = 0; i < targets; i++) {
    const func::TargetView& view = draw_->targets[i].view;
    place[i] = memory_.writable(view.address(static_cast<uint32_t>(x), static_cast<uint32_t>(y)));
    if (!place[i]) return false;
  }
  for (size_t i = 0; i < targets; i++) {
    uint32_t elements[kTileElements];
    std::fill_n(elements, kTileElements, element_[i]);
    std::memcpy(place[i], elements, sizeof elements);
  }
  return true;
}

// ---- Halves of tiles ----

bool ColorWrites::find_half(int32_t x, int32_t y, HalfPlaces& places) const {
  constexpr uint32_t kLine = 64;  // of the host's caches: what lies there is needed when the program has run
  for (size_t i = 0; i < draw_->targets.size(); i++) {
    const func::TargetView& view = draw_->targets[i].view;
    const arch::Address address = view.address(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
    if (address % arch::kPageBytes > arch::kPageBytes - uint64_t{kLanes} * view.bytes) return false;
    places.target[i] = memory_.writable(address);
    if (!places.target[i]) return false;
    for (uint32_t byte = 0; byte < kLanes * view.bytes; byte += kLine)
      __builtin_prefetch(places.target[i] + byte, 1);
  }
  return true;
}

void ColorWrites::write_half(const HalfPlaces& places, uint32_t alive, const ShaderCore& core) {
  constexpr uint32_t kSectorLanes = 4 * kSectorQuads, kSectors = kLanes / kSectorLanes;
  for (size_t i = 0; i < draw_->targets.size(); i++) {
    const FragmentDraw::Target& target = draw_->targets[i];
    func::SectorPlace sector[kSectors];
    for (uint32_t n = 0; n < kSectors; n++) {
      const uint32_t lane = n * kSectorLanes;
      std::byte* const elements = places.target[i] + size_t{lane} * target.view.bytes;
      sector[n] = {reinterpret_cast<uint32_t*>(elements), lane, alive >> lane & 0xffff};
    }
    const uint32_t written =
        func::blend_sectors(target.state, outputs_of(core, target.output).component, sector, kSectors);
    for (uint32_t n = 0; n < kSectors; n++)
      if (!(written >> n & 1)) write_pixels(target, sector[n], core);
  }
}

// Writes the pixels of a sector one by one.
void ColorWrites::write_pixels(const FragmentDraw::Target& target, const func::SectorPlace& sector,
                               const ShaderCore& core) {
  const uint32_t bytes = target.view.bytes;
  for (uint32_t rest = sector.alive; rest; rest &= rest - 1) {
    const auto l = static_cast<uint32_t>(std::countr_zero(rest)), lane = sector.lane + l;
    uint32_t source[4], source1[4];
    for (uint32_t c = 0; c < 4; c++) source[c] = core.output(target.output, c)[lane];
    for (uint32_t c = 0; c < 4; c++) source1[c] = core.output(1, c)[lane];
    const size_t place = element_place(l / 4) + (l >> 1 & 1) * arch::kSectorSize + (l & 1);
    std::byte* const to = reinterpret_cast<std::byte*>(sector.elements) + place * bytes;
    std::byte element[func::kMaxTexelBytes];
    std::memcpy(element, to, bytes);
    func::write_pixel(target.state, source, source1, element);
    std::memcpy(to, element, bytes);
  }
}

// ---- Groups ----

void ColorWrites::write(const QuadGroup& group, const ShaderCore& core) {
  const bool wide = quads_are_alike(group);
  for (const FragmentDraw::Target& target : draw_->targets) {
    const uint32_t written = wide && target.wide ? write_wide(target, group, core) : 0;
    for (uint32_t i = 0; i < group.quads; i++)
      if (!(written >> i & 1) && group.quad[i].alive) write_quad(target, group.quad[i], 4 * i, core);
  }
}

// True if the quads of a group go through the same operations, and to places of their own.
bool ColorWrites::quads_are_alike(const QuadGroup& group) const {
  return draw_->samples == 1 && !on_pixel_ && !group.smooth && at_places_of_their_own(group);
}

// Writes quads of which no two lie at one place, and returns those that it has written: others lie where
// something is not mapped, or func/rop/wide_blend.h leaves them to single pixels.
uint32_t ColorWrites::write_wide(const FragmentDraw::Target& target, const QuadGroup& group,
                                 const ShaderCore& core) {
  return target.view.bytes == 4 ? write_elements<4>(target, group, core)
                                : write_elements<8>(target, group, core);
}

// Finds where the quads of a group lie. Returns false if something is not mapped.
template <uint32_t bytes>
bool ColorWrites::find_places(const FragmentDraw::Target& target, const QuadGroup& group,
                              std::byte* place[kGroupQuads]) {
  TilePlaces<bytes> tiles(memory_, target.view);
  for (uint32_t i = 0; i < group.quads; i++) {
    const RegionQuad& quad = group.quad[i];
    const bool sector = group.sectors >> i & 1;
    place[i] = nullptr;
    if (!sector && !quad.alive) continue;
    std::byte* const at = place[i] = tiles.place(quad.x, quad.y);
    if (!at) return false;
    if (!sector) continue;
    for (uint32_t n = 1; n < kSectorQuads; n++) place[i + n] = at + element_place(n) * bytes;
    i += kSectorQuads - 1;
  }
  return true;
}

template <uint32_t bytes>
uint32_t ColorWrites::write_elements(const FragmentDraw::Target& target, const QuadGroup& group,
                                     const ShaderCore& core) {
  std::byte* place[kGroupQuads];
  if (!find_places<bytes>(target, group, place)) return 0;
  const Outputs source = outputs_of(core, target.output);
  uint32_t written = 0;
  if (!one_color_ && group.sectors) written = write_sectors(target, group, source.component, place);
  const uint32_t rest = ((1u << group.quads) - 1) & ~written;
  return written | write_quads<bytes>(target, group, source.component, rest, place);
}

// Writes whole sectors of a group and returns the quads of those that it has written.
uint32_t ColorWrites::write_sectors(const FragmentDraw::Target& target, const QuadGroup& group,
                                    const uint32_t* const source[4], std::byte* const place[kGroupQuads]) {
  func::SectorPlace sector[kGroupQuads / kSectorQuads] = {};
  uint32_t count = 0, quads = 0;
  for (uint32_t rest = group.sectors; rest; rest &= rest - 1) {
    const auto first = static_cast<uint32_t>(std::countr_zero(rest));
    uint32_t alive = 0;
    for (uint32_t i = 0; i < kSectorQuads; i++) alive |= group.quad[first + i].alive << 4 * i;
    sector[count++] = {reinterpret_cast<uint32_t*>(place[first]), 4 * first, alive};
  }
  const uint32_t written = func::blend_sectors(target.state, source, sector, count);
  for (uint32_t i = 0; i < count; i++)
    if (written >> i & 1) quads |= ((1u << kSectorQuads) - 1) << sector[i].lane / 4;
  return quads;
}

// Writes some quads of a group, and returns those that are not left to single pixels.
template <uint32_t bytes>
uint32_t ColorWrites::write_quads(const FragmentDraw::Target& target, const QuadGroup& group,
                                  const uint32_t* const source[4], uint32_t quads,
                                  std::byte* const place[kGroupQuads]) {
  constexpr uint32_t kRow = arch::kSectorSize * bytes, kWords = bytes / 4;
  constexpr uint32_t kStepQuads = func::kWideStep / 4;
  alignas(64) uint32_t element[kLanes * kWords];
  const auto each = [&](auto&& visit) {  // visit(quad, its lanes, its elements)
    for (uint32_t rest = quads; rest; rest &= rest - 1) {
      const auto i = static_cast<uint32_t>(std::countr_zero(rest));
      if (place[i]) visit(i, group.quad[i].alive, &element[4 * kWords * i]);
    }
  };
  if (func::needs_destination(target.state))
    each([&](uint32_t i, uint32_t, uint32_t* to) {
      std::memcpy(to, place[i], 2 * bytes);
      std::memcpy(to + 2 * kWords, place[i] + kRow, 2 * bytes);
    });
  if (one_color_) std::fill_n(element, 4 * group.quads, element_[&target - draw_->targets.data()]);
  uint32_t made = one_color_ ? ~0u : 0;  // lanes
  for (uint32_t step = 0; step < kGroupQuads && !one_color_; step += kStepQuads) {
    if (!(quads >> step & ((1u << kStepQuads) - 1))) continue;
    const uint32_t lane = 4 * step;
    const uint32_t* const from[4] = {source[0] + lane, source[1] + lane, source[2] + lane, source[3] + lane};
    made |= func::blend_wide(target.state, from, func::kWideStep, element + lane * kWords) << lane;
  }
  uint32_t written = 0;
  each([&](uint32_t i, uint32_t lanes, uint32_t* from) {
    if (lanes & ~lanes_of(made, i)) return;
    store_elements<bytes>(from, lanes, place[i]);
    written |= 1u << i;
  });
  return written;
}

void ColorWrites::write_quad(const FragmentDraw::Target& target, const RegionQuad& quad, uint32_t lane,
                             const ShaderCore& core) {
  const uint32_t mask = func::any_sample(quad.alive);
  for (uint32_t l = 0; l < 4; l++) {
    if (!(mask >> l & 1)) continue;
    uint32_t source[4], source1[4];
    for (uint32_t c = 0; c < 4; c++) source[c] = core.output(target.output, c)[lane + l];
    for (uint32_t c = 0; c < 4; c++) source1[c] = core.output(1, c)[lane + l];
    if (quad.smooth) source[3] = func::smooth_alpha(target.state, source[3], quad.coverage[l]);
    for (uint32_t s = 0; s < draw_->samples; s++) {
      if (!(quad.alive >> (4 * s + l) & 1)) continue;
      const arch::Address address = target.view.address(static_cast<uint32_t>(quad.x) + (l & 1),
                                                        static_cast<uint32_t>(quad.y) + (l >> 1), s);
      std::byte element[func::kMaxTexelBytes];
      if (func::needs_destination(target.state)) memory_.read(address, element, target.state.bytes);
      func::write_pixel(target.state, source, source1, element);
      memory_.write(address, element, target.state.bytes);
      if (on_pixel_)
        on_pixel_(pixel_of(quad, l,
                           {.address = address,
                            .bytes = target.state.bytes,
                            .blended = func::needs_destination(target.state),
                            .texel_tie = (core.texel_ties() >> (lane + l) & 1) != 0,
                            .anisotropic = (core.anisotropic() >> (lane + l) & 1) != 0}));
    }
  }
}

}  // namespace cutaway::emulator
