// Layers that vertex and evaluation programs choose, indices of one byte with strips that restart, and
// stencil values from a fragment program: ribbons that mark stripes in two layers, then patches that appear
// in one stripe of three. Writes both layers to a file.
//
//   layers OUTPUT.ppm

#include <vector>

#include "drawing.h"
#include "patches.frag.h"
#include "patches.tesc.h"
#include "patches.tese.h"
#include "patches.vert.h"
#include "ribbons.frag.h"
#include "ribbons.vert.h"

namespace {

constexpr uint32_t kWidth = 256, kHeight = 160, kLayers = 2, kRibbons = 5, kVertices = 8;

struct Place {
  float x, y;
};

// Ribbons, each of two rows of vertices, then four corners of each of two patches.
std::vector<Place> places() {
  std::vector<Place> all;
  for (uint32_t r = 0; r < kRibbons; r++)
    for (uint32_t v = 0; v < kVertices; v++) {
      const float top = -0.95f + 0.375f * static_cast<float>(r);
      all.push_back({-0.9f + 0.6f * static_cast<float>(v / 2), v % 2 ? top + 0.25f : top});
    }
  for (uint32_t p = 0; p < 2; p++)
    for (uint32_t v = 0; v < 4; v++)
      all.push_back({v % 2 ? 0.875f : -0.875f, (v / 2 ? 0.75f : -0.75f) + 0.125f * static_cast<float>(p)});
  return all;
}

// Every second ribbon from its end; 255 ends a strip.
std::vector<uint8_t> indices() {
  std::vector<uint8_t> all;
  for (uint32_t r = 0; r < kRibbons; r++) {
    for (uint32_t v = 0; v < kVertices; v++)
      all.push_back(static_cast<uint8_t>(r * kVertices + (r % 2 ? kVertices - 1 - v : v)));
    all.push_back(255);
  }
  return all;
}

VkStencilOpState stencil(VkStencilOp pass, VkCompareOp compare, uint32_t read, uint32_t reference) {
  return {VK_STENCIL_OP_KEEP, pass, VK_STENCIL_OP_KEEP, compare, read, 0xff, reference};
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s OUTPUT.ppm\n", arguments[0]);
    return 2;
  }
  VkPhysicalDeviceFeatures features{};
  features.tessellationShader = VK_TRUE;
  const VkPhysicalDeviceIndexTypeUint8FeaturesEXT bytes{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INDEX_TYPE_UINT8_FEATURES_EXT, nullptr, VK_TRUE};
  const headless::Context context(
      {}, features, VK_API_VERSION_1_1, &bytes,
      {VK_EXT_INDEX_TYPE_UINT8_EXTENSION_NAME, VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME,
       VK_EXT_SHADER_STENCIL_EXPORT_EXTENSION_NAME});
  headless::Drawing drawing(context, kWidth, kHeight, kLayers, VK_FORMAT_D24_UNORM_S8_UINT);
  const std::vector<Place> vertices = places();
  const std::vector<uint8_t> order = indices();
  const headless::Buffer vertex_buffer = context.make_buffer(vertices.data(), vertices.size() * sizeof(Place),
                                                             VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const headless::Buffer index_buffer =
      context.make_buffer(order.data(), order.size(), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);

  const headless::Stage ribbons[] = {
      {VK_SHADER_STAGE_VERTEX_BIT, context.make_shader(ribbons_vert, sizeof ribbons_vert)},
      {VK_SHADER_STAGE_FRAGMENT_BIT, context.make_shader(ribbons_frag, sizeof ribbons_frag)}};
  const headless::Stage patches[] = {
      {VK_SHADER_STAGE_VERTEX_BIT, context.make_shader(patches_vert, sizeof patches_vert)},
      {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, context.make_shader(patches_tesc, sizeof patches_tesc)},
      {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, context.make_shader(patches_tese, sizeof patches_tese)},
      {VK_SHADER_STAGE_FRAGMENT_BIT, context.make_shader(patches_frag, sizeof patches_frag)}};
  headless::PipelineShape shape;
  shape.stages.assign(std::begin(ribbons), std::end(ribbons));
  shape.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  shape.restart = true;
  shape.attributes = {VK_FORMAT_R32G32_SFLOAT};
  shape.attribute_offsets = {0};
  shape.stride = sizeof(Place);
  shape.viewport = {0, 0, kWidth, kHeight, 0, 1};
  shape.depth.depthTestEnable = shape.depth.depthWriteEnable = VK_FALSE;
  shape.depth.stencilTestEnable = VK_TRUE;
  shape.depth.front = shape.depth.back = stencil(VK_STENCIL_OP_REPLACE, VK_COMPARE_OP_ALWAYS, 0xff, 0);
  const headless::Drawing::Pipeline marks = drawing.make_pipeline(shape);
  shape.stages.assign(std::begin(patches), std::end(patches));
  shape.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  shape.restart = false;
  shape.patch_vertices = 4;
  shape.depth.front = shape.depth.back = stencil(VK_STENCIL_OP_KEEP, VK_COMPARE_OP_EQUAL, 3, 3);
  const headless::Drawing::Pipeline shows = drawing.make_pipeline(shape);
  drawing.draw(
      [&](VkCommandBuffer commands) {
        const VkDeviceSize start = 0;
        vkCmdBindVertexBuffers(commands, 0, 1, &vertex_buffer.buffer, &start);
        vkCmdBindIndexBuffer(commands, index_buffer.buffer, 0, VK_INDEX_TYPE_UINT8_EXT);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, marks.pipeline);
        vkCmdDrawIndexed(commands, static_cast<uint32_t>(order.size()), kLayers, 0, 0, 0);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, shows.pipeline);
        vkCmdDraw(commands, 8, 1, kRibbons * kVertices, 0);
      },
      arguments[1]);
  for (const headless::Stage& stage : ribbons) vkDestroyShaderModule(context.device(), stage.module, nullptr);
  for (const headless::Stage& stage : patches) vkDestroyShaderModule(context.device(), stage.module, nullptr);
  for (const headless::Buffer& buffer : {vertex_buffer, index_buffer}) context.destroy(buffer);
  return 0;
}
