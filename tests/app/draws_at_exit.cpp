// A program that goes on drawing in an exit handler: one that was set before the driver was loaded, and so
// runs after everything that the driver and the compiler have set for the end of the process. Exit code 0:
// both its pictures are right.
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "exit_colors.frag.h"
#include "full_screen.h"

namespace {

using headless::Context;

constexpr uint32_t kSide = 16;

// Draws a picture whose pixels all have `steps` as their green, a constant of the fragment shader: another
// number is another program to compile.
void draw(const Context& context, int32_t steps) {
  const VkRenderPass pass = full_screen::make_pass(context.device());
  const VkSpecializationMapEntry entry{0, 0, sizeof steps};
  const VkSpecializationInfo constants{1, &entry, sizeof steps, &steps};
  const full_screen::Pipeline pipeline =
      full_screen::make_pipeline(context, pass, kSide, exit_colors_frag, sizeof exit_colors_frag, &constants);
  const headless::Image image =
      context.make_image(full_screen::kFormat, kSide, kSide, 1,
                         VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
  const headless::Buffer pixels = context.make_buffer(kSide * kSide * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  VkFramebufferCreateInfo framebuffer_info{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  framebuffer_info.renderPass = pass;
  framebuffer_info.attachmentCount = 1, framebuffer_info.pAttachments = &image.view;
  framebuffer_info.width = kSide, framebuffer_info.height = kSide, framebuffer_info.layers = 1;
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateFramebuffer(context.device(), &framebuffer_info, nullptr, &framebuffer));

  const VkCommandBuffer commands = context.begin();
  const VkClearValue clear{};
  VkRenderPassBeginInfo begin{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  begin.renderPass = pass, begin.framebuffer = framebuffer;
  begin.renderArea = {{0, 0}, {kSide, kSide}};
  begin.clearValueCount = 1, begin.pClearValues = &clear;
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline.pipeline);
  vkCmdDraw(commands, 4, 1, 0, 0);
  vkCmdEndRenderPass(commands);
  VkBufferImageCopy copy{};
  copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  copy.imageExtent = {kSide, kSide, 1};
  vkCmdCopyImageToBuffer(commands, image.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, pixels.buffer, 1,
                         &copy);
  context.submit_and_wait(commands);
  const auto* green = static_cast<const uint8_t*>(pixels.mapped) + 1;
  for (uint32_t i = 0; i < kSide * kSide; i++) {
    if (green[i * 4] == steps) continue;
    std::fprintf(stderr, "pixel %u: %u instead of %d\n", i, green[i * 4], steps);
    std::_Exit(1);
  }
  vkDestroyFramebuffer(context.device(), framebuffer, nullptr);
  pipeline.destroy(context.device());
  vkDestroyRenderPass(context.device(), pass, nullptr);
  context.destroy(image);
  context.destroy(pixels);
}

std::unique_ptr<Context>& kept = *new std::unique_ptr<Context>;  // outlives every destructor of the process

void draw_at_exit() {
  draw(*kept, 7);       // the device that drew before
  draw(Context(), 11);  // a new one
  kept.reset();
  std::puts("drew at exit");
  std::fflush(stdout);
}

}  // namespace

int main() {
  std::atexit(draw_at_exit);
  kept = std::make_unique<Context>();
  draw(*kept, 3);
  return 0;
}
