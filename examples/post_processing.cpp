// Draws a torus, and develops the picture in compute programs: a histogram by atomics, of shared memory first
// and of a buffer then; a blur by rows and by columns through shared memory; and both put together. Prints
// the histogram.
//
//   post_processing OUTPUT.ppm

#include <array>
#include <cstdint>

#include "blur.comp.h"
#include "develop.comp.h"
#include "drawing.h"
#include "histogram.comp.h"
#include "lit.frag.h"
#include "lit.h"
#include "lit.vert.h"
#include "resources.h"

namespace {

constexpr uint32_t kWidth = 320, kHeight = 240, kBins = 64;
constexpr VkImageUsageFlags kStored = VK_IMAGE_USAGE_STORAGE_BIT;

struct Mesh {
  headless::Buffer vertices, indices;
  uint32_t torus, floor;  // indices
};

Mesh make_mesh(const headless::Context& context) {
  std::vector<headless::SurfaceVertex> vertices = headless::make_torus();
  std::vector<uint16_t> indices = headless::torus_indices(false);
  const auto torus = static_cast<uint32_t>(indices.size());
  add_floor(vertices, indices);
  return {context.make_buffer(vertices.data(), vertices.size() * sizeof vertices[0],
                              VK_BUFFER_USAGE_VERTEX_BUFFER_BIT),
          context.make_buffer(indices.data(), indices.size() * sizeof indices[0],
                              VK_BUFFER_USAGE_INDEX_BUFFER_BIT),
          torus, static_cast<uint32_t>(indices.size()) - torus};
}

void draw_mesh(VkCommandBuffer commands, const headless::Drawing::Pipeline& pipeline, const Mesh& mesh) {
  Lit lit{};
  lit.camera = headless::camera({0.4f, 1.7f, 3.0f}, {0, -0.35f, 0}, 0.5f, 1.0f * kWidth / kHeight, 0.5f, 20);
  lit.light = {1.6f, 2.6f, 0.4f, 1};
  lit.ambient = 0.2f, lit.direct = 0.8f;
  const VkDeviceSize zero = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &mesh.vertices.buffer, &zero);
  vkCmdBindIndexBuffer(commands, mesh.indices.buffer, 0, VK_INDEX_TYPE_UINT16);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline.pipeline);
  const auto draw = [&](const std::array<float, 4>& tint, uint32_t indices, uint32_t first) {
    lit.tint = tint;
    vkCmdPushConstants(commands, pipeline.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof lit, &lit);
    vkCmdDrawIndexed(commands, indices, 1, first, 0, 0);
  };
  draw({0.9f, 0.5f, 0.2f, 1}, mesh.torus, 0);
  draw({0.4f, 0.7f, 0.5f, 1}, mesh.floor, mesh.torus);
}

// The programs, each with the set that it uses.
struct Developing {
  VkPipelineLayout layout;
  VkPipeline histogram, blur, develop;
  VkDescriptorSet of_picture, of_blurred;  // from the picture to `other`, and back
};

void develop(VkCommandBuffer commands, const Developing& d) {
  constexpr VkPipelineBindPoint kCompute = VK_PIPELINE_BIND_POINT_COMPUTE;
  const auto dispatch = [&](VkPipeline pipeline, VkDescriptorSet set, uint32_t x, uint32_t y) {
    vkCmdBindPipeline(commands, kCompute, pipeline);
    vkCmdBindDescriptorSets(commands, kCompute, d.layout, 0, 1, &set, 0, nullptr);
    vkCmdDispatch(commands, x, y, 1);
    headless::full_barrier(commands);
  };
  const auto blur = [&](VkDescriptorSet set, std::array<int32_t, 2> along, uint32_t length, uint32_t lines) {
    vkCmdPushConstants(commands, d.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof along, &along);
    dispatch(d.blur, set, (length + 63) / 64, lines);
  };
  dispatch(d.histogram, d.of_picture, kWidth / 16, kHeight / 16);
  blur(d.of_picture, {1, 0}, kWidth, kHeight);
  blur(d.of_blurred, {0, 1}, kHeight, kWidth);
  dispatch(d.develop, d.of_blurred, kWidth / 16, kHeight / 16);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s OUTPUT.ppm\n", arguments[0]);
    return 2;
  }
  const headless::Context context;
  headless::Drawing drawing(context, kWidth, kHeight, 1, VK_FORMAT_D32_SFLOAT, kStored);
  const Mesh mesh = make_mesh(context);
  const VkShaderModule vertex = context.make_shader(lit_vert, sizeof lit_vert);
  const VkShaderModule fragment = context.make_shader(lit_frag, sizeof lit_frag);
  headless::PipelineShape shape;
  shape.stages = {{VK_SHADER_STAGE_VERTEX_BIT, vertex}, {VK_SHADER_STAGE_FRAGMENT_BIT, fragment}};
  shape.attributes = {VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_R32G32B32_SFLOAT};
  shape.attribute_offsets = {0, 12};
  shape.stride = sizeof(headless::SurfaceVertex);
  shape.viewport = {0, 0, kWidth, kHeight, 0, 1};
  shape.push_bytes = sizeof(Lit);
  const headless::Drawing::Pipeline lit = drawing.make_pipeline(shape);

  const headless::Image other = context.make_image(VK_FORMAT_R8G8B8A8_UNORM, kWidth, kHeight, 1, kStored);
  const std::array<uint32_t, kBins> none{};
  const headless::Buffer bins =
      context.make_buffer(none.data(), sizeof none, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  headless::Resources resources(
      context,
      {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
      VK_SHADER_STAGE_COMPUTE_BIT, 8, 2);
  const Developing developing{resources.layout(),
                              resources.make_compute(histogram_comp, sizeof histogram_comp),
                              resources.make_compute(blur_comp, sizeof blur_comp),
                              resources.make_compute(develop_comp, sizeof develop_comp),
                              resources.make_set({drawing.color(), other, bins}),
                              resources.make_set({other, drawing.color(), bins})};

  const VkCommandBuffer commands = context.begin();
  headless::to_general(commands, other, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
  drawing.record(commands, [&](VkCommandBuffer inside) { draw_mesh(inside, lit, mesh); });
  headless::image_barrier(
      commands, drawing.color().image,
      {VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL},
      {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
       VK_IMAGE_LAYOUT_GENERAL});
  develop(commands, developing);
  drawing.submit_and_write(commands, VK_IMAGE_LAYOUT_GENERAL, arguments[1]);
  for (uint32_t i = 0; i < kBins; i++)
    std::printf("%u%c", static_cast<const uint32_t*>(bins.mapped)[i], i % 16 == 15 ? '\n' : ' ');

  for (const VkShaderModule module : {vertex, fragment})
    vkDestroyShaderModule(context.device(), module, nullptr);
  for (const headless::Buffer& buffer : {mesh.vertices, mesh.indices, bins}) context.destroy(buffer);
  context.destroy(other);
  return 0;
}
