#pragma once

#include "icd/device/device.h"
#include "icd/internal/internal_draw.h"
#include "icd/pipeline/program_store.h"
#include "icd/stream/draw_state.h"

namespace cutaway::icd {

// The driver's own draws in a command buffer. They change registers under the application's state, which is
// set anew for its next draw.
class DriverDraws {
 public:
  // All must outlive it.
  DriverDraws(CommandStream& stream, DrawState& state, Device& device)
      : stream_(stream), state_(state), device_(device) {}

  void clear(const ClearTargets& targets, const VkRect2D& area, uint32_t width, uint32_t height,
             DrawOrigin origin) {
    clear_area(stream_, programs(), targets, area, width, height, origin);
    state_.touch();
  }
  void move(const TexelMove& texels) {
    move_texels(stream_, programs(), texels);
    state_.touch();
  }
  void resolve(const TexelMove& texels, DrawOrigin origin) {
    resolve_texels(stream_, programs(), texels, origin);
    state_.touch();
  }
  void resolve_depth_stencil(const TexelMove& texels, bool stencil) {
    icd::resolve_depth_stencil(stream_, programs(), texels, stencil);
    state_.touch();
  }
  void scale(const TexelScale& texels) {
    scale_texels(stream_, programs(), texels);
    state_.touch();
  }

 private:
  const InternalPrograms& programs() { return device_.programs().internal(); }

  CommandStream& stream_;
  DrawState& state_;
  Device& device_;
};

}  // namespace cutaway::icd
