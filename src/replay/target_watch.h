#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "arch/memory.h"
#include "arch/surface.h"
#include "func/format/texel.h"
#include "func/rop/target_view.h"
#include "run_record/draw_view.h"

namespace cutaway::replay {

// True if pictures of the surface can be shown: it has displayable colors or depth.
bool can_be_shown(const arch::Surface& surface);

// An element as a picture shows it: R in the lowest 8 bits, then G, B; alpha 255. Depth is gray: the fourth
// root of its distance from the far plane, so that distances near it can be told apart.
uint32_t shown_color(const arch::FormatInfo& format, func::TexelLayout layout, const std::byte* element);

// Finds what has changed of a level and layer of a render target since the last look. Several samples are
// shown as their mean.
class TargetWatch {
 public:
  // surface: can_be_shown, and passes target_error.
  explicit TargetWatch(const arch::Surface& surface);

  const arch::Surface& surface() const { return surface_; }
  run_record::ViewedSurface described() const;
  // The rectangle with all changed pixels; all of the target at first; none if nothing has changed.
  std::optional<run_record::ViewedChange> look(const arch::Memory& memory);

 private:
  struct Rectangle {
    uint32_t left, top, right, bottom;  // pixels; right and bottom are outside
  };
  std::optional<Rectangle> changed_blocks();
  uint64_t offset_of(uint32_t x, uint32_t y, uint32_t sample) const {
    return view_.address(x, y, sample) - view_.base;
  }
  bool same_block(uint32_t column, uint32_t row) const;
  uint32_t color(uint32_t x, uint32_t y) const;

  arch::Surface surface_;
  func::TargetView view_;
  const arch::FormatInfo& format_;
  func::TexelLayout layout_;
  bool seen_ = false;
  std::vector<std::byte> before_, now_;
  std::vector<uint32_t> shown_;      // by pixel
  std::vector<uint8_t> changed_;     // by block of 8x8 pixels
  uint32_t columns_ = 0, rows_ = 0;  // of blocks
};

}  // namespace cutaway::replay
