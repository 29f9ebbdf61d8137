// Descriptor indexing: an array of pictures without a length in the program, whose set gives it one; of which
// each fragment takes its own; of which some are never written, or were destroyed; and which, as a uniform
// buffer, is written when the commands that use it have been recorded. Fails where the picture is not what it
// must be.
//
//   descriptor_arrays OUTPUT.ppm

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string>

#include "drawing.h"
#include "tiles.frag.h"
#include "whole.vert.h"

namespace {

using headless::Buffer;
using headless::Context;
using headless::Image;

constexpr uint32_t kWidth = 64, kHeight = 48, kPictures = 8, kMost = 12;
constexpr uint32_t kMissing = 3, kDestroyed = 6;  // pictures
constexpr uint32_t kBound = 0xff & ~(1u << kMissing) & ~(1u << kDestroyed);

VkPhysicalDeviceDescriptorIndexingFeatures features() {
  VkPhysicalDeviceDescriptorIndexingFeatures f{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES};
  f.shaderSampledImageArrayNonUniformIndexing = f.runtimeDescriptorArray = VK_TRUE;
  f.descriptorBindingSampledImageUpdateAfterBind = VK_TRUE;
  f.descriptorBindingUniformBufferUpdateAfterBind = VK_TRUE;
  f.descriptorBindingPartiallyBound = f.descriptorBindingVariableDescriptorCount = VK_TRUE;
  return f;
}

// A picture has one color.
uint32_t level(uint32_t number, uint32_t component) { return (number + 1) * 51 >> (2 * component) & 0x33; }

// The expected contents of the file after its header.
std::string expected(const std::array<uint32_t, 3>& tint) {
  std::string pixels;
  for (uint32_t y = 0; y < kHeight; y++)
    for (uint32_t x = 0; x < kWidth; x++) {
      const uint32_t tile_x = x / 5, which = (tile_x * 3 + y / 5 * 5 + (tile_x >> 2)) % kPictures;
      for (uint32_t c = 0; c < 3; c++)
        pixels += static_cast<char>(kBound >> which & 1 ? std::min(255u, level(which, c) + tint[c]) : 0);
    }
  return pixels;
}

std::string end_of_file(const std::string& path, size_t bytes) {
  std::ifstream file(path, std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  return all.substr(all.size() - std::min(all.size(), bytes));
}

Image make_picture(const Context& context, VkCommandBuffer commands, uint32_t number) {
  const Image image = context.make_image(VK_FORMAT_R8G8B8A8_UNORM, 4, 4, 1,
                                         VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
  const headless::ImageState fresh{VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED},
      written{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
              VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL},
      read{VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT,
           VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  headless::image_barrier(commands, image.image, fresh, written);
  VkClearColorValue color{{0, 0, 0, 1}};
  for (uint32_t c = 0; c < 3; c++) color.float32[c] = static_cast<float>(level(number, c)) / 255;
  const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vkCmdClearColorImage(commands, image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1, &all);
  headless::image_barrier(commands, image.image, written, read);
  return image;
}

// A set of a buffer and so many of kMost pictures, and what it takes.
class Set {
 public:
  explicit Set(const Context& context) : device_(context.device()) {
    const std::array<VkDescriptorSetLayoutBinding, 2> bindings{
        {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr},
         {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, kMost, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}}};
    const std::array<VkDescriptorBindingFlags, 2> flags{
        VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT, VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
                                                         VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT |
                                                         VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo more{
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, nullptr, 2, flags.data()};
    const VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, &more,
                                               VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT, 2,
                                               bindings.data()};
    HEADLESS_CHECK(vkCreateDescriptorSetLayout(device_, &info, nullptr, &set_layout_));
    const std::array<VkDescriptorPoolSize, 2> sizes{
        {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1}, {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, kPictures}}};
    const VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                          nullptr,
                                          VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT,
                                          1,
                                          2,
                                          sizes.data()};
    HEADLESS_CHECK(vkCreateDescriptorPool(device_, &pool, nullptr, &pool_));
    const uint32_t length = kPictures;
    const VkDescriptorSetVariableDescriptorCountAllocateInfo lengths{
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO, nullptr, 1, &length};
    const VkDescriptorSetAllocateInfo allocate{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, &lengths,
                                               pool_, 1, &set_layout_};
    HEADLESS_CHECK(vkAllocateDescriptorSets(device_, &allocate, &set));
    const VkPushConstantRange range{VK_SHADER_STAGE_FRAGMENT_BIT, 0, 4};
    const VkPipelineLayoutCreateInfo whole{
        VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, nullptr, 0, 1, &set_layout_, 1, &range};
    HEADLESS_CHECK(vkCreatePipelineLayout(device_, &whole, nullptr, &layout));
    VkSamplerCreateInfo nearest{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    HEADLESS_CHECK(vkCreateSampler(device_, &nearest, nullptr, &sampler_));
  }
  ~Set() {
    vkDestroySampler(device_, sampler_, nullptr);
    vkDestroyPipelineLayout(device_, layout, nullptr);
    vkDestroyDescriptorPool(device_, pool_, nullptr);
    vkDestroyDescriptorSetLayout(device_, set_layout_, nullptr);
  }
  Set(const Set&) = delete;
  Set& operator=(const Set&) = delete;

  void write(const Buffer& buffer) const {
    const VkDescriptorBufferInfo info{buffer.buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, set,   0,      0, 1,
                                     VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,      nullptr, &info, nullptr};
    vkUpdateDescriptorSets(device_, 1, &write, 0, nullptr);
  }
  void write(uint32_t element, const Image& image) const {
    const VkDescriptorImageInfo info{sampler_, image.view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkWriteDescriptorSet write{
        VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,    nullptr, set,     1,      element, 1,
        VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, &info,   nullptr, nullptr};
    vkUpdateDescriptorSets(device_, 1, &write, 0, nullptr);
  }

  VkDescriptorSet set = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;

 private:
  const VkDevice device_;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkDescriptorPool pool_ = VK_NULL_HANDLE;
  VkSampler sampler_ = VK_NULL_HANDLE;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s OUTPUT.ppm\n", arguments[0]);
    return 2;
  }
  const VkPhysicalDeviceDescriptorIndexingFeatures wanted = features();
  const Context context({}, {}, VK_API_VERSION_1_2, &wanted);
  constexpr std::array<uint32_t, 3> kTint{0, 102, 225};
  constexpr std::array<float, 4> kDark{0.2f, 0, 0, 0}, kLight{0, kTint[1] / 255.0f, kTint[2] / 255.0f, 0};
  const Buffer dark = context.make_buffer(kDark.data(), sizeof kDark, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT),
               light = context.make_buffer(kLight.data(), sizeof kLight, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  std::array<Image, kPictures> pictures{};
  const VkCommandBuffer uploads = context.begin();
  for (uint32_t i = 0; i < kPictures; i++) pictures[i] = make_picture(context, uploads, i);
  context.submit_and_wait(uploads);
  {
    const Set set(context);
    headless::Drawing drawing(context, kWidth, kHeight, 1);
    const VkShaderModule vertex = context.make_shader(whole_vert, sizeof whole_vert),
                         fragment = context.make_shader(tiles_frag, sizeof tiles_frag);
    headless::PipelineShape shape;
    shape.stages = {{VK_SHADER_STAGE_VERTEX_BIT, vertex}, {VK_SHADER_STAGE_FRAGMENT_BIT, fragment}};
    shape.viewport = {0, 0, kWidth, kHeight, 0, 1};
    shape.layout = set.layout;
    const headless::Drawing::Pipeline pipeline = drawing.make_pipeline(shape);
    set.write(dark);
    set.write(0, pictures[7]);
    set.write(kDestroyed, pictures[kDestroyed]);
    const VkCommandBuffer commands = context.begin();
    drawing.record(commands, [&](VkCommandBuffer to) {
      vkCmdBindPipeline(to, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline.pipeline);
      vkCmdBindDescriptorSets(to, VK_PIPELINE_BIND_POINT_GRAPHICS, set.layout, 0, 1, &set.set, 0, nullptr);
      vkCmdPushConstants(to, set.layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, 4, &kBound);
      vkCmdDraw(to, 3, 1, 0, 0);
    });
    set.write(light);
    for (uint32_t i = 0; i < kPictures; i++)
      if (kBound >> i & 1) set.write(i, pictures[i]);
    context.destroy(pictures[kDestroyed]);
    drawing.submit_and_write(commands, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, arguments[1]);
    vkDestroyShaderModule(context.device(), vertex, nullptr);
    vkDestroyShaderModule(context.device(), fragment, nullptr);
  }
  for (uint32_t i = 0; i < kPictures; i++)
    if (i != kDestroyed) context.destroy(pictures[i]);
  for (const Buffer& buffer : {dark, light}) context.destroy(buffer);
  const std::string right = expected(kTint);
  if (end_of_file(arguments[1], right.size()) == right) return 0;
  std::fprintf(stderr, "descriptor_arrays: the picture is not what it must be\n");
  return 1;
}
