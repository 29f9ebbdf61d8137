#include <algorithm>
#include <cstring>

#include "emulator/region_stage.h"
#include "func/rop/exported_fragment.h"
#include "func/rop/wide_blend.h"

// The ends of the fragment stage: depth and stencil tests, color targets.
namespace cutaway::emulator {

// Late tests; returns the samples that reach the color targets. `lane`: the quad's first one in the group.
func::QuadSamples RegionStage::after_shading(Quad& quad, uint32_t lane, func::QuadSamples alive) {
  if (draw_->mode != arch::DepthMode::kEarly) {
    if (draw_->flags & arch::kShaderWritesDepth) {
      const func::Primitive& p = primitive_of(quad);
      for (uint32_t l = 0; l < 4; l++) {
        const float z =
            func::exported_depth(p.depth_min, p.depth_max, core_.output(arch::kOutputDepth, 0)[lane + l]);
        for (uint32_t s = 0; s < draw_->samples; s++) quad.z[s][l] = z;
      }
    }
    const uint32_t* reference =
        draw_->flags & arch::kShaderWritesStencil ? core_.output(arch::kOutputDepth, 2) + lane : nullptr;
    const func::QuadSamples passed = depth_test(quad, alive, func::DepthPhase::kTestAndWrite, reference);
    statistics_.fragments_killed_late += lanes_in(func::any_sample(alive) & ~func::any_sample(passed));
    alive = passed;
  }
  if (draw_->counting && !draw_->count_early) counters_.samples_passed += count(alive);
  return alive;
}

func::QuadSamples RegionStage::depth_test(const Quad& quad, func::QuadSamples samples, func::DepthPhase phase,
                                          const uint32_t* reference) {
  const func::DepthState& depth = draw_->depth;
  if (!depth.active()) return samples;
  const auto x = static_cast<uint32_t>(quad.x), y = static_cast<uint32_t>(quad.y);
  if (draw_->samples == 1 && draw_->depth_view.tiled && !on_pixel)
    if (std::byte* at = depth_place(draw_->depth_view.address(x, y)))
      return depth_test_sector(quad, samples, phase, reference, at);
  func::QuadSamples passed = 0;
  for (uint32_t s = 0; s < draw_->samples; s++) {
    const uint32_t mask = func::sample_lanes(samples, s);
    if (!mask) continue;
    arch::Address address[4];
    uint64_t stored[4] = {};
    for (uint32_t l = 0; l < 4; l++) {
      if (!(mask >> l & 1)) continue;
      address[l] = draw_->depth_view.address(x + (l & 1), y + (l >> 1), s);
      memory_.read(address[l], &stored[l], depth.element_bytes);
    }
    const func::DepthResult result = func::depth_stencil(depth, primitive_of(quad).front_facing, mask,
                                                         quad.z[s], stored, phase, reference);
    for (uint32_t l = 0; l < 4; l++)
      if (result.write >> l & 1) {
        memory_.write(address[l], &result.element[l], depth.element_bytes);
        if (on_pixel) report(quad, l, {.address = address[l], .bytes = depth.element_bytes, .depth = true});
      }
    passed |= result.pass << 4 * s;
  }
  return passed;
}

// What is only read stays shared with copies of the memory.
std::byte* RegionStage::depth_place(arch::Address address) {
  if (draw_->depth.may_write()) return memory_.writable(address);
  return const_cast<std::byte*>(memory_.readable(address));
}

// One sample per pixel, tiled: the quad's elements lie in one sector at `at`, two and two.
uint32_t RegionStage::depth_test_sector(const Quad& quad, uint32_t mask, func::DepthPhase phase,
                                        const uint32_t* reference, std::byte* at) {
  const func::DepthState& depth = draw_->depth;
  const uint32_t bytes = depth.element_bytes;
  std::byte* const place[4] = {at, at + bytes, at + arch::kSectorSize * bytes,
                               at + (arch::kSectorSize + 1) * bytes};
  uint64_t stored[4] = {};
  for (uint32_t l = 0; l < 4; l++) {
    if (bytes == 4) std::memcpy(&stored[l], place[l], 4);
    else std::memcpy(&stored[l], place[l], bytes);
  }
  const func::DepthResult result =
      func::depth_stencil(depth, primitive_of(quad).front_facing, mask, quad.z[0], stored, phase, reference);
  for (uint32_t l = 0; l < 4; l++) {
    if (!(result.write >> l & 1)) continue;
    if (bytes == 4) std::memcpy(place[l], &result.element[l], 4);
    else std::memcpy(place[l], &result.element[l], bytes);
  }
  return result.pass;
}

void RegionStage::report(const Quad& quad, uint32_t lane, PixelWrite write) const {
  write.primitive = primitive_of(quad).id;
  write.x = static_cast<uint32_t>(quad.x) + (lane & 1);
  write.y = static_cast<uint32_t>(quad.y) + (lane >> 1);
  on_pixel(write);
}

// Whether the colors of the group's quads go through the same operations and to places of their own.
bool RegionStage::quads_are_alike() const {
  if (draw_->samples > 1 || on_pixel) return false;
  for (uint32_t i = 0; i < quads_; i++)
    if (waiting_[i].smooth) return false;
  if (waiting_[0].number == waiting_[quads_ - 1].number) return true;
  for (uint32_t i = 1; i < quads_; i++)
    for (uint32_t j = 0; j < i; j++)
      if (waiting_[i].x == waiting_[j].x && waiting_[i].y == waiting_[j].y) return false;
  return true;
}

void RegionStage::write_colors() {
  if (draw_->targets.empty()) return;
  for (uint32_t i = 0; i < quads_; i++)
    statistics_.fragments_written += lanes_in(func::any_sample(waiting_[i].alive));
  const bool wide = quads_are_alike();
  for (const FragmentDraw::Target& target : draw_->targets)
    if (!wide || !target.wide || !write_wide(target))
      for (uint32_t i = 0; i < quads_; i++)
        if (waiting_[i].alive) write_color(target, waiting_[i], 4 * i);
}

namespace {

// Where quads of a tiled target lie: neighbours in the group mostly lie in one tile, a run of memory.
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

}  // namespace

// No two quads are at one place. False, with nothing written: something is not mapped, or func::blend_wide
// leaves it to single pixels.
bool RegionStage::write_wide(const FragmentDraw::Target& target) {
  return target.view.bytes == 4 ? write_elements<4>(target) : write_elements<8>(target);
}

template <uint32_t bytes>
bool RegionStage::write_elements(const FragmentDraw::Target& target) {
  constexpr uint32_t kRow = arch::kSectorSize * bytes, kWords = bytes / 4;
  std::byte* place[kGroupQuads] = {};
  alignas(64) uint32_t element[kLanes * kWords];
  const bool reads = func::needs_destination(target.state);
  TilePlaces<bytes> tiles(memory_, target.view);
  for (uint32_t i = 0; i < quads_; i++) {
    const Quad& quad = waiting_[i];
    if (!quad.alive) continue;
    place[i] = tiles.place(quad.x, quad.y);
    if (!place[i]) return false;
    if (!reads) continue;
    std::memcpy(&element[4 * kWords * i], place[i], 2 * bytes);
    std::memcpy(&element[4 * kWords * i + 2 * kWords], place[i] + kRow, 2 * bytes);
  }
  const uint32_t* const source[4] = {core_.output(target.output, 0), core_.output(target.output, 1),
                                     core_.output(target.output, 2), core_.output(target.output, 3)};
  if (fills_tiles_) std::fill_n(element, 4 * quads_, element_[&target - draw_->targets.data()]);
  else if (!func::blend_wide(target.state, source, (4 * quads_ + 7) & ~7u, element)) return false;
  for (uint32_t i = 0; i < quads_; i++) {
    const uint32_t lanes = waiting_[i].alive;
    const uint32_t* const from = &element[4 * kWords * i];
    if (lanes == 15) {
      std::memcpy(place[i], from, 2 * bytes);
      std::memcpy(place[i] + kRow, from + 2 * kWords, 2 * bytes);
      continue;
    }
    for (uint32_t l = 0; l < 4; l++)
      if (lanes >> l & 1) std::memcpy(place[i] + (l >> 1) * kRow + (l & 1) * bytes, from + kWords * l, bytes);
  }
  return true;
}

void RegionStage::write_color(const FragmentDraw::Target& target, const Quad& quad, uint32_t lane) {
  const uint32_t mask = func::any_sample(quad.alive);
  for (uint32_t l = 0; l < 4; l++) {
    if (!(mask >> l & 1)) continue;
    uint32_t source[4], source1[4];
    for (uint32_t c = 0; c < 4; c++) source[c] = core_.output(target.output, c)[lane + l];
    for (uint32_t c = 0; c < 4; c++) source1[c] = core_.output(1, c)[lane + l];
    if (quad.smooth) source[3] = func::smooth_alpha(target.state, source[3], quad.coverage[l]);
    for (uint32_t s = 0; s < draw_->samples; s++) {
      if (!(quad.alive >> (4 * s + l) & 1)) continue;
      const arch::Address address = target.view.address(static_cast<uint32_t>(quad.x) + (l & 1),
                                                        static_cast<uint32_t>(quad.y) + (l >> 1), s);
      std::byte element[func::kMaxTexelBytes];
      if (func::needs_destination(target.state)) memory_.read(address, element, target.state.bytes);
      func::write_pixel(target.state, source, source1, element);
      memory_.write(address, element, target.state.bytes);
      if (on_pixel)
        report(quad, l,
               {.address = address,
                .bytes = target.state.bytes,
                .blended = func::needs_destination(target.state),
                .texel_tie = (core_.texel_ties() >> (lane + l) & 1) != 0,
                .anisotropic = (core_.anisotropic() >> (lane + l) & 1) != 0});
    }
  }
}

}  // namespace cutaway::emulator
