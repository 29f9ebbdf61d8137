// Shadows by stencil: a geometry program makes the volumes that a torus keeps from the light, of triangles
// with adjacency. Counted are the ends and sides of volumes that lie behind what is seen; where the count is
// zero the light is added. Below, the volumes themselves. Writes both to a file.
//
//   shadows OUTPUT.ppm

#include "drawing.h"
#include "lit.frag.h"
#include "lit.h"
#include "lit.vert.h"
#include "shadow.frag.h"
#include "shadow.geom.h"
#include "stencil_shadows.h"

namespace {

constexpr uint32_t kWidth = 320, kHeight = 240;
constexpr VkColorComponentFlags kNoColor = 0;

struct Pipelines {
  headless::Drawing::Pipeline ambient, volumes, direct;  // the picture
  headless::Drawing::Pipeline below, shown;              // and the volumes
};

Pipelines make_pipelines(headless::Drawing& drawing, const std::vector<headless::Stage>& lit,
                         const std::vector<headless::Stage>& shadow) {
  Pipelines made;
  headless::PipelineShape surface;
  surface.stages = lit;
  surface.attributes = {VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_R32G32B32_SFLOAT};
  surface.attribute_offsets = {0, 12};
  surface.stride = sizeof(headless::SurfaceVertex);
  surface.viewport = {0, 0, kWidth, kHeight, 0, 1};
  surface.push_bytes = sizeof(Lit);
  headless::PipelineShape volume = surface;
  volume.stages = shadow;
  volume.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY;

  made.ambient = drawing.make_pipeline(surface);
  volume.depth = headless::count_behind();
  volume.blend.colorWriteMask = kNoColor;
  made.volumes = drawing.make_pipeline(volume);
  surface.depth = headless::where_none_counted();
  surface.blend = headless::adding();
  made.direct = drawing.make_pipeline(surface);

  surface.viewport.y = volume.viewport.y = kHeight;
  surface.depth = headless::written_where_nearer();
  surface.blend = {.colorWriteMask = 0xf};
  made.below = drawing.make_pipeline(surface);
  volume.depth = headless::written_where_nearer();
  volume.depth.depthWriteEnable = VK_FALSE;
  volume.blend = headless::adding();
  made.shown = drawing.make_pipeline(volume);
  return made;
}

// The geometry: indices of both surfaces, and of the torus with adjacency.
struct Scene {
  uint32_t torus, floor, adjacent;  // how many
  Lit lit;
};

void use(VkCommandBuffer commands, const headless::Drawing::Pipeline& pipeline, const Lit& lit) {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline.pipeline);
  vkCmdPushConstants(commands, pipeline.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof lit, &lit);
}

void draw_surfaces(VkCommandBuffer commands, const headless::Drawing::Pipeline& pipeline, const Scene& scene,
                   float ambient, float direct) {
  Lit lit = scene.lit;
  lit.ambient = ambient, lit.direct = direct;
  lit.tint = {0.9f, 0.5f, 0.2f, 1};
  use(commands, pipeline, lit);
  vkCmdDrawIndexed(commands, scene.torus, 1, 0, 0, 0);
  lit.tint = {0.6f, 0.7f, 0.6f, 1};
  use(commands, pipeline, lit);
  vkCmdDrawIndexed(commands, scene.floor, 1, scene.torus, 0, 0);
}

void draw_volumes(VkCommandBuffer commands, const headless::Drawing::Pipeline& pipeline, const Scene& scene) {
  use(commands, pipeline, scene.lit);
  vkCmdDrawIndexed(commands, scene.adjacent, 1, scene.torus + scene.floor, 0, 0);
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
  headless::Drawing drawing(context, kWidth, 2 * kHeight, 1, VK_FORMAT_D24_UNORM_S8_UINT);
  std::vector<headless::SurfaceVertex> surfaces = headless::make_torus();
  std::vector<uint16_t> indices = headless::torus_indices(false);
  Scene scene{};
  scene.torus = static_cast<uint32_t>(indices.size());
  add_floor(surfaces, indices);
  scene.floor = static_cast<uint32_t>(indices.size()) - scene.torus;
  const std::vector<uint16_t> adjacent = headless::torus_indices(true);
  scene.adjacent = static_cast<uint32_t>(adjacent.size());
  indices.insert(indices.end(), adjacent.begin(), adjacent.end());
  scene.lit.camera =
      headless::camera({0.4f, 1.7f, 3.0f}, {0, -0.35f, 0}, 0.5f, 1.0f * kWidth / kHeight, 0.5f, 20);
  scene.lit.light = {1.6f, 2.6f, 0.4f, 1};
  const headless::Buffer vertices = context.make_buffer(surfaces.data(), surfaces.size() * sizeof surfaces[0],
                                                        VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const headless::Buffer index_buffer = context.make_buffer(
      indices.data(), indices.size() * sizeof indices[0], VK_BUFFER_USAGE_INDEX_BUFFER_BIT);

  const VkShaderModule vertex = context.make_shader(lit_vert, sizeof lit_vert);
  const VkShaderModule lit = context.make_shader(lit_frag, sizeof lit_frag);
  const VkShaderModule extrusion = context.make_shader(shadow_geom, sizeof shadow_geom);
  const VkShaderModule shadow = context.make_shader(shadow_frag, sizeof shadow_frag);
  const Pipelines pipelines =
      make_pipelines(drawing, {{VK_SHADER_STAGE_VERTEX_BIT, vertex}, {VK_SHADER_STAGE_FRAGMENT_BIT, lit}},
                     {{VK_SHADER_STAGE_VERTEX_BIT, vertex},
                      {VK_SHADER_STAGE_GEOMETRY_BIT, extrusion},
                      {VK_SHADER_STAGE_FRAGMENT_BIT, shadow}});
  drawing.draw(
      [&](VkCommandBuffer commands) {
        const VkDeviceSize zero = 0;
        vkCmdBindVertexBuffers(commands, 0, 1, &vertices.buffer, &zero);
        vkCmdBindIndexBuffer(commands, index_buffer.buffer, 0, VK_INDEX_TYPE_UINT16);
        draw_surfaces(commands, pipelines.ambient, scene, 0.25f, 0);
        draw_volumes(commands, pipelines.volumes, scene);
        draw_surfaces(commands, pipelines.direct, scene, 0, 0.75f);
        draw_surfaces(commands, pipelines.below, scene, 0.25f, 0.4f);
        draw_volumes(commands, pipelines.shown, scene);
      },
      arguments[1]);
  for (const VkShaderModule module : {vertex, lit, extrusion, shadow})
    vkDestroyShaderModule(context.device(), module, nullptr);
  context.destroy(vertices);
  context.destroy(index_buffer);
  return 0;
}
