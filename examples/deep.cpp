// Depths beyond 0 and 1 (VK_EXT_depth_range_unrestricted): tilted rectangles that cross each other between
// the depths -4 and 8, before a background of depth 1 and, on the right, one of depth 6.5. Writes the picture
// to a file.
//
//   deep OUTPUT.ppm

#include <cstdint>
#include <vector>

#include "deep.frag.h"
#include "deep.vert.h"
#include "drawing.h"

namespace {

constexpr uint32_t kWidth = 200, kHeight = 120, kRectangles = 6;

struct Place {
  float x, y, z;
};

// Strips of four corners; from each to the next the depths fall, and the slopes turn.
std::vector<Place> places() {
  std::vector<Place> all;
  for (uint32_t r = 0; r < kRectangles; r++) {
    const float left = -0.95f + 0.15f * static_cast<float>(r), top = -0.9f + 0.125f * static_cast<float>(r);
    const float near = 0.7f - 0.1f * static_cast<float>(r), far = near + 0.25f;
    for (uint32_t v = 0; v < 4; v++)
      all.push_back(
          {v % 2 ? left + 1.1f : left, v / 2 ? top + 1 : top, (r % 2 ? v % 2 : v / 2) ? far : near});
  }
  return all;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s OUTPUT.ppm\n", arguments[0]);
    return 2;
  }
  const headless::Context context({}, {}, VK_API_VERSION_1_1, nullptr,
                                  {VK_EXT_DEPTH_RANGE_UNRESTRICTED_EXTENSION_NAME});
  headless::Drawing drawing(context, kWidth, kHeight, 1);
  const std::vector<Place> vertices = places();
  const headless::Buffer buffer = context.make_buffer(vertices.data(), vertices.size() * sizeof(Place),
                                                      VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const VkShaderModule vertex = context.make_shader(deep_vert, sizeof deep_vert);
  const VkShaderModule fragment = context.make_shader(deep_frag, sizeof deep_frag);
  headless::PipelineShape shape;
  shape.stages = {{VK_SHADER_STAGE_VERTEX_BIT, vertex}, {VK_SHADER_STAGE_FRAGMENT_BIT, fragment}};
  shape.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  shape.attributes = {VK_FORMAT_R32G32B32_SFLOAT};
  shape.attribute_offsets = {0};
  shape.stride = sizeof(Place);
  shape.viewport = {0, 0, kWidth, kHeight, -4, 8};
  const headless::Drawing::Pipeline pipeline = drawing.make_pipeline(shape);
  drawing.draw(
      [&](VkCommandBuffer commands) {
        VkClearAttachment background{VK_IMAGE_ASPECT_DEPTH_BIT, 0, {}};
        background.clearValue.depthStencil.depth = 6.5f;
        // Whole tiles and parts of them.
        const VkClearRect right{{{kWidth / 2 + 3, 0}, {kWidth / 2 - 3, kHeight}}, 0, 1};
        vkCmdClearAttachments(commands, 1, &background, 1, &right);
        const VkDeviceSize start = 0;
        vkCmdBindVertexBuffers(commands, 0, 1, &buffer.buffer, &start);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline.pipeline);
        for (uint32_t r = 0; r < kRectangles; r++) vkCmdDraw(commands, 4, 1, 4 * r, 0);
      },
      arguments[1]);
  for (const VkShaderModule module : {vertex, fragment})
    vkDestroyShaderModule(context.device(), module, nullptr);
  context.destroy(buffer);
  return 0;
}
