// Frames of two parts that need nothing of each other: many small triangles, and bodies that draw each other
// near, with the light of all of them at each texel. The first part is drawn by the graphics queue. The other
// is computed by a queue beside it, if there is a family with compute programs and without graphics; it needs
// arithmetic, the triangles need the units before it, so that a GPU that runs both at once takes less time. A
// last pass of the frame waits for both, and shows them. The light of a frame has two images in turn: its
// next light waits until the one before has been shown.
//
//   async_compute [--only graphics|compute] [--one-queue] OUTPUT.ppm
//
//   --only       leaves the other part out
//   --one-queue  submits everything to the graphics queue

#include <array>
#include <cstdint>
#include <string_view>

#include "bodies.comp.h"
#include "both.frag.h"
#include "drawing.h"
#include "glow.comp.h"
#include "lit.frag.h"
#include "lit.h"
#include "lit.vert.h"
#include "resources.h"
#include "whole.vert.h"

namespace {

using headless::Context;
using headless::Image;

constexpr uint32_t kWidth = 240, kHeight = 160, kFrames = 3, kBodies = 64, kColumns = 9, kRows = 6;
constexpr VkImageUsageFlags kCleared = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
constexpr VkPipelineStageFlags kAllStages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;

struct Options {
  bool draws = true, computes = true, one_queue = false;
  const char* path = nullptr;
};

Options parse(int count, char** arguments) {
  Options options;
  bool right = count > 1;
  for (int i = 1; i + 1 < count; i++) {
    const std::string_view option = arguments[i], value = arguments[i + 1];
    if (option == "--one-queue") {
      options.one_queue = true;
    } else if (option == "--only" && i + 2 < count && (value == "graphics" || value == "compute")) {
      options.draws = value == "graphics", options.computes = !options.draws;
      i++;
    } else {
      right = false;
    }
  }
  if (!right) {
    std::fprintf(stderr, "usage: %s [--only graphics|compute] [--one-queue] OUTPUT.ppm\n", arguments[0]);
    std::exit(2);
  }
  options.path = arguments[count - 1];
  return options;
}

void submit(const headless::Queue& queue, VkCommandBuffer commands, VkSemaphore wait, VkSemaphore signal) {
  HEADLESS_CHECK(vkEndCommandBuffer(commands));
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.waitSemaphoreCount = wait ? 1 : 0;
  info.pWaitSemaphores = &wait, info.pWaitDstStageMask = &kAllStages;
  info.commandBufferCount = 1, info.pCommandBuffers = &commands;
  info.signalSemaphoreCount = signal ? 1 : 0;
  info.pSignalSemaphores = &signal;
  HEADLESS_CHECK(vkQueueSubmit(queue.queue, 1, &info, VK_NULL_HANDLE));
}

// Tori in rows, which turn from frame to frame.
class Tori {
 public:
  Tori(const Context& context, headless::Drawing& drawing) : context_(context) {
    const std::vector<headless::SurfaceVertex> vertices = headless::make_torus();
    const std::vector<uint16_t> indices = headless::torus_indices(false);
    count_ = static_cast<uint32_t>(indices.size());
    vertices_ = context.make_buffer(vertices.data(), vertices.size() * sizeof vertices[0],
                                    VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    indices_ = context.make_buffer(indices.data(), indices.size() * sizeof indices[0],
                                   VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    const VkShaderModule vertex = context.make_shader(lit_vert, sizeof lit_vert),
                         fragment = context.make_shader(lit_frag, sizeof lit_frag);
    headless::PipelineShape shape;
    shape.stages = {{VK_SHADER_STAGE_VERTEX_BIT, vertex}, {VK_SHADER_STAGE_FRAGMENT_BIT, fragment}};
    shape.attributes = {VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_R32G32B32_SFLOAT};
    shape.attribute_offsets = {0, 12};
    shape.stride = sizeof(headless::SurfaceVertex);
    shape.viewport = {0, 0, kWidth, kHeight, 0, 1};
    shape.push_bytes = sizeof(Lit);
    pipeline_ = drawing.make_pipeline(shape);
    for (const VkShaderModule module : {vertex, fragment})
      vkDestroyShaderModule(context.device(), module, nullptr);
  }
  ~Tori() {
    context_.destroy(vertices_);
    context_.destroy(indices_);
  }
  Tori(const Tori&) = delete;
  Tori& operator=(const Tori&) = delete;

  void draw(VkCommandBuffer commands, uint32_t frame) const {
    const float turn = 0.3f * static_cast<float>(frame);
    const headless::Matrix camera = headless::camera({5.0f * std::sin(turn), 6, 5.0f * std::cos(turn)},
                                                     {0, 0, 0}, 0.6f, 1.0f * kWidth / kHeight, 0.5f, 30);
    Lit lit{};
    lit.light = {1.6f, 2.6f, 0.4f, 1};
    lit.ambient = 0.1f, lit.direct = 0.4f;
    const VkDeviceSize zero = 0;
    vkCmdBindVertexBuffers(commands, 0, 1, &vertices_.buffer, &zero);
    vkCmdBindIndexBuffer(commands, indices_.buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_.pipeline);
    for (uint32_t i = 0; i < kColumns * kRows; i++) {
      const float x = 2 * static_cast<float>(i % kColumns) - (kColumns - 1),
                  z = 2 * static_cast<float>(i / kColumns) - (kRows - 1);
      lit.camera = camera;
      for (uint32_t row = 0; row < 4; row++) lit.camera[12 + row] += camera[row] * x + camera[8 + row] * z;
      lit.tint = {0.3f + 0.1f * static_cast<float>(i % kColumns), 0.6f, 0.9f, 1};
      vkCmdPushConstants(commands, pipeline_.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof lit, &lit);
      vkCmdDrawIndexed(commands, count_, 1, 0, 0, 0);
    }
  }

 private:
  const Context& context_;
  headless::Buffer vertices_, indices_;
  uint32_t count_ = 0;
  headless::Drawing::Pipeline pipeline_;
};

// The bodies, in two buffers in turn, and their light, in two images.
class Bodies {
 public:
  explicit Bodies(const Context& context)
      : context_(context),
        resources_(context,
                   {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                    VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
                   VK_SHADER_STAGE_COMPUTE_BIT, 0, 2),
        step_(resources_.make_compute(bodies_comp, sizeof bodies_comp)),
        shine_(resources_.make_compute(glow_comp, sizeof glow_comp)) {
    std::array<std::array<float, 4>, kBodies> bodies{};
    uint32_t random = 1;
    for (std::array<float, 4>& body : bodies)
      for (size_t i = 0; i < 2; i++) {
        random = random * 1664525 + 1013904223;
        body[i] = static_cast<float>(random >> 8) * 0x1p-23f - 1;
      }
    for (size_t i = 0; i < 2; i++) {
      places_[i] = context.make_buffer(bodies.data(), sizeof bodies, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
      light_[i] = context.make_image(VK_FORMAT_R8G8B8A8_UNORM, kWidth / 2, kHeight / 2, 1,
                                     kCleared | VK_IMAGE_USAGE_STORAGE_BIT);
    }
    for (size_t i = 0; i < 2; i++) sets_[i] = resources_.make_set({places_[i], places_[1 - i], light_[i]});
  }
  ~Bodies() {
    for (size_t i = 0; i < 2; i++) context_.destroy(places_[i]), context_.destroy(light_[i]);
  }
  Bodies(const Bodies&) = delete;
  Bodies& operator=(const Bodies&) = delete;

  const Image& light(uint32_t frame) const { return light_[frame % 2]; }
  // Leaves the light in the general layout.
  void compute(VkCommandBuffer commands, uint32_t frame) const {
    constexpr VkPipelineBindPoint kCompute = VK_PIPELINE_BIND_POINT_COMPUTE;
    headless::full_barrier(commands);
    headless::to_general(commands, light(frame), kAllStages, VK_ACCESS_SHADER_WRITE_BIT);
    vkCmdBindDescriptorSets(commands, kCompute, resources_.layout(), 0, 1, &sets_[frame % 2], 0, nullptr);
    vkCmdBindPipeline(commands, kCompute, step_);
    vkCmdDispatch(commands, kBodies / 64, 1, 1);
    headless::full_barrier(commands);
    vkCmdBindPipeline(commands, kCompute, shine_);
    vkCmdDispatch(commands, (kWidth / 2 + 7) / 8, (kHeight / 2 + 7) / 8, 1);
  }

 private:
  const Context& context_;
  headless::Resources resources_;
  const VkPipeline step_, shine_;
  std::array<headless::Buffer, 2> places_;
  std::array<Image, 2> light_;
  std::array<VkDescriptorSet, 2> sets_;
};

// For samples by fragment programs, from any layout that it is in.
constexpr headless::ImageState kSampled{VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT,
                                        VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};

// A part that is left out is black.
void blacken(VkCommandBuffer commands, const Image& image) {
  const VkClearColorValue black{{0, 0, 0, 1}};
  const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  headless::to_general(commands, image, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdClearColorImage(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &all);
  headless::image_barrier(
      commands, image.image,
      {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_IMAGE_LAYOUT_GENERAL}, kSampled);
}

// Half of the light's way from the queue that computes to the one that draws: each of them says the same. On
// one queue it is an ordinary barrier, made once.
void hand_over(VkCommandBuffer commands, const Image& light, const headless::Queue& from,
               const headless::Queue& to, bool gives) {
  const bool same = from.family == to.family;
  if (same && !gives) return;
  VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  if (gives) barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  if (same || !gives) barrier.dstAccessMask = kSampled.access;
  barrier.oldLayout = VK_IMAGE_LAYOUT_GENERAL, barrier.newLayout = kSampled.layout;
  barrier.srcQueueFamilyIndex = same ? VK_QUEUE_FAMILY_IGNORED : from.family;
  barrier.dstQueueFamilyIndex = same ? VK_QUEUE_FAMILY_IGNORED : to.family;
  barrier.image = light.image;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vkCmdPipelineBarrier(commands, kAllStages, kAllStages, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

// The last pass of a frame.
class Showing {
 public:
  Showing(const Context& context, const Image& scene, const Bodies& bodies)
      : context_(context),
        resources_(context,
                   {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
                   VK_SHADER_STAGE_FRAGMENT_BIT, 0, 2),
        picture_(context, kWidth, kHeight, 1) {
    const VkSamplerCreateInfo nearest{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    HEADLESS_CHECK(vkCreateSampler(context.device(), &nearest, nullptr, &sampler_));
    for (uint32_t i = 0; i < 2; i++)
      sets_[i] = resources_.make_set({{scene, sampler_}, {bodies.light(i), sampler_}});
    const VkShaderModule vertex = context.make_shader(whole_vert, sizeof whole_vert),
                         fragment = context.make_shader(both_frag, sizeof both_frag);
    headless::PipelineShape shape;
    shape.stages = {{VK_SHADER_STAGE_VERTEX_BIT, vertex}, {VK_SHADER_STAGE_FRAGMENT_BIT, fragment}};
    shape.viewport = {0, 0, kWidth, kHeight, 0, 1};
    shape.layout = resources_.layout();
    pipeline_ = picture_.make_pipeline(shape);
    for (const VkShaderModule module : {vertex, fragment})
      vkDestroyShaderModule(context.device(), module, nullptr);
  }
  ~Showing() { vkDestroySampler(context_.device(), sampler_, nullptr); }
  Showing(const Showing&) = delete;
  Showing& operator=(const Showing&) = delete;

  void show(VkCommandBuffer commands, uint32_t frame) const {
    picture_.record(commands, [&](VkCommandBuffer inside) {
      vkCmdBindPipeline(inside, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_.pipeline);
      vkCmdBindDescriptorSets(inside, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_.layout, 0, 1,
                              &sets_[frame % 2], 0, nullptr);
      vkCmdDraw(inside, 3, 1, 0, 0);
    });
  }
  const headless::Drawing& picture() const { return picture_; }

 private:
  const Context& context_;
  headless::Resources resources_;
  headless::Drawing picture_;
  VkSampler sampler_ = VK_NULL_HANDLE;
  std::array<VkDescriptorSet, 2> sets_;
  headless::Drawing::Pipeline pipeline_;
};

void run(const Context& context, const Options& options) {
  const headless::Queue &draws = context.drawing(),
                        &computes = options.one_queue ? draws : context.computing();
  headless::Drawing scene(context, kWidth, kHeight, 1, VK_FORMAT_D32_SFLOAT, kCleared);
  const Tori tori(context, scene);
  const Bodies bodies(context);
  const Showing showing(context, scene.color(), bodies);

  // Signaled by the light, and by the pass that has shown it.
  std::array<VkSemaphore, kFrames> computed{}, shown{};
  for (uint32_t i = 0; i < kFrames; i++)
    for (VkSemaphore* semaphore : {&computed[i], &shown[i]}) {
      const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
      HEADLESS_CHECK(vkCreateSemaphore(context.device(), &info, nullptr, semaphore));
    }
  const VkCommandBuffer first = context.begin();
  if (!options.draws) blacken(first, scene.color());
  for (uint32_t i = 0; i < 2 && !options.computes; i++) blacken(first, bodies.light(i));
  submit(draws, first, VK_NULL_HANDLE, VK_NULL_HANDLE);

  for (uint32_t frame = 0; frame < kFrames; frame++) {
    if (options.computes) {
      const VkCommandBuffer commands = context.begin(computes);
      bodies.compute(commands, frame);
      hand_over(commands, bodies.light(frame), computes, draws, true);
      submit(computes, commands, frame < 2 ? VK_NULL_HANDLE : shown[frame - 2], computed[frame]);
    }
    if (options.draws) {
      const VkCommandBuffer commands = context.begin();
      headless::full_barrier(commands);
      scene.record(commands, [&](VkCommandBuffer inside) { tori.draw(inside, frame); });
      headless::image_barrier(commands, scene.color().image,
                              {kAllStages, VK_ACCESS_MEMORY_WRITE_BIT, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL},
                              kSampled);
      submit(draws, commands, VK_NULL_HANDLE, VK_NULL_HANDLE);
    }
    const VkCommandBuffer commands = context.begin();
    headless::full_barrier(commands);
    if (options.computes) hand_over(commands, bodies.light(frame), computes, draws, false);
    showing.show(commands, frame);
    submit(draws, commands, options.computes ? computed[frame] : VK_NULL_HANDLE,
           options.computes && frame + 2 < kFrames ? shown[frame] : VK_NULL_HANDLE);
  }
  showing.picture().submit_and_write(context.begin(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, options.path);
  HEADLESS_CHECK(vkDeviceWaitIdle(context.device()));
  for (uint32_t i = 0; i < kFrames; i++)
    for (const VkSemaphore semaphore : {computed[i], shown[i]})
      vkDestroySemaphore(context.device(), semaphore, nullptr);
}

}  // namespace

int main(int count, char** arguments) {
  const Options options = parse(count, arguments);
  const Context context({}, {}, VK_API_VERSION_1_0, nullptr, {}, true);
  run(context, options);
  return 0;
}
