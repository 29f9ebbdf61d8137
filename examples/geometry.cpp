// Draws a torus through geometry shaders into two layers of an image without a window: as fur, in shells that
// invocations of the shader make, with faces that leave it; and its silhouette, from triangles with
// adjacency. Writes both layers, one below the other, to a file.
//
//   geometry OUTPUT.ppm

#include "drawing.h"
#include "outline.frag.h"
#include "outline.geom.h"
#include "shells.frag.h"
#include "shells.geom.h"
#include "shells.vert.h"
#include "torus.h"

namespace {

constexpr uint32_t kWidth = 320, kHeight = 240;
using headless::kTorusAcross, headless::kTorusAround, headless::torus_vertex;

// A strip around the torus: between its vertices those beyond the edges, Vulkan "Triangle Strips With
// Adjacency".
std::vector<uint16_t> make_strip(uint32_t j) {
  std::vector<uint16_t> core, indices;
  for (uint32_t i = kTorusAround; i < 2 * kTorusAround + 1; i++) {
    core.push_back(torus_vertex(i, kTorusAcross + j));
    core.push_back(torus_vertex(i, kTorusAcross + j + 1));
  }
  const auto beyond = [&](size_t n) {  // of the edge (n, n + 2): on side 0 or 1
    const uint32_t i = kTorusAround + static_cast<uint32_t>(n / 2);
    return n % 2 == 0 ? torus_vertex(i + 1, kTorusAcross + j - 1) : torus_vertex(i, kTorusAcross + j + 2);
  };
  for (size_t n = 0; n < core.size(); n++) {
    indices.push_back(core[n]);
    // Vertex 1 of the strip lies beyond its first edge, vertex 2 n + 3 beyond the edge from n to n + 2.
    if (n == 0) indices.push_back(torus_vertex(kTorusAround - 1, kTorusAcross + j + 1));
    else if (n + 1 < core.size()) indices.push_back(beyond(n - 1));
    else indices.push_back(beyond(n - 2));
  }
  return indices;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s OUTPUT.ppm\n", arguments[0]);
    return 2;
  }
  VkPhysicalDeviceFeatures features{};
  features.geometryShader = VK_TRUE;
  const headless::Context context({}, features);
  headless::Drawing drawing(context, kWidth, kHeight, 2);
  const std::vector<headless::SurfaceVertex> torus = headless::make_torus();
  std::vector<uint16_t> indices = headless::torus_indices(false);
  const auto plain = static_cast<uint32_t>(indices.size());
  const std::vector<uint16_t> adjacent = headless::torus_indices(true), strip = make_strip(3);
  indices.insert(indices.end(), adjacent.begin(), adjacent.end());
  indices.insert(indices.end(), strip.begin(), strip.end());
  const headless::Buffer vertices =
      context.make_buffer(torus.data(), torus.size() * sizeof torus[0], VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const headless::Buffer index_buffer = context.make_buffer(
      indices.data(), indices.size() * sizeof indices[0], VK_BUFFER_USAGE_INDEX_BUFFER_BIT);

  const VkShaderModule vertex = context.make_shader(shells_vert, sizeof shells_vert);
  const VkShaderModule shells = context.make_shader(shells_geom, sizeof shells_geom);
  const VkShaderModule fur = context.make_shader(shells_frag, sizeof shells_frag);
  const VkShaderModule outline = context.make_shader(outline_geom, sizeof outline_geom);
  const VkShaderModule ink = context.make_shader(outline_frag, sizeof outline_frag);
  headless::PipelineShape shape;
  shape.stages = {{VK_SHADER_STAGE_VERTEX_BIT, vertex},
                  {VK_SHADER_STAGE_GEOMETRY_BIT, shells},
                  {VK_SHADER_STAGE_FRAGMENT_BIT, fur}};
  shape.attributes = {VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_R32G32B32_SFLOAT};
  shape.attribute_offsets = {0, 12};
  shape.stride = sizeof torus[0];
  shape.viewport = {0, 0, kWidth, kHeight, 0, 1};
  const headless::Drawing::Pipeline draw_shells = drawing.make_pipeline(shape);
  shape.stages[1].module = outline, shape.stages[2].module = ink;
  shape.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY;
  const headless::Drawing::Pipeline draw_outline = drawing.make_pipeline(shape);
  shape.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
  const headless::Drawing::Pipeline draw_strip = drawing.make_pipeline(shape);

  drawing.draw(
      [&](VkCommandBuffer commands) {
        const VkDeviceSize zero = 0;
        vkCmdBindVertexBuffers(commands, 0, 1, &vertices.buffer, &zero);
        vkCmdBindIndexBuffer(commands, index_buffer.buffer, 0, VK_INDEX_TYPE_UINT16);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draw_shells.pipeline);
        vkCmdDrawIndexed(commands, plain, 1, 0, 0, 0);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draw_outline.pipeline);
        vkCmdDrawIndexed(commands, static_cast<uint32_t>(adjacent.size()), 1, plain, 0, 0);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draw_strip.pipeline);
        vkCmdDrawIndexed(commands, static_cast<uint32_t>(strip.size()), 1,
                         plain + static_cast<uint32_t>(adjacent.size()), 0, 0);
      },
      arguments[1]);
  for (const VkShaderModule module : {vertex, shells, fur, outline, ink})
    vkDestroyShaderModule(context.device(), module, nullptr);
  context.destroy(vertices);
  context.destroy(index_buffer);
  return 0;
}
