#pragma once

#include <cstdint>
#include <functional>

#include "arch/memory.h"
#include "emulator/primitive_batch.h"
#include "emulator/region_quad.h"
#include "emulator/shader_core.h"

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

 private:
  bool quads_are_alike(const QuadGroup& group) const;
  bool write_wide(const FragmentDraw::Target& target, const QuadGroup& group, const ShaderCore& core);
  template <uint32_t bytes>
  bool find_places(const FragmentDraw::Target& target, const QuadGroup& group, std::byte* place[kGroupQuads]);
  template <uint32_t bytes>
  bool write_elements(const FragmentDraw::Target& target, const QuadGroup& group, const ShaderCore& core);
  static uint32_t write_sectors(const FragmentDraw::Target& target, const QuadGroup& group,
                                const uint32_t* const source[4], std::byte* const place[kGroupQuads]);
  template <uint32_t bytes>
  bool write_quads(const FragmentDraw::Target& target, const QuadGroup& group,
                   const uint32_t* const source[4], uint32_t quads, std::byte* const place[kGroupQuads]);
  void write_quad(const FragmentDraw::Target& target, const RegionQuad& quad, uint32_t lane,
                  const ShaderCore& core);

  arch::Memory& memory_;
  const std::function<void(PixelWrite)>& on_pixel_;
  const FragmentDraw* draw_ = nullptr;
  bool one_color_ = false, found_ = false;
  uint32_t element_[arch::kColorTargets];  // by target, once found
};

}  // namespace cutaway::emulator
