#pragma once

#include <cstdint>
#include <functional>

#include "arch/memory.h"
#include "emulator/primitive_batch.h"
#include "emulator/region_quad.h"
#include "emulator/shader_core.h"
#include "func/rop/wide_blend.h"

namespace cutaway::emulator {

// Writes the outputs of fragment programs to the color targets.
class ColorWrites {
 public:
  // on_pixel: gets each write, if it is set; must outlive this.
  ColorWrites(arch::Memory& memory, const std::function<void(PixelWrite)>& on_pixel)
      : memory_(memory), on_pixel_(on_pixel) {}

  // uniform: the fragment program has the same outputs in all fragments of the draw.
  void begin(const FragmentDraw& draw, bool uniform);

  // Writes the samples of a group that are alive, from the outputs of its run.
  void write(const QuadGroup& group, const ShaderCore& core);

  // ---- Draws of one color ----
  // All written elements of a target are equal, whatever is stored there.
  bool one_color() const { return one_color_; }
  // Finds them, from the outputs of a run. Only if one_color().
  void find_elements(const ShaderCore& core);
  // Writes them to the whole tile at (x, y). Fails, with nothing written, if they are not found yet, or not
  // all of it is mapped.
  bool fill_tile(int32_t x, int32_t y);

  // ---- Halves of tiles (half_tiles.h) ----
  struct HalfPlaces {
    std::byte* target[arch::kColorTargets];
  };
  // All targets can be written so.
  bool writes_halves() const { return writes_halves_; }
  // Finds where the half from (x, y) on lies. Fails if it is not mapped, or not in one page. Only if
  // writes_halves().
  bool find_half(int32_t x, int32_t y, HalfPlaces& places) const;
  // Writes its pixels that are alive, from the outputs of a run.
  void write_half(const HalfPlaces& places, uint32_t alive, const ShaderCore& core);

 private:
  bool quads_are_alike(const QuadGroup& group) const;
  uint32_t write_wide(const FragmentDraw::Target& target, const QuadGroup& group, const ShaderCore& core);
  template <uint32_t bytes>
  bool find_places(const FragmentDraw::Target& target, const QuadGroup& group, std::byte* place[kGroupQuads]);
  template <uint32_t bytes>
  uint32_t write_elements(const FragmentDraw::Target& target, const QuadGroup& group, const ShaderCore& core);
  static uint32_t write_sectors(const FragmentDraw::Target& target, const QuadGroup& group,
                                const uint32_t* const source[4], std::byte* const place[kGroupQuads]);
  static void write_pixels(const FragmentDraw::Target& target, const func::SectorPlace& sector,
                           const ShaderCore& core);
  template <uint32_t bytes>
  uint32_t write_quads(const FragmentDraw::Target& target, const QuadGroup& group,
                       const uint32_t* const source[4], uint32_t quads, std::byte* const place[kGroupQuads]);
  void write_quad(const FragmentDraw::Target& target, const RegionQuad& quad, uint32_t lane,
                  const ShaderCore& core);

  arch::Memory& memory_;
  const std::function<void(PixelWrite)>& on_pixel_;
  const FragmentDraw* draw_ = nullptr;
  bool one_color_ = false, found_ = false, writes_halves_ = false;
  uint32_t element_[arch::kColorTargets];  // by target, once found
};

}  // namespace cutaway::emulator
