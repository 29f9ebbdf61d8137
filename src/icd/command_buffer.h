#pragma once

#include <memory>
#include <vector>

#include "icd/command_buffer_base.h"
#include "icd/draw_state.h"
#include "icd/internal_draw.h"
#include "icd/render_pass.h"

namespace cutaway::icd {

// Records commands into packets as they come. Entry points are in command_buffer.cpp (life, state),
// command_draw.cpp, command_pass.cpp (render passes, clears), command_copy.cpp and command_sync.cpp.
class CommandBuffer : public CommandBufferBase {
 public:
  CommandBuffer(Device& device, VkCommandBufferLevel level)
      : device_(device), level_(level), stream_(device) {}

  void begin();
  VkResult end();
  void reset(bool release);

  // Runs a command's body; an error makes vkEndCommandBuffer fail.
  template <class Body>
  void record(Body&& body) {
    const VkResult result = guard(std::forward<Body>(body));
    if (result != VK_SUCCESS) fail(result);
  }

  Device& device() { return device_; }
  CommandStream& stream() { return stream_; }
  DrawState& draws() { return draws_; }
  const InternalPrograms& internal_programs() { return device_.programs().internal(); }

  void begin_render_pass(const VkRenderPassBeginInfo& info);
  void next_subpass();
  void end_render_pass();
  void clear_attachments(uint32_t count, const VkClearAttachment* attachments, uint32_t rects,
                         const VkClearRect* rect);

  // The driver's own draws change the registers under the application's state.
  void clear(const ClearTargets& targets, const VkRect2D& area, uint32_t width, uint32_t height,
             DrawOrigin origin);
  void move(const TexelMove& texels);
  void scale(const TexelScale& texels);

 private:
  void begin_subpass(uint32_t index);
  void clear_on_load(const VkRenderPassBeginInfo& info);

  Device& device_;
  const VkCommandBufferLevel level_;
  CommandStream stream_;
  DrawState draws_;
  std::unique_ptr<host::Allocation> memory_;  // the finished packets

  const RenderPass* pass_ = nullptr;
  uint32_t subpass_ = 0;
  std::vector<const ImageView*> views_;  // attachments of the pass
  uint32_t width_ = 0, height_ = 0, layers_ = 0;
};

}  // namespace cutaway::icd
