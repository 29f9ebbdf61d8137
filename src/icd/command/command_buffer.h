#pragma once

#include <bit>
#include <memory>
#include <set>
#include <vector>

#include "icd/command/command_buffer_base.h"
#include "icd/debug/label_trail.h"
#include "icd/internal/internal_draw.h"
#include "icd/pass/rendering.h"
#include "icd/stream/dispatch_state.h"
#include "icd/stream/draw_state.h"

namespace cutaway::icd {

// Records commands into packets as they come. Entry points are in command_buffer.cpp (life, state),
// command_draw.cpp, command_multi_draw.cpp, command_dynamic.cpp, command_push.cpp, command_dispatch.cpp,
// command_pass.cpp (render passes, clears), command_copy.cpp, command_blit.cpp, command_sync.cpp,
// command_query.cpp, command_feedback.cpp and command_label.cpp.
class CommandBuffer : public CommandBufferBase {
 public:
  CommandBuffer(Device& device, VkCommandBufferLevel level) : device_(device), stream_(device) {
    secondary = level == VK_COMMAND_BUFFER_LEVEL_SECONDARY;
  }

  void begin();
  VkResult end();
  void reset(bool release);
  void execute(const CommandBuffer& from);  // records a secondary's commands into this primary
  // Appends its ranges to what is submitted. around: the queue's debug labels there; becomes those behind it.
  void enqueue(LabelPlace& around, std::vector<host::CommandRange>& to);

  // Runs a command's body; an error makes vkEndCommandBuffer fail.
  template <class Body>
  void record(Body&& body) {
    const VkResult result = guard(std::forward<Body>(body));
    if (result != VK_SUCCESS) fail(result);
  }

  Device& device() { return device_; }
  CommandStream& stream() { return stream_; }
  DrawState& draws() { return draws_; }
  DispatchState& dispatches() { return dispatches_; }
  Bindings& bindings(VkPipelineBindPoint point) {
    return point == VK_PIPELINE_BIND_POINT_GRAPHICS ? draws_.bindings() : dispatches_.bindings();
  }
  const InternalPrograms& internal_programs() { return device_.programs().internal(); }

  // What an application draws, once for every view of the subpass; once where there is no multiview.
  template <class Draw>
  void for_each_view(Draw&& draw) {
    if (!view_mask_) return draw();
    for (uint32_t view = 0; view < kViewBits; view++)
      if (view_mask_ >> view & 1) {
        draws_.set_view(view);
        draw();
      }
  }
  // The layers of attachments that a subpass draws to: those of its views, or the first ones.
  template <class Visit>
  void for_each_drawn_layer(uint32_t layers, Visit&& visit) const {
    for (uint32_t layer = 0; layer < (view_mask_ ? kViewBits : layers); layer++)
      if (!view_mask_ || (view_mask_ >> layer & 1)) visit(layer);
  }
  // Resolves the bound state and lets emit(stream) append draw packets, for each view.
  template <class Emit>
  void draw(bool indexed, Emit&& emit) {
    record([&] {
      for_each_view([&] {
        if (draws_.resolve(stream_, indexed)) emit(stream_);
      });
    });
  }
  uint32_t views() const { return view_mask_ ? static_cast<uint32_t>(std::popcount(view_mask_)) : 1; }

  // Events: see icd/sync/event.h.
  void set_event(const Event& event, bool set);
  void wait_events(uint32_t count, const VkEvent* events);

  void begin_label(std::string_view label);
  void insert_label(std::string_view label);
  void end_label();

  void begin_render_pass(const VkRenderPassBeginInfo& info);
  void begin_rendering(std::shared_ptr<const Rendering> rendering);
  void next_subpass();
  void end_render_pass();
  void clear_attachments(uint32_t count, const VkClearAttachment* attachments, uint32_t rects,
                         const VkClearRect* rect);

  void copy(const arch::CopySurfacePacket& packet);
  // The driver's own draws change the registers under the application's state.
  void clear(const ClearTargets& targets, const VkRect2D& area, uint32_t width, uint32_t height,
             DrawOrigin origin);
  void move(const TexelMove& texels);
  void resolve(const TexelMove& texels, DrawOrigin origin);
  void resolve_depth_stencil(const TexelMove& texels, bool stencil);
  void scale(const TexelScale& texels);

 private:
  void label(LabelPlace& around, std::vector<host::CommandRange>& to, std::ptrdiff_t first);
  void begin_pass();
  void begin_subpass(uint32_t index);
  void resolve_attachments();
  void resolve_depth(const RenderPass::Subpass& subpass);
  void clear_on_load(uint32_t subpass);
  void clear_on_load(uint32_t subpass, uint32_t layer);

  Device& device_;
  // Packets up to a wait for the host, and what it waits for.
  struct Part {
    std::vector<uint32_t> words;
    std::function<bool()> ready;
  };
  std::vector<Part> parts_;
  std::function<bool()> ready_;        // of the part that is being recorded
  std::set<const Event*> events_set_;  // by commands so far
  CommandStream stream_;
  DrawState draws_;
  DispatchState dispatches_;
  std::unique_ptr<host::Allocation> memory_;  // the finished packets
  std::vector<uint64_t> part_offsets_;        // of the parts in it, bytes
  LabelTrail labels_;
  std::vector<uint64_t> marker_offsets_;            // in memory_, of the ids of MARKER packets
  std::optional<LabelTree::Stack> labelled_below_;  // the stack around them that the ids count with

  std::shared_ptr<const Rendering> rendering_;  // what pass_ is of, where it has no object
  const RenderPass* pass_ = nullptr;
  uint32_t subpass_ = 0;
  uint32_t view_mask_ = 0;               // of the subpass
  std::vector<const ImageView*> views_;  // attachments of the pass
  std::vector<uint32_t> used_;  // by attachment: the views that earlier subpasses used, ~0 without multiview
  std::vector<VkClearValue> clear_values_;
  VkRect2D area_{};
  uint32_t width_ = 0, height_ = 0, layers_ = 0;
};

}  // namespace cutaway::icd
