// Fireworks by transform feedback: in every step a geometry program reads the points of one buffer and writes
// those of the next to another, more or fewer; how many are drawn then only the GPU knows. The last are drawn
// as squares, which another geometry program makes. Prints how many there are.
//
//   particles OUTPUT.ppm

#include <array>
#include <cstring>

#include "drawing.h"
#include "particle.frag.h"
#include "particle.vert.h"
#include "particle_draw.geom.h"
#include "particle_step.geom.h"

namespace {

constexpr uint32_t kWidth = 320, kHeight = 240, kSteps = 64, kMost = 2048;

struct Particle {
  float place[3], age, movement[3], what;
};

// The extension's commands, which the loader does not know by name.
struct Commands {
  explicit Commands(VkDevice device) {
    const auto find = [&](const char* name, auto& function) {
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(vkGetDeviceProcAddr(device, name));
    };
    find("vkCmdBindTransformFeedbackBuffersEXT", bind);
    find("vkCmdBeginTransformFeedbackEXT", begin);
    find("vkCmdEndTransformFeedbackEXT", end);
    find("vkCmdDrawIndirectByteCountEXT", draw);
  }
  PFN_vkCmdBindTransformFeedbackBuffersEXT bind = nullptr;
  PFN_vkCmdBeginTransformFeedbackEXT begin = nullptr;
  PFN_vkCmdEndTransformFeedbackEXT end = nullptr;
  PFN_vkCmdDrawIndirectByteCountEXT draw = nullptr;
};

// Points, and how many bytes of them were written.
struct Points {
  headless::Buffer vertices, filled;
};

Points make_points(const headless::Context& context) {
  constexpr VkBufferUsageFlags kVertices = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT;
  return {context.make_buffer(kMost * sizeof(Particle),
                              kVertices | VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT),
          context.make_buffer(4, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
                                     VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT)};
}

// A pass in which nothing is rasterized.
struct EmptyPass {
  VkRenderPass pass = VK_NULL_HANDLE;
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
};

EmptyPass make_empty_pass(VkDevice device) {
  VkSubpassDescription subpass{};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  EmptyPass made;
  HEADLESS_CHECK(vkCreateRenderPass(device, &info, nullptr, &made.pass));
  VkFramebufferCreateInfo framebuffer{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  framebuffer.renderPass = made.pass;
  framebuffer.width = framebuffer.height = framebuffer.layers = 1;
  HEADLESS_CHECK(vkCreateFramebuffer(device, &framebuffer, nullptr, &made.framebuffer));
  return made;
}

void draw_points(VkCommandBuffer commands, const Commands& extension, const Points& points) {
  const VkDeviceSize zero = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &points.vertices.buffer, &zero);
  extension.draw(commands, 1, 0, points.filled.buffer, 0, 0, sizeof(Particle));
}

// One step from `from` to `to`; the first has one launcher, of which no counter tells.
void step(VkCommandBuffer commands, const Commands& extension, const EmptyPass& pass, VkPipeline pipeline,
          const Points& from, const Points& to, bool first) {
  const VkRenderPassBeginInfo begin{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                    nullptr,
                                    pass.pass,
                                    pass.framebuffer,
                                    {{0, 0}, {1, 1}},
                                    0,
                                    nullptr};
  const VkDeviceSize zero = 0;
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  extension.bind(commands, 0, 1, &to.vertices.buffer, &zero, nullptr);
  extension.begin(commands, 0, 0, nullptr, nullptr);
  if (first) {
    vkCmdBindVertexBuffers(commands, 0, 1, &from.vertices.buffer, &zero);
    vkCmdDraw(commands, 1, 1, 0, 0);
  } else {
    draw_points(commands, extension, from);
  }
  extension.end(commands, 0, 1, &to.filled.buffer, &zero);
  vkCmdEndRenderPass(commands);
  const VkMemoryBarrier written{
      VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr,
      VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT | VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
      VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT |
          VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT,
                       VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT |
                           VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT,
                       0, 1, &written, 0, nullptr, 0, nullptr);
}

headless::PipelineShape shape_of_points() {
  headless::PipelineShape shape;
  shape.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  shape.attributes = {VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R32G32B32A32_SFLOAT};
  shape.attribute_offsets = {0, 16};
  shape.stride = sizeof(Particle);
  shape.viewport = {0, 0, kWidth, kHeight, 0, 1};
  shape.depth = {VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  shape.blend = {VK_TRUE,
                 VK_BLEND_FACTOR_ONE,
                 VK_BLEND_FACTOR_ONE,
                 VK_BLEND_OP_ADD,
                 VK_BLEND_FACTOR_ONE,
                 VK_BLEND_FACTOR_ZERO,
                 VK_BLEND_OP_ADD,
                 0xf};
  return shape;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s OUTPUT.ppm\n", arguments[0]);
    return 2;
  }
  VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, nullptr, VK_TRUE, VK_FALSE};
  VkPhysicalDeviceFeatures features{};
  features.geometryShader = VK_TRUE;
  const headless::Context context({}, features, VK_API_VERSION_1_1, &feedback,
                                  {VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME});
  const Commands extension(context.device());
  headless::Drawing drawing(context, kWidth, kHeight, 1);
  const EmptyPass pass = make_empty_pass(context.device());
  const Points points[2] = {make_points(context), make_points(context)};
  const Particle launcher{{0, -0.9f, 0}, 0, {0, 0, 0}, 0};
  std::memcpy(points[0].vertices.mapped, &launcher, sizeof launcher);

  const VkShaderModule vertex = context.make_shader(particle_vert, sizeof particle_vert);
  const VkShaderModule stepping = context.make_shader(particle_step_geom, sizeof particle_step_geom);
  const VkShaderModule squares = context.make_shader(particle_draw_geom, sizeof particle_draw_geom);
  const VkShaderModule glow = context.make_shader(particle_frag, sizeof particle_frag);
  headless::PipelineShape shape = shape_of_points();
  shape.stages = {{VK_SHADER_STAGE_VERTEX_BIT, vertex}, {VK_SHADER_STAGE_GEOMETRY_BIT, stepping}};
  shape.pass = pass.pass;
  const VkPipeline move = drawing.make_pipeline(shape).pipeline;
  shape.stages = {{VK_SHADER_STAGE_VERTEX_BIT, vertex},
                  {VK_SHADER_STAGE_GEOMETRY_BIT, squares},
                  {VK_SHADER_STAGE_FRAGMENT_BIT, glow}};
  shape.pass = VK_NULL_HANDLE;
  const VkPipeline show = drawing.make_pipeline(shape).pipeline;

  const VkCommandBuffer commands = context.begin();
  for (uint32_t i = 0; i < kSteps; i++)
    step(commands, extension, pass, move, points[i % 2], points[(i + 1) % 2], i == 0);
  drawing.record(commands, [&](VkCommandBuffer inside) {
    vkCmdBindPipeline(inside, VK_PIPELINE_BIND_POINT_GRAPHICS, show);
    draw_points(inside, extension, points[kSteps % 2]);
  });
  drawing.submit_and_write(commands, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, arguments[1]);
  std::printf("%zu particles\n",
              *static_cast<const uint32_t*>(points[kSteps % 2].filled.mapped) / sizeof(Particle));

  for (const VkShaderModule module : {vertex, stepping, squares, glow})
    vkDestroyShaderModule(context.device(), module, nullptr);
  vkDestroyFramebuffer(context.device(), pass.framebuffer, nullptr);
  vkDestroyRenderPass(context.device(), pass.pass, nullptr);
  for (const Points& each : points) context.destroy(each.vertices), context.destroy(each.filled);
  return 0;
}
