// Transparency without sorting the scene: fragments of glass store themselves in a list of their pixel, from
// a buffer that an atomic counter hands out; a compute program sorts each list and blends it over what is
// opaque. The lists are wiped for a next frame: which node is whose hangs on the order of fragments, but not
// what comes out.
//
//   transparency OUTPUT.ppm

#include <array>
#include <cstring>

#include "drawing.h"
#include "glass.frag.h"
#include "lit.frag.h"
#include "lit.h"
#include "lit.vert.h"
#include "resolve.comp.h"
#include "resources.h"

namespace {

constexpr uint32_t kWidth = 320, kHeight = 240, kNodes = 1 << 17, kNodeBytes = 12;
constexpr VkShaderStageFlags kStages =
    VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;

struct Lists {
  headless::Image heads;
  headless::Buffer nodes, counter;
};

Lists make_lists(const headless::Context& context) {
  constexpr VkBufferUsageFlags kUsage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  return {context.make_image(VK_FORMAT_R32_UINT, kWidth, kHeight, 1,
                             VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT),
          context.make_buffer(VkDeviceSize{kNodes} * kNodeBytes, kUsage), context.make_buffer(4, kUsage)};
}

void wipe(VkCommandBuffer commands, const Lists& lists) {
  const VkClearColorValue none{};
  const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vkCmdClearColorImage(commands, lists.heads.image, VK_IMAGE_LAYOUT_GENERAL, &none, 1, &all);
  vkCmdFillBuffer(commands, lists.nodes.buffer, 0, VK_WHOLE_SIZE, 0);
  vkCmdFillBuffer(commands, lists.counter.buffer, 0, VK_WHOLE_SIZE, 0);
  headless::full_barrier(commands);
}

struct Thing {
  headless::Point at;
  std::array<float, 4> tint;
};
constexpr Thing kOpaque{{0, -0.3f, 0}, {0.9f, 0.8f, 0.3f, 1}};
constexpr Thing kFloor{{0, 0, 0}, {0.5f, 0.6f, 0.5f, 1}};
constexpr Thing kGlass[] = {{{-0.55f, 0, 0.35f}, {1, 0.2f, 0.2f, 0.5f}},
                            {{0.55f, 0.1f, 0.3f}, {0.2f, 1, 0.3f, 0.5f}},
                            {{0, 0.3f, -0.5f}, {0.3f, 0.4f, 1, 0.6f}}};

// The scene's push constants for a thing that is moved: its camera and its light stand in the thing's space.
Lit seen(const Thing& thing) {
  Lit lit{};
  lit.camera = headless::camera({0.3f, 1.9f, 2.9f}, {0, -0.2f, 0}, 0.5f, 1.0f * kWidth / kHeight, 0.5f, 20);
  for (size_t row = 0; row < 4; row++)
    for (size_t axis = 0; axis < 3; axis++)
      lit.camera[12 + row] += lit.camera[4 * axis + row] * thing.at[axis];
  lit.light = {1.6f - thing.at[0], 2.6f - thing.at[1], 0.4f - thing.at[2], 1};
  lit.tint = thing.tint;
  lit.ambient = 0.3f, lit.direct = 0.7f;
  return lit;
}

struct Pipelines {
  headless::Drawing::Pipeline opaque, glass;
};

Pipelines make_pipelines(const headless::Context& context, headless::Drawing& drawing,
                         VkPipelineLayout layout) {
  const VkShaderModule vertex = context.make_shader(lit_vert, sizeof lit_vert);
  const VkShaderModule opaque = context.make_shader(lit_frag, sizeof lit_frag);
  const VkShaderModule glass = context.make_shader(glass_frag, sizeof glass_frag);
  headless::PipelineShape shape;
  shape.stages = {{VK_SHADER_STAGE_VERTEX_BIT, vertex}, {VK_SHADER_STAGE_FRAGMENT_BIT, opaque}};
  shape.attributes = {VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_R32G32B32_SFLOAT};
  shape.attribute_offsets = {0, 12};
  shape.stride = sizeof(headless::SurfaceVertex);
  shape.viewport = {0, 0, kWidth, kHeight, 0, 1};
  shape.layout = layout;
  Pipelines made;
  made.opaque = drawing.make_pipeline(shape);
  shape.stages[1].module = glass;
  shape.depth.depthWriteEnable = VK_FALSE;
  shape.blend.colorWriteMask = 0;
  made.glass = drawing.make_pipeline(shape);
  for (const VkShaderModule module : {vertex, opaque, glass})
    vkDestroyShaderModule(context.device(), module, nullptr);
  return made;
}

void draw(VkCommandBuffer commands, const Pipelines& pipelines, VkPipelineLayout layout, uint32_t torus,
          uint32_t floor) {
  const auto draw_one = [&](const Thing& thing, uint32_t indices, uint32_t first) {
    const Lit lit = seen(thing);
    vkCmdPushConstants(commands, layout, kStages, 0, sizeof lit, &lit);
    vkCmdDrawIndexed(commands, indices, 1, first, 0, 0);
  };
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.opaque.pipeline);
  draw_one(kOpaque, torus, 0);
  draw_one(kFloor, floor, torus);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.glass.pipeline);
  for (const Thing& thing : kGlass) draw_one(thing, torus, 0);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s OUTPUT.ppm\n", arguments[0]);
    return 2;
  }
  VkPhysicalDeviceFeatures features{};
  features.fragmentStoresAndAtomics = VK_TRUE;
  const headless::Context context({}, features);
  headless::Drawing drawing(context, kWidth, kHeight, 1, VK_FORMAT_D32_SFLOAT, VK_IMAGE_USAGE_STORAGE_BIT);
  const Lists lists = make_lists(context);
  headless::Resources resources(context,
                                {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                 VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
                                kStages, sizeof(Lit), 1);
  const VkDescriptorSet set = resources.make_set({lists.heads, lists.nodes, lists.counter, drawing.color()});
  const VkPipeline resolve = resources.make_compute(resolve_comp, sizeof resolve_comp);
  const Pipelines pipelines = make_pipelines(context, drawing, resources.layout());
  std::vector<headless::SurfaceVertex> surfaces = headless::make_torus();
  std::vector<uint16_t> indices = headless::torus_indices(false);
  const auto torus = static_cast<uint32_t>(indices.size());
  add_floor(surfaces, indices);
  const headless::Buffer vertices = context.make_buffer(surfaces.data(), surfaces.size() * sizeof surfaces[0],
                                                        VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const headless::Buffer index_buffer = context.make_buffer(
      indices.data(), indices.size() * sizeof indices[0], VK_BUFFER_USAGE_INDEX_BUFFER_BIT);

  const VkCommandBuffer commands = context.begin();
  headless::to_general(commands, lists.heads, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
  wipe(commands, lists);
  const VkDeviceSize zero = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.buffer, &zero);
  vkCmdBindIndexBuffer(commands, index_buffer.buffer, 0, VK_INDEX_TYPE_UINT16);
  for (const VkPipelineBindPoint point : {VK_PIPELINE_BIND_POINT_GRAPHICS, VK_PIPELINE_BIND_POINT_COMPUTE})
    vkCmdBindDescriptorSets(commands, point, resources.layout(), 0, 1, &set, 0, nullptr);
  drawing.record(commands, [&](VkCommandBuffer inside) {
    draw(inside, pipelines, resources.layout(), torus, static_cast<uint32_t>(indices.size()) - torus);
  });
  headless::full_barrier(commands);
  headless::image_barrier(
      commands, drawing.color().image,
      {VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL},
      {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
       VK_IMAGE_LAYOUT_GENERAL});
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, resolve);
  vkCmdDispatch(commands, (kWidth + 7) / 8, (kHeight + 7) / 8, 1);
  headless::full_barrier(commands);
  wipe(commands, lists);
  drawing.submit_and_write(commands, VK_IMAGE_LAYOUT_GENERAL, arguments[1]);

  for (const headless::Buffer& buffer : {vertices, index_buffer, lists.nodes, lists.counter})
    context.destroy(buffer);
  context.destroy(lists.heads);
  return 0;
}
