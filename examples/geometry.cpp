// Draws a torus through geometry shaders into two layers of an image without a window: as fur, in shells that
// invocations of the shader make, with faces that leave it; and its silhouette, from triangles with
// adjacency. Writes both layers, one below the other, to a file.
//
//   geometry OUTPUT.ppm

#include <cmath>
#include <cstring>

#include "drawing.h"
#include "outline.frag.h"
#include "outline.geom.h"
#include "shells.frag.h"
#include "shells.geom.h"
#include "shells.vert.h"

namespace {

constexpr uint32_t kWidth = 320, kHeight = 240, kAround = 24, kAcross = 12;

struct Vertex {
  float position[3], normal[3];
};

std::vector<Vertex> make_torus() {
  std::vector<Vertex> vertices;
  for (uint32_t i = 0; i < kAround; i++)
    for (uint32_t j = 0; j < kAcross; j++) {
      const double a = 2 * M_PI * i / kAround, b = 2 * M_PI * j / kAcross;
      const double n[3] = {std::cos(a) * std::cos(b), std::sin(b), std::sin(a) * std::cos(b)};
      Vertex v;
      for (int c = 0; c < 3; c++) {
        const double ring = c == 0 ? std::cos(a) : c == 2 ? std::sin(a) : 0;
        v.position[c] = static_cast<float>(0.7 * ring + 0.25 * n[c]);
        v.normal[c] = static_cast<float>(n[c]);
      }
      vertices.push_back(v);
    }
  return vertices;
}

uint16_t number(uint32_t i, uint32_t j) { return static_cast<uint16_t>(i % kAround * kAcross + j % kAcross); }

// Two triangles a face; with adjacency the vertex beyond each edge stands behind its first vertex.
std::vector<uint16_t> make_indices(bool adjacency) {
  std::vector<uint16_t> indices;
  const auto add = [&](std::initializer_list<uint16_t> all) {
    for (size_t i = 0; i < all.size(); i++)
      if (adjacency || i % 2 == 0) indices.push_back(all.begin()[i]);
  };
  for (uint32_t i = kAround; i < 2 * kAround; i++)
    for (uint32_t j = kAcross; j < 2 * kAcross; j++) {
      const uint16_t a = number(i, j), b = number(i + 1, j), c = number(i, j + 1), d = number(i + 1, j + 1);
      add({a, number(i + 1, j - 1), b, d, c, number(i - 1, j + 1)});
      add({c, a, b, number(i + 2, j), d, number(i, j + 2)});
    }
  return indices;
}

// A strip around the torus: between its vertices those beyond the edges, Vulkan "Triangle Strips With
// Adjacency".
std::vector<uint16_t> make_strip(uint32_t j) {
  std::vector<uint16_t> core, indices;
  for (uint32_t i = kAround; i < 2 * kAround + 1; i++) {
    core.push_back(number(i, kAcross + j));
    core.push_back(number(i, kAcross + j + 1));
  }
  const auto beyond = [&](size_t n) {  // of the edge (n, n + 2): on side 0 or 1
    const uint32_t i = kAround + static_cast<uint32_t>(n / 2);
    return n % 2 == 0 ? number(i + 1, kAcross + j - 1) : number(i, kAcross + j + 2);
  };
  for (size_t n = 0; n < core.size(); n++) {
    indices.push_back(core[n]);
    // Vertex 1 of the strip lies beyond its first edge, vertex 2 n + 3 beyond the edge from n to n + 2.
    if (n == 0) indices.push_back(number(kAround - 1, kAcross + j + 1));
    else if (n + 1 < core.size()) indices.push_back(beyond(n - 1));
    else indices.push_back(beyond(n - 2));
  }
  return indices;
}

headless::Buffer upload(const headless::Context& context, const void* data, size_t bytes,
                        VkBufferUsageFlags usage) {
  const headless::Buffer buffer = context.make_buffer(bytes, usage);
  std::memcpy(buffer.mapped, data, bytes);
  return buffer;
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
  const std::vector<Vertex> torus = make_torus();
  std::vector<uint16_t> indices = make_indices(false);
  const auto plain = static_cast<uint32_t>(indices.size());
  const std::vector<uint16_t> adjacent = make_indices(true), strip = make_strip(3);
  indices.insert(indices.end(), adjacent.begin(), adjacent.end());
  indices.insert(indices.end(), strip.begin(), strip.end());
  const headless::Buffer vertices =
      upload(context, torus.data(), torus.size() * sizeof torus[0], VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const headless::Buffer index_buffer =
      upload(context, indices.data(), indices.size() * sizeof indices[0], VK_BUFFER_USAGE_INDEX_BUFFER_BIT);

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
  shape.stride = sizeof(Vertex);
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
