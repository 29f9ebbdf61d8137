// A program that goes on drawing in an exit handler: one that was set before the driver was loaded, and so
// runs after everything that the driver and the compiler have set for the end of the process. Exit code 0:
// both its pictures are right.
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "exit_colors.frag.h"
#include "full_screen.vert.h"
#include "headless.h"

namespace {

using headless::Context;

constexpr uint32_t kSide = 16;
constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;

VkRenderPass make_pass(VkDevice device) {
  VkAttachmentDescription attachment{};
  attachment.format = kFormat;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  attachment.finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  const VkAttachmentReference color{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass{};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &color;
  const VkSubpassDependency end{0,
                                VK_SUBPASS_EXTERNAL,
                                VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                VK_PIPELINE_STAGE_TRANSFER_BIT,
                                VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                VK_ACCESS_TRANSFER_READ_BIT,
                                0};
  VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = 1, info.pAttachments = &attachment;
  info.subpassCount = 1, info.pSubpasses = &subpass;
  info.dependencyCount = 1, info.pDependencies = &end;
  VkRenderPass pass = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateRenderPass(device, &info, nullptr, &pass));
  return pass;
}

struct Pipeline {
  VkShaderModule vertex = VK_NULL_HANDLE, fragment = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;

  void destroy(VkDevice device) const {
    vkDestroyPipeline(device, pipeline, nullptr);
    vkDestroyPipelineLayout(device, layout, nullptr);
    vkDestroyShaderModule(device, vertex, nullptr);
    vkDestroyShaderModule(device, fragment, nullptr);
  }
};

// `steps` is a constant of the fragment shader: another number is another program to compile.
Pipeline make_pipeline(const Context& context, VkRenderPass pass, int32_t steps) {
  const VkDevice device = context.device();
  const VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  Pipeline made;
  made.vertex = context.make_shader(full_screen_vert, sizeof full_screen_vert);
  made.fragment = context.make_shader(exit_colors_frag, sizeof exit_colors_frag);
  HEADLESS_CHECK(vkCreatePipelineLayout(device, &layout_info, nullptr, &made.layout));
  const VkSpecializationMapEntry entry{0, 0, sizeof steps};
  const VkSpecializationInfo constants{1, &entry, sizeof steps, &steps};
  const VkPipelineShaderStageCreateInfo stages[] = {
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0, VK_SHADER_STAGE_VERTEX_BIT,
       made.vertex, "main", nullptr},
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0, VK_SHADER_STAGE_FRAGMENT_BIT,
       made.fragment, "main", &constants}};
  const VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  const VkPipelineInputAssemblyStateCreateInfo assembly{
      VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, nullptr, 0,
      VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_FALSE};
  const VkViewport viewport{0, 0, kSide, kSide, 0, 1};
  const VkRect2D scissor{{0, 0}, {kSide, kSide}};
  const VkPipelineViewportStateCreateInfo viewports{
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, nullptr, 0, 1, &viewport, 1, &scissor};
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  VkPipelineColorBlendAttachmentState blend{};
  blend.colorWriteMask = 0xf;
  VkPipelineColorBlendStateCreateInfo blends{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blends.attachmentCount = 1, blends.pAttachments = &blend;
  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  info.stageCount = 2, info.pStages = stages;
  info.pVertexInputState = &input, info.pInputAssemblyState = &assembly;
  info.pViewportState = &viewports, info.pRasterizationState = &raster;
  info.pMultisampleState = &samples, info.pColorBlendState = &blends;
  info.layout = made.layout, info.renderPass = pass;
  HEADLESS_CHECK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &made.pipeline));
  return made;
}

// Draws a picture whose pixels all have `steps` as their green.
void draw(const Context& context, int32_t steps) {
  const VkRenderPass pass = make_pass(context.device());
  const Pipeline pipeline = make_pipeline(context, pass, steps);
  const headless::Image image = context.make_image(
      kFormat, kSide, kSide, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
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
