// A hall at night, drawn as games with shadow volumes did: depth alone first; a little light everywhere; then
// for each lamp the volumes that bodies keep from it, counted in the stencil, and its light where the count
// is zero. A vertex program stretches the volumes. Writes the picture to a file.
//
//   night OUTPUT.ppm

#include <map>

#include "drawing.h"
#include "lit.frag.h"
#include "lit.h"
#include "night.vert.h"
#include "night_volume.vert.h"
#include "shadow.frag.h"
#include "stencil_shadows.h"

namespace {

using headless::SurfaceVertex;

constexpr uint32_t kWidth = 1024, kHeight = 768;
constexpr uint32_t kBodies = 25, kMiddle = 12;  // the body that stands where the floor does

// The geometry, and the ranges of its indices.
struct Mesh {
  std::vector<SurfaceVertex> vertices;
  std::vector<uint16_t> indices;
  struct Part {
    uint32_t first = 0, count = 0;
  } body, floor, volume;

  Part end_part(uint32_t first) const { return {first, static_cast<uint32_t>(indices.size()) - first}; }
};

headless::Point place(const SurfaceVertex& vertex) {
  return {vertex.position[0], vertex.position[1], vertex.position[2]};
}

headless::Point between(const headless::Point& a, const headless::Point& b) {
  return {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
}

// Faces that have vertices and a normal of their own, and two triangles for each edge that two of them share.
void add_volume(const std::vector<SurfaceVertex>& body, const std::vector<uint16_t>& faces, Mesh& mesh) {
  std::map<std::pair<uint16_t, uint16_t>, std::pair<uint16_t, uint16_t>> edges;  // of the body: of the volume
  for (size_t i = 0; i < faces.size(); i += 3) {
    const headless::Point a = place(body[faces[i]]);
    const headless::Point outward =
        headless::cross(between(a, place(body[faces[i + 1]])), between(a, place(body[faces[i + 2]])));
    const float side = headless::dot(
        outward, {body[faces[i]].normal[0], body[faces[i]].normal[1], body[faces[i]].normal[2]});
    const auto first = static_cast<uint16_t>(mesh.vertices.size());
    for (size_t corner = 0; corner < 3; corner++) {
      SurfaceVertex vertex = body[faces[i + corner]];
      for (size_t c = 0; c < 3; c++) vertex.normal[c] = side < 0 ? -outward[c] : outward[c];
      mesh.vertices.push_back(vertex);
      const auto at = static_cast<uint16_t>(first + corner),
                 next = static_cast<uint16_t>(first + (corner + 1) % 3);
      mesh.indices.push_back(at);
      edges[{faces[i + corner], faces[i + (corner + 1) % 3]}] = {at, next};
    }
  }
  for (const auto& [edge, own] : edges) {
    if (edge.first > edge.second) continue;
    const auto other = edges.at({edge.second, edge.first});
    for (const uint16_t index : {own.second, own.first, other.second, own.second, other.second, other.first})
      mesh.indices.push_back(index);
  }
}

Mesh make_mesh() {
  Mesh mesh;
  const std::vector<SurfaceVertex> body = headless::make_torus();
  mesh.vertices = body;
  mesh.indices = headless::torus_indices(false);
  mesh.body = mesh.end_part(0);
  const auto corner = static_cast<uint16_t>(mesh.vertices.size());
  for (const float x : {-7.0f, 7.0f})
    for (const float z : {-7.0f, 7.0f}) mesh.vertices.push_back({{x, -1.2f, z}, {0, 1, 0}});
  for (const int i : {0, 1, 2, 2, 1, 3}) mesh.indices.push_back(static_cast<uint16_t>(corner + i));
  mesh.floor = mesh.end_part(mesh.body.count);
  add_volume(body, headless::torus_indices(false), mesh);
  mesh.volume = mesh.end_part(mesh.floor.first + mesh.floor.count);
  return mesh;
}

struct Pipelines {
  headless::Drawing::Pipeline depth, ambient, volumes, direct;
};

Pipelines make_pipelines(headless::Drawing& drawing, const std::vector<headless::Stage>& lit,
                         const std::vector<headless::Stage>& shadow) {
  headless::PipelineShape surface;
  surface.stages = lit;
  surface.attributes = {VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_R32G32B32_SFLOAT};
  surface.attribute_offsets = {0, 12};
  surface.stride = sizeof(SurfaceVertex);
  surface.viewport = {0, 0, kWidth, kHeight, 0, 1};
  surface.push_bytes = sizeof(Lit);
  headless::PipelineShape volume = surface;
  volume.stages = shadow;
  volume.depth = headless::count_behind();
  volume.blend.colorWriteMask = 0;

  Pipelines made;
  made.volumes = drawing.make_pipeline(volume);
  surface.blend.colorWriteMask = 0;
  made.depth = drawing.make_pipeline(surface);
  surface.blend = headless::adding();
  surface.depth.depthWriteEnable = VK_FALSE;
  surface.depth.depthCompareOp = VK_COMPARE_OP_EQUAL;
  made.ambient = drawing.make_pipeline(surface);
  surface.depth = headless::where_none_counted();
  surface.depth.depthCompareOp = VK_COMPARE_OP_EQUAL;
  made.direct = drawing.make_pipeline(surface);
  return made;
}

class Frame {
 public:
  Frame(VkCommandBuffer commands, const Mesh& mesh, const Lit& lit)
      : commands_(commands), mesh_(mesh), lit_(lit) {}

  void surfaces(const headless::Drawing::Pipeline& pipeline) {
    lit_.tint = {0.9f, 0.6f, 0.35f, 1};
    draw(pipeline, mesh_.body, kBodies, 0);
    lit_.tint = {0.6f, 0.65f, 0.7f, 1};
    draw(pipeline, mesh_.floor, 1, kMiddle);
  }
  void lamp(const Pipelines& pipelines, const std::array<float, 4>& at, float strength) {
    const VkClearAttachment stencil{VK_IMAGE_ASPECT_STENCIL_BIT, 0, {}};
    const VkClearRect everywhere{{{0, 0}, {kWidth, kHeight}}, 0, 1};
    vkCmdClearAttachments(commands_, 1, &stencil, 1, &everywhere);
    lit_.light = at, lit_.ambient = 0, lit_.direct = strength;
    draw(pipelines.volumes, mesh_.volume, kBodies, 0);
    surfaces(pipelines.direct);
  }

 private:
  void draw(const headless::Drawing::Pipeline& pipeline, const Mesh::Part& part, uint32_t instances,
            uint32_t first) {
    vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline.pipeline);
    vkCmdPushConstants(commands_, pipeline.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof lit_, &lit_);
    vkCmdDrawIndexed(commands_, part.count, instances, part.first, 0, first);
  }

  VkCommandBuffer commands_;
  const Mesh& mesh_;
  Lit lit_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s OUTPUT.ppm\n", arguments[0]);
    return 2;
  }
  const headless::Context context;
  headless::Drawing drawing(context, kWidth, kHeight, 1, VK_FORMAT_D24_UNORM_S8_UINT);
  const Mesh mesh = make_mesh();
  const headless::Buffer vertices =
      context.make_buffer(mesh.vertices.data(), mesh.vertices.size() * sizeof mesh.vertices[0],
                          VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const headless::Buffer indices = context.make_buffer(
      mesh.indices.data(), mesh.indices.size() * sizeof mesh.indices[0], VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const VkShaderModule lit_vertex = context.make_shader(night_vert, sizeof night_vert);
  const VkShaderModule lit = context.make_shader(lit_frag, sizeof lit_frag);
  const VkShaderModule stretched = context.make_shader(night_volume_vert, sizeof night_volume_vert);
  const VkShaderModule shadow = context.make_shader(shadow_frag, sizeof shadow_frag);
  const Pipelines pipelines =
      make_pipelines(drawing, {{VK_SHADER_STAGE_VERTEX_BIT, lit_vertex}, {VK_SHADER_STAGE_FRAGMENT_BIT, lit}},
                     {{VK_SHADER_STAGE_VERTEX_BIT, stretched}, {VK_SHADER_STAGE_FRAGMENT_BIT, shadow}});
  Lit scene{};
  scene.camera =
      headless::camera({2.5f, 3.6f, 8.5f}, {0, -0.6f, 0.5f}, 0.55f, 1.0f * kWidth / kHeight, 0.5f, 60);
  scene.ambient = 0.12f;
  drawing.draw(
      [&](VkCommandBuffer commands) {
        const VkDeviceSize zero = 0;
        vkCmdBindVertexBuffers(commands, 0, 1, &vertices.buffer, &zero);
        vkCmdBindIndexBuffer(commands, indices.buffer, 0, VK_INDEX_TYPE_UINT16);
        Frame frame(commands, mesh, scene);
        frame.surfaces(pipelines.depth);
        frame.surfaces(pipelines.ambient);
        frame.lamp(pipelines, {-3.2f, 3.0f, 1.0f, 1}, 0.6f);
        frame.lamp(pipelines, {3.6f, 2.4f, -2.6f, 1}, 0.5f);
      },
      arguments[1]);
  for (const VkShaderModule module : {lit_vertex, lit, stretched, shadow})
    vkDestroyShaderModule(context.device(), module, nullptr);
  context.destroy(vertices);
  context.destroy(indices);
  return 0;
}
