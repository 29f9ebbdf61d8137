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

struct PipelineShape {
  std::vector<Stage> stages;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  uint32_t patch_vertices = 0;              // with patches
  std::vector<VkFormat> attributes;         // of one binding, one after the other
  std::vector<uint32_t> attribute_offsets;  // bytes
  uint32_t stride = 0;                      // bytes of a vertex
  VkViewport viewport{};
  VkPolygonMode polygon = VK_POLYGON_MODE_FILL;
  uint32_t push_bytes = 0;  // push constants, for all stages
};

// A render pass over color and depth images of so many layers.
class Drawing {
 public:
  Drawing(const Context& context, uint32_t width, uint32_t height, uint32_t layers);
  ~Drawing();
  Drawing(const Drawing&) = delete;
  Drawing& operator=(const Drawing&) = delete;

  struct Pipeline {
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
  };
  Pipeline make_pipeline(const PipelineShape& shape);
  // Clears, lets `body` draw, and writes the layers' pictures below one another to a file.
  void draw(const std::function<void(VkCommandBuffer)>& body, const std::string& path);

 private:
  const Context& context_;
  const uint32_t width_, height_, layers_;
  Image color_, depth_;
  VkRenderPass pass_ = VK_NULL_HANDLE;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
  std::vector<Pipeline> pipelines_;
};

}  // namespace headless
