#include "icd/testing/render_fixture.h"
#include "icd_testdata/outside_comp.h"
#include "icd_testdata/robust_frag.h"
#include "icd_testdata/robust_vert.h"

// Tests VK_EXT_robustness2 and VK_EXT_image_robustness: out-of-bounds reads give zeros, with (0, 0, 1) for
// missing green, blue and alpha, and out-of-bounds writes are dropped. The same holds for null descriptors,
// which have no format.
namespace robustness2_test {
namespace {

using namespace cutaway::icd::testing;
using Vec4 = std::array<float, 4>;

struct Robustness2 : Renderer {
  static constexpr uint32_t kElements = 4;  // bound elements of everything
  static constexpr VkDescriptorType kTypes[7] = {
      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,         VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
      VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,   VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
      VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
  VkPhysicalDeviceImageRobustnessFeatures images{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ROBUSTNESS_FEATURES,
                                                 nullptr, VK_TRUE};
  VkPhysicalDeviceRobustness2FeaturesEXT wanted{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
                                                &images, VK_TRUE, VK_TRUE, VK_TRUE};
  VkDescriptorSet set = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
  Buffer data, uniforms, texels, stored_texels, out;
  Image stored, sampled;

  void SetUp() override {
    features.robustBufferAccess = VK_TRUE;
    features.shaderStorageImageExtendedFormats = VK_TRUE;
    more_features = &wanted;
    extensions.push_back(VK_EXT_ROBUSTNESS_2_EXTENSION_NAME);
    extensions.push_back(VK_EXT_IMAGE_ROBUSTNESS_EXTENSION_NAME);
    Renderer::SetUp();
  }

  void make_compute() {
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (uint32_t i = 0; i < 7; i++)
      bindings.push_back({i, kTypes[i], 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
    const auto [set_layout, made] = make_set(bindings);
    set = made;
    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
    VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layout_info.setLayoutCount = 1, layout_info.pSetLayouts = &set_layout;
    layout_info.pushConstantRangeCount = 1, layout_info.pPushConstantRanges = &range;
    ok(vkCreatePipelineLayout(device, &layout_info, nullptr, &layout));
    at_end([this] { vkDestroyPipelineLayout(device, layout, nullptr); });
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = make_shader(outside_comp);
    info.stage.pName = "main";
    info.layout = layout;
    ok(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
    at_end([this] { vkDestroyPipeline(device, pipeline, nullptr); });
    out = make_buffer(11 * sizeof(Vec4), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  }
  void write(uint32_t binding, const VkDescriptorBufferInfo* buffer, const VkDescriptorImageInfo* image,
             const VkBufferView* view) {
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstSet = set, write.dstBinding = binding, write.descriptorCount = 1;
    write.descriptorType = kTypes[binding];
    write.pBufferInfo = buffer, write.pImageInfo = image, write.pTexelBufferView = view;
    vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  }
  // All floats are 1; half of the buffer's elements are bound.
  Buffer bind_buffer(uint32_t binding, VkDeviceSize element, VkBufferUsageFlags usage) {
    const Buffer buffer = make_buffer(2 * kElements * element, usage);
    for (uint32_t i = 0; i < 2 * kElements * element / 4; i++) buffer.put(i, 1.0f);
    const VkDescriptorBufferInfo info{buffer.buffer, 0, kElements * element};
    write(binding, &info, nullptr, nullptr);
    return buffer;
  }
  Buffer bind_texels(uint32_t binding, VkFormat format, VkDeviceSize element, VkBufferUsageFlags usage) {
    const Buffer buffer = make_buffer(2 * kElements * element, usage);
    for (uint32_t i = 0; i < 2 * kElements * element / 4; i++) buffer.put(i, 1.0f);
    VkBufferViewCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
    info.buffer = buffer.buffer, info.format = format, info.range = kElements * element;
    VkBufferView view = VK_NULL_HANDLE;
    ok(vkCreateBufferView(device, &info, nullptr, &view));
    at_end([this, view] { vkDestroyBufferView(device, view, nullptr); });
    write(binding, nullptr, nullptr, &view);
    return buffer;
  }
  VkSampler make_sampler() {
    const VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    VkSampler sampler = VK_NULL_HANDLE;
    ok(vkCreateSampler(device, &info, nullptr, &sampler));
    at_end([this, sampler] { vkDestroySampler(device, sampler, nullptr); });
    return sampler;
  }
  void bind_all() {
    data = bind_buffer(0, sizeof(Vec4), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    uniforms = bind_buffer(1, sizeof(Vec4), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    texels = bind_texels(2, VK_FORMAT_R32_SFLOAT, 4, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
    const VkImageUsageFlags usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    stored = make_image(VK_FORMAT_R32_SFLOAT, usage | VK_IMAGE_USAGE_STORAGE_BIT);
    sampled = make_image(VK_FORMAT_R8G8_UNORM, usage | VK_IMAGE_USAGE_SAMPLED_BIT);
    const VkDescriptorImageInfo infos[2] = {{VK_NULL_HANDLE, stored.view, VK_IMAGE_LAYOUT_GENERAL},
                                            {make_sampler(), sampled.view, VK_IMAGE_LAYOUT_GENERAL}};
    write(3, nullptr, &infos[0], nullptr);
    write(4, nullptr, &infos[1], nullptr);
    stored_texels = bind_texels(5, VK_FORMAT_R32G32_SFLOAT, 8, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
  }
  void bind_nothing() {
    const VkDescriptorBufferInfo buffer{VK_NULL_HANDLE, 0, VK_WHOLE_SIZE};
    const VkDescriptorImageInfo images_info[2] = {{VK_NULL_HANDLE, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL},
                                                  {make_sampler(), VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL}};
    const VkBufferView view = VK_NULL_HANDLE;
    write(0, &buffer, nullptr, nullptr);
    write(1, &buffer, nullptr, nullptr);
    write(2, nullptr, nullptr, &view);
    write(3, nullptr, &images_info[0], nullptr);
    write(4, nullptr, &images_info[1], nullptr);
    write(5, nullptr, nullptr, &view);
  }

  // Clears images to 1 and runs the program for element i.
  std::array<Vec4, 11> run(int32_t i) {
    const VkDescriptorBufferInfo info{out.buffer, 0, VK_WHOLE_SIZE};
    write(6, &info, nullptr, nullptr);
    std::memset(out.mapped, 0xff, 11 * sizeof(Vec4));
    const VkCommandBuffer commands = begin();
    for (const Image* image : {&stored, &sampled}) {
      if (!image->image) continue;
      VkImageMemoryBarrier ready{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
      ready.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
      ready.newLayout = VK_IMAGE_LAYOUT_GENERAL;
      ready.image = image->image;
      ready.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
      vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                           nullptr, 0, nullptr, 1, &ready);
      const VkClearColorValue ones{{1, 1, 1, 1}};
      vkCmdClearColorImage(commands, image->image, VK_IMAGE_LAYOUT_GENERAL, &ones, 1,
                           &ready.subresourceRange);
    }
    const auto barrier = [commands](VkPipelineStageFlags from, VkAccessFlags written, VkPipelineStageFlags to,
                                    VkAccessFlags read) {
      const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, written, read};
      vkCmdPipelineBarrier(commands, from, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
    };
    barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &i);
    vkCmdDispatch(commands, 1, 1, 1);
    barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
            VK_ACCESS_HOST_READ_BIT);
    submit(commands);
    std::array<Vec4, 11> answers;
    for (uint32_t k = 0; k < answers.size(); k++) answers[k] = out.at<Vec4>(k);
    return answers;
  }
};

constexpr Vec4 kZero{}, kOpaque{0, 0, 0, 1}, kOnes{1, 1, 1, 1};

TEST_F(Robustness2, LimitsAreWithinBounds) {
  VkPhysicalDeviceRobustness2PropertiesEXT limits{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_PROPERTIES_EXT};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &limits};
  vkGetPhysicalDeviceProperties2(physical, &properties);
  EXPECT_TRUE(limits.robustStorageBufferAccessSizeAlignment == 1 ||
              limits.robustStorageBufferAccessSizeAlignment == 4);
  const VkDeviceSize uniform = limits.robustUniformBufferAccessSizeAlignment;
  EXPECT_TRUE(uniform >= 1 && uniform <= 256 && (uniform & (uniform - 1)) == 0);
}

TEST_F(Robustness2, InsideIsReadAndWritten) {
  make_compute();
  bind_all();
  const auto answers = run(0);
  for (const int k : {0, 1, 2, 3}) EXPECT_EQ(answers[k][0], 1) << k;
  EXPECT_EQ(answers[4], (Vec4{1, 0, 0, 1}));
  EXPECT_EQ(answers[5], (Vec4{1, 1, 0, 1}));
  EXPECT_EQ(answers[7], (Vec4{1, 1, 0, 1}));
  EXPECT_EQ(answers[8], (Vec4{kElements, kElements, kElements, 0}));
  EXPECT_EQ(answers[9], (Vec4{16, 16, 16, 16}));
  EXPECT_EQ(answers[10], kOnes);
  EXPECT_EQ(data.at<float>(0), 9);
  EXPECT_EQ(stored_texels.at<float>(1), 9);
}

TEST_F(Robustness2, OutsideIsNotThere) {
  make_compute();
  bind_all();
  for (const int32_t i : {16, 17, -1, INT32_MAX}) {
    const auto answers = run(i);
    EXPECT_EQ(answers[0], kZero) << i;
    EXPECT_EQ(answers[2], kOnes) << i;
    for (const int k : {3, 4, 5, 6, 7}) EXPECT_EQ(answers[k], kOpaque) << i << " " << k;
  }
  // Beyond the bound range, but inside the buffer.
  const auto answers = run(kElements);
  for (const int k : {0, 1}) EXPECT_EQ(answers[k], kZero) << k;
  for (const int k : {3, 7}) EXPECT_EQ(answers[k], kOpaque) << k;
  for (uint32_t k = 0; k < 2 * kElements; k++) {
    EXPECT_EQ(data.at<Vec4>(k), kOnes) << k;
    EXPECT_EQ(stored_texels.at<float>(k), 1) << k;
  }
}

TEST_F(Robustness2, NullDescriptorsReadAsZeros) {
  make_compute();
  bind_nothing();
  for (const int32_t i : {0, 5}) {
    const auto answers = run(i);
    for (uint32_t k = 0; k < answers.size(); k++) EXPECT_EQ(answers[k], kZero) << i << " " << k;
  }
}

// Attributes of two components, beyond the buffer and without a buffer: zeros, and defaults for missing
// components.
TEST_F(Robustness2, VerticesOfNullBuffers) {
  const auto [set_layout, none] =
      make_set({{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, nullptr}});
  PipelineShape shape;
  shape.vertex = make_shader(robust_vert);
  shape.fragment = make_shader(robust_frag);
  shape.layout = make_layout({set_layout});
  shape.pass = make_pass(3);
  shape.colors = 3;
  shape.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  shape.bindings = {{0, 8, VK_VERTEX_INPUT_RATE_VERTEX}};
  shape.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}};
  const VkPipeline points = make_pipeline(shape);
  const VkDescriptorBufferInfo nothing{VK_NULL_HANDLE, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write_null{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write_null.dstSet = none, write_null.descriptorCount = 1;
  write_null.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  write_null.pBufferInfo = &nothing;
  vkUpdateDescriptorSets(device, 1, &write_null, 0, nullptr);
  const Buffer vertices = make_buffer(12, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);  // one and a half
  for (uint32_t i = 0; i < 3; i++) vertices.put(i, 1.0f);
  for (const bool null : {false, true}) {
    const std::array<Image, 3> targets{make_target(), make_target(), make_target()};
    const VkFramebuffer framebuffer =
        make_framebuffer(shape.pass, {targets[0].view, targets[1].view, targets[2].view});
    const VkCommandBuffer commands = begin();
    run_pass(commands, shape.pass, framebuffer, [&, none_ = none](VkCommandBuffer to) {
      const VkBuffer buffer = null ? VK_NULL_HANDLE : vertices.buffer;
      const VkDeviceSize start = 0;
      vkCmdBindPipeline(to, VK_PIPELINE_BIND_POINT_GRAPHICS, points);
      vkCmdBindDescriptorSets(to, VK_PIPELINE_BIND_POINT_GRAPHICS, shape.layout, 0, 1, &none_, 0, nullptr);
      vkCmdBindVertexBuffers(to, 0, 1, &buffer, &start);
      vkCmdDraw(to, 3, 1, 0, 0);
    });
    const Buffer fetched = read_back(commands, targets[0]), block = read_back(commands, targets[2]);
    submit(commands);
    EXPECT_EQ(pixel(fetched, 0, 0), null ? kBlack : (Color{255, 255, 0, 255}));
    EXPECT_EQ(pixel(fetched, 1, 0), kBlack);
    EXPECT_EQ(pixel(fetched, 2, 0), kBlack);
    EXPECT_EQ(pixel(block, 0, 0), Color{});
  }
}

}  // namespace
}  // namespace robustness2_test
