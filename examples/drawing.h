#pragma once

#include <functional>

#include "headless.h"

// Draws with several pipelines into layers of one color and one depth image: what programs about shader
// stages share.
namespace headless {

struct Stage {
  VkShaderStageFlagBits stage;
  VkShaderModule module;
};

// Tests of depth that write it where a fragment is as near or nearer, and none of the stencil.
VkPipelineDepthStencilStateCreateInfo written_where_nearer();

struct PipelineShape {
  std::vector<Stage> stages;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  uint32_t patch_vertices = 0;              // with patches
  bool restart = false;                     // of strips, by the greatest index
  std::vector<VkFormat> attributes;         // of one binding, one after the other
  std::vector<uint32_t> attribute_offsets;  // bytes
  uint32_t stride = 0;                      // bytes of a vertex
  VkViewport viewport{};
  VkPolygonMode polygon = VK_POLYGON_MODE_FILL;
  VkCullModeFlags cull = VK_CULL_MODE_NONE;
  VkPipelineDepthStencilStateCreateInfo depth = written_where_nearer();
  VkPipelineColorBlendAttachmentState blend = {.colorWriteMask = 0xf};
  uint32_t push_bytes = 0;                   // push constants, for all stages
  VkPipelineLayout layout = VK_NULL_HANDLE;  // where the program has its own; push_bytes tells nothing then
  VkRenderPass pass =
      VK_NULL_HANDLE;  // another than the drawing's, without attachments: nothing is rasterized
};

// A render pass over color and depth images of so many layers.
class Drawing {
 public:
  // more_usage: of the color image, besides being drawn and copied. Several samples of a pixel are resolved
  // into it. What is no four bytes a pixel cannot be written to a file.
  Drawing(const Context& context, uint32_t width, uint32_t height, uint32_t layers,
          VkFormat depth_format = VK_FORMAT_D32_SFLOAT, VkImageUsageFlags more_usage = 0,
          VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT,
          VkFormat color_format = VK_FORMAT_R8G8B8A8_UNORM);
  ~Drawing();
  Drawing(const Drawing&) = delete;
  Drawing& operator=(const Drawing&) = delete;

  struct Pipeline {
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    bool owns_layout = true;
  };
  Pipeline make_pipeline(const PipelineShape& shape);
  // Clears and lets `body` draw. The color is left as a source of copies.
  void record(VkCommandBuffer commands, const std::function<void(VkCommandBuffer)>& body) const;
  // Submits that, and writes the layers' pictures below one another to a file.
  void draw(const std::function<void(VkCommandBuffer)>& body, const std::string& path) const;
  // Submits what was recorded, and a copy of the color, which is in this layout, to a file.
  void submit_and_write(VkCommandBuffer commands, VkImageLayout layout, const std::string& path) const;
  const Image& color() const { return color_; }

 private:
  const Context& context_;
  const uint32_t width_, height_, layers_;
  const VkSampleCountFlagBits samples_;
  Image color_, depth_, many_;  // many_: the color's samples, where there are several
  VkRenderPass pass_ = VK_NULL_HANDLE;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
  std::vector<Pipeline> pipelines_;
};

}  // namespace headless
