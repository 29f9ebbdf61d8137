#pragma once

#include <bit>
#include <memory>
#include <vector>

#include "icd/command/driver_draws.h"
#include "icd/pass/rendering.h"
#include "icd/stream/command_stream.h"
#include "icd/stream/draw_state.h"

namespace cutaway::icd {

// The render pass that a command buffer records: targets of draws, barriers between subpasses, and what load
// and resolve operations do.
class PassRecorder {
 public:
  // All must outlive it.
  PassRecorder(Device& device, CommandStream& stream, DrawState& state, DriverDraws& driver)
      : device_(device), stream_(stream), state_(state), driver_(driver) {}

  void begin(const VkRenderPassBeginInfo& info);
  void begin(std::shared_ptr<const Rendering> rendering);
  void next_subpass();
  void end();
  // No pass is under way.
  void reset();
  void clear_attachments(uint32_t count, const VkClearAttachment* attachments, uint32_t rects,
                         const VkClearRect* rect);

  // Views of the subpass, bit each; 0 without multiview.
  uint32_t view_mask() const { return view_mask_; }
  uint32_t views() const { return view_mask_ ? static_cast<uint32_t>(std::popcount(view_mask_)) : 1; }
  // Calls visit(layer) for the layers of attachments that a subpass draws to: those of its views, or the
  // first ones.
  template <class Visit>
  void for_each_drawn_layer(uint32_t layers, Visit&& visit) const {
    for (uint32_t layer = 0; layer < (view_mask_ ? kViewBits : layers); layer++)
      if (!view_mask_ || (view_mask_ >> layer & 1)) visit(layer);
  }

 private:
  void begin_pass();
  void begin_subpass(uint32_t index);
  void resolve_attachments();
  void resolve_depth(const RenderPass::Subpass& subpass);
  void clear_on_load(uint32_t subpass);
  void clear_on_load(uint32_t subpass, uint32_t layer);

  Device& device_;
  CommandStream& stream_;
  DrawState& state_;
  DriverDraws& driver_;
  std::shared_ptr<const Rendering> rendering_;  // owns *pass_ if that is no object of the application
  const RenderPass* pass_ = nullptr;            // null: none is under way
  uint32_t subpass_ = 0;
  uint32_t view_mask_ = 0;               // views of the subpass
  std::vector<const ImageView*> views_;  // attachments of the pass
  std::vector<uint32_t> used_;  // by attachment: the views that earlier subpasses used, ~0 without multiview
  std::vector<VkClearValue> clear_values_;
  VkRect2D area_{};
  uint32_t width_ = 0, height_ = 0, layers_ = 0;
};

}  // namespace cutaway::icd
