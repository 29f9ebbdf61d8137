// Draws a terrain of tessellated patches without vertex buffers into an image without a window, its edges
// divided by fractional factors; below it the same, divided less. Writes both to a file.
//
//   terrain OUTPUT.ppm

#include <cstring>

#include "drawing.h"
#include "terrain.frag.h"
#include "terrain.tesc.h"
#include "terrain.tese.h"
#include "terrain.vert.h"

namespace {

constexpr uint32_t kWidth = 320, kHeight = 480, kPatches = 64;

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s OUTPUT.ppm\n", arguments[0]);
    return 2;
  }
  VkPhysicalDeviceFeatures features{};
  features.tessellationShader = VK_TRUE;
  const headless::Context context({}, features);
  headless::Drawing drawing(context, kWidth, kHeight, 1);
  const VkShaderModule vertex = context.make_shader(terrain_vert, sizeof terrain_vert);
  const VkShaderModule control = context.make_shader(terrain_tesc, sizeof terrain_tesc);
  const VkShaderModule evaluation = context.make_shader(terrain_tese, sizeof terrain_tese);
  const VkShaderModule fragment = context.make_shader(terrain_frag, sizeof terrain_frag);
  headless::PipelineShape shape;
  shape.stages = {{VK_SHADER_STAGE_VERTEX_BIT, vertex},
                  {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, control},
                  {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, evaluation},
                  {VK_SHADER_STAGE_FRAGMENT_BIT, fragment}};
  shape.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  shape.patch_vertices = 4;
  shape.viewport = {0, 0, kWidth, kHeight / 2, 0, 1};
  shape.push_bytes = sizeof(float);
  const headless::Drawing::Pipeline faces = drawing.make_pipeline(shape);
  shape.viewport.y = kHeight / 2;
  const headless::Drawing::Pipeline below = drawing.make_pipeline(shape);
  drawing.draw(
      [&](VkCommandBuffer commands) {
        for (const headless::Drawing::Pipeline& pipeline : {faces, below}) {
          const float most = pipeline.pipeline == faces.pipeline ? 33.3f : 26.6f;
          vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline.pipeline);
          vkCmdPushConstants(commands, pipeline.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof most, &most);
          vkCmdDraw(commands, kPatches * 4, 1, 0, 0);
        }
      },
      arguments[1]);
  for (const VkShaderModule module : {vertex, control, evaluation, fragment})
    vkDestroyShaderModule(context.device(), module, nullptr);
  return 0;
}
