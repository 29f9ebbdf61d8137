#include <numeric>

#include "icd/testing/render_fixture.h"
#include "icd_testdata/count_frag.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/paint_comp.h"
#include "icd_testdata/sum_comp.h"

// Compute pipelines and dispatches; programs that write memory.
namespace {

using namespace cutaway::icd::testing;

struct Compute : Renderer {
  void SetUp() override {
    features.fragmentStoresAndAtomics = VK_TRUE;
    Renderer::SetUp();
  }

  static VkDescriptorSetLayoutBinding binding(uint32_t number, VkDescriptorType type,
                                              VkShaderStageFlags stages = VK_SHADER_STAGE_COMPUTE_BIT) {
    return {number, type, 1, stages, nullptr};
  }
  void write_buffer(VkDescriptorSet set, uint32_t number, const Buffer& buffer,
                    VkDeviceSize bytes = VK_WHOLE_SIZE) {
    const VkDescriptorBufferInfo info{buffer.buffer, 0, bytes};
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstSet = set, write.dstBinding = number, write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = &info;
    vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  }
  VkPipelineLayout make_compute_layout(VkDescriptorSetLayout set, uint32_t push_bytes) {
    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes};
    VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    info.setLayoutCount = 1;
    info.pSetLayouts = &set;
    info.pushConstantRangeCount = push_bytes ? 1 : 0;
    info.pPushConstantRanges = &range;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    ok(vkCreatePipelineLayout(device, &info, nullptr, &layout));
    at_end([this, layout] { vkDestroyPipelineLayout(device, layout, nullptr); });
    return layout;
  }
  VkPipeline make_compute(VkShaderModule shader, VkPipelineLayout layout, const uint32_t* constant = nullptr,
                          VkPipelineCreateFlags flags = 0) {
    const VkSpecializationMapEntry entry{0, 0, 4};
    const VkSpecializationInfo special{1, &entry, 4, constant};
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.flags = flags;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = shader;
    info.stage.pName = "main";
    if (constant) info.stage.pSpecializationInfo = &special;
    info.layout = layout;
    VkPipeline pipeline = VK_NULL_HANDLE;
    ok(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
    at_end([this, pipeline] { vkDestroyPipeline(device, pipeline, nullptr); });
    return pipeline;
  }
  static void barrier(VkCommandBuffer commands, VkAccessFlags to, VkPipelineStageFlags stage,
                      VkPipelineStageFlags from = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) {
    VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    memory.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    memory.dstAccessMask = to;
    vkCmdPipelineBarrier(commands, from, stage, 0, 1, &memory, 0, nullptr, 0, nullptr);
  }
};

TEST_F(Compute, LimitsAreWhatVulkanRequires) {
  VkPhysicalDeviceSubgroupProperties subgroup{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
  VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &subgroup};
  vkGetPhysicalDeviceProperties2(physical, &all);
  const VkPhysicalDeviceLimits& l = all.properties.limits;
  EXPECT_GE(l.maxComputeSharedMemorySize, 16384u);
  EXPECT_GE(l.maxComputeWorkGroupInvocations, 128u);
  for (int i = 0; i < 3; i++) EXPECT_GE(l.maxComputeWorkGroupCount[i], 65535u);
  EXPECT_GE(l.maxPerStageDescriptorStorageBuffers, 4u);
  EXPECT_GE(l.maxPerStageDescriptorStorageImages, 4u);
  EXPECT_TRUE(subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT);
  EXPECT_TRUE(subgroup.supportedOperations & VK_SUBGROUP_FEATURE_BASIC_BIT);
}

// Groups of 128 invocations share memory and wait for each other, on several lane groups.
TEST_F(Compute, SumsInSharedMemory) {
  constexpr uint32_t kSize = 128, kGroups = 6;
  const Buffer in = make_buffer(kSize * kGroups * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const Buffer out = make_buffer(16 + 16 * kGroups, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const Buffer indirect = make_buffer(16, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  for (uint32_t i = 0; i < kSize * kGroups; i++) in.put(i, i * i);
  indirect.put<uint32_t>(1, 2), indirect.put<uint32_t>(2, 1), indirect.put<uint32_t>(3, 1);
  const auto [set_layout, set] = make_set(
      {binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER), binding(1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)});
  write_buffer(set, 0, in);
  write_buffer(set, 1, out);
  const VkPipelineLayout layout = make_compute_layout(set_layout, 4);
  const VkPipeline pipeline =
      make_compute(make_shader(sum_comp), layout, &kSize, VK_PIPELINE_CREATE_DISPATCH_BASE);

  const VkCommandBuffer commands = begin();
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
  uint32_t factor = 3;
  vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &factor);
  vkCmdDispatchIndirect(commands, indirect.buffer, 4);  // groups 0 and 1
  barrier(commands, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  factor = 5;
  vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &factor);
  vkCmdDispatchBase(commands, 2, 0, 0, kGroups - 2, 1, 1);
  barrier(commands, VK_ACCESS_HOST_READ_BIT, VK_PIPELINE_STAGE_HOST_BIT);
  submit(commands);

  uint32_t total = 0;
  for (uint32_t group = 0; group < kGroups; group++) {
    uint32_t sum = 0;
    for (uint32_t i = group * kSize; i < (group + 1) * kSize; i++) sum += i * i * (group < 2 ? 3 : 5);
    total += sum;
    EXPECT_EQ(out.at<uint32_t>(4 + 4 * group), sum) << group;
    EXPECT_EQ(out.at<uint32_t>(5 + 4 * group), group);
    EXPECT_EQ(out.at<uint32_t>(6 + 4 * group), group < 2 ? 2 : kGroups - 2);
    EXPECT_EQ(out.at<uint32_t>(7 + 4 * group), kSize);
  }
  EXPECT_EQ(out.at<uint32_t>(0), total);
  EXPECT_EQ(out.at<uint32_t>(1), kSize * kGroups);
}

struct PushedCompute : Compute {
  void SetUp() override {
    extensions.push_back(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME);
    Compute::SetUp();
  }
};

// VK_KHR_push_descriptor: each dispatch adds what was pushed up to it.
TEST_F(PushedCompute, DispatchesSeeWhatWasPushed) {
  constexpr uint32_t kSize = 4;
  const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  const Buffer in[2] = {make_buffer(4 * kSize, usage), make_buffer(4 * kSize, usage)};
  const Buffer out = make_buffer(64, usage);
  std::memset(out.mapped, 0, 64);
  for (uint32_t i = 0; i < kSize; i++) in[0].put(i, 1u), in[1].put(i, 100u);
  const VkDescriptorSetLayoutBinding bindings[2] = {binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER),
                                                    binding(1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)};
  const VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr,
                                             VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR, 2,
                                             bindings};
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  ok(vkCreateDescriptorSetLayout(device, &info, nullptr, &set_layout));
  at_end([this, set_layout] { vkDestroyDescriptorSetLayout(device, set_layout, nullptr); });
  const VkPipelineLayout layout = make_compute_layout(set_layout, 4);
  const VkPipeline pipeline = make_compute(make_shader(sum_comp), layout, &kSize);
  PFN_vkCmdPushDescriptorSetKHR push_set = nullptr;
  load(push_set, "vkCmdPushDescriptorSetKHR");

  const VkCommandBuffer commands = begin();
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  const uint32_t factor = 2;
  vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &factor);
  for (const Buffer& from : in) {
    const VkDescriptorBufferInfo infos[2] = {{from.buffer, 0, VK_WHOLE_SIZE}, {out.buffer, 0, VK_WHOLE_SIZE}};
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.descriptorCount = 2;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = infos;
    push_set(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &write);
    vkCmdDispatch(commands, 1, 1, 1);
    barrier(commands, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  }
  barrier(commands, VK_ACCESS_HOST_READ_BIT, VK_PIPELINE_STAGE_HOST_BIT);
  submit(commands);
  EXPECT_EQ(out.at<uint32_t>(0), kSize * (1 + 100) * factor);
}

struct ConditionalCompute : Compute {
  VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT, nullptr, VK_TRUE};
  void SetUp() override {
    more_features = &conditional;
    extensions.push_back(VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME);
    Compute::SetUp();
  }
};

// Each dispatch adds its factor once, if its predicate lets it.
TEST_F(ConditionalCompute, APredicateDecidesOnDispatches) {
  const uint32_t size = 1;
  const Buffer in = make_buffer(16, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const Buffer out = make_buffer(64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const Buffer groups = make_buffer(16, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  const Buffer predicates = make_buffer(16, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT);
  in.put<uint32_t>(0, 1);
  for (uint32_t i = 0; i < 3; i++) groups.put<uint32_t>(i, 1);
  predicates.put<uint32_t>(1, 1);
  const auto [set_layout, set] = make_set(
      {binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER), binding(1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)});
  write_buffer(set, 0, in);
  write_buffer(set, 1, out);
  const VkPipelineLayout layout = make_compute_layout(set_layout, 4);
  const VkPipeline pipeline = make_compute(make_shader(sum_comp), layout, &size);
  const auto begin_condition = reinterpret_cast<PFN_vkCmdBeginConditionalRenderingEXT>(
      vkGetDeviceProcAddr(device, "vkCmdBeginConditionalRenderingEXT"));
  const auto end_condition = reinterpret_cast<PFN_vkCmdEndConditionalRenderingEXT>(
      vkGetDeviceProcAddr(device, "vkCmdEndConditionalRenderingEXT"));

  const VkCommandBuffer commands = begin();
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
  const auto add = [&](uint32_t factor, bool indirect) {
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &factor);
    if (indirect) vkCmdDispatchIndirect(commands, groups.buffer, 0);
    else vkCmdDispatch(commands, 1, 1, 1);
  };
  const auto add_if = [&](uint32_t factor, bool indirect, VkDeviceSize offset,
                          VkConditionalRenderingFlagsEXT flags) {
    const VkConditionalRenderingBeginInfoEXT info{VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
                                                  nullptr, predicates.buffer, offset, flags};
    begin_condition(commands, &info);
    add(factor, indirect);
    end_condition(commands);
  };
  constexpr VkConditionalRenderingFlagsEXT kInverted = VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT;
  add(1, false);
  add_if(10, false, 4, 0), add_if(100, false, 0, 0);
  add_if(1'000, false, 0, kInverted), add_if(10'000, false, 4, kInverted);
  add_if(100'000, true, 4, 0), add_if(1'000'000, true, 0, 0);
  add(10'000'000, true);
  barrier(commands, VK_ACCESS_HOST_READ_BIT, VK_PIPELINE_STAGE_HOST_BIT);
  submit(commands);
  EXPECT_EQ(out.at<uint32_t>(0), 10'101'011u);
}

TEST_F(Compute, PaintsAnImage) {
  const Image image = make_image(kFormat, VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
  const Buffer rows = make_buffer(kSide * 4, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
  const Buffer pixels = make_buffer(kSide * kSide * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  VkBufferViewCreateInfo view_info{VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
  view_info.buffer = rows.buffer;
  view_info.format = VK_FORMAT_R32_UINT;
  view_info.range = VK_WHOLE_SIZE;
  VkBufferView view = VK_NULL_HANDLE;
  ok(vkCreateBufferView(device, &view_info, nullptr, &view));
  at_end([this, view] { vkDestroyBufferView(device, view, nullptr); });
  const auto [set_layout, set] = make_set(
      {binding(0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE), binding(1, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER)});
  const VkDescriptorImageInfo image_info{VK_NULL_HANDLE, image.view, VK_IMAGE_LAYOUT_GENERAL};
  std::array<VkWriteDescriptorSet, 2> writes{};
  for (uint32_t i = 0; i < 2; i++) {
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = set, writes[i].dstBinding = i, writes[i].descriptorCount = 1;
  }
  writes[0].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, writes[0].pImageInfo = &image_info;
  writes[1].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, writes[1].pTexelBufferView = &view;
  vkUpdateDescriptorSets(device, 2, writes.data(), 0, nullptr);
  const VkPipelineLayout layout = make_compute_layout(set_layout, 0);
  const VkPipeline pipeline = make_compute(make_shader(paint_comp), layout);

  const VkCommandBuffer commands = begin();
  VkImageMemoryBarrier turn{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  turn.dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  turn.newLayout = VK_IMAGE_LAYOUT_GENERAL;
  turn.srcQueueFamilyIndex = turn.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  turn.image = image.image;
  turn.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &turn);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
  vkCmdDispatch(commands, 5, 5, 1);  // beyond the image
  barrier(commands, VK_ACCESS_TRANSFER_READ_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT);
  VkBufferImageCopy copy{};
  copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  copy.imageExtent = {kSide, kSide, 1};
  vkCmdCopyImageToBuffer(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, pixels.buffer, 1, &copy);
  submit(commands);
  for (uint32_t y = 0; y < kSide; y++) {
    EXPECT_EQ(rows.at<uint32_t>(y), kSide);
    for (uint32_t x = 0; x < kSide; x++)
      ASSERT_EQ(pixels.at<uint32_t>(y * kSide + x), 0xff000000 | y * 16 << 8 | x * 16) << x << ", " << y;
  }
}

struct SliceCompute : Compute {
  VkPhysicalDeviceImage2DViewOf3DFeaturesEXT wanted{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_2D_VIEW_OF_3D_FEATURES_EXT, nullptr, VK_TRUE};
  void SetUp() override {
    more_features = &wanted;
    extensions.push_back(VK_EXT_IMAGE_2D_VIEW_OF_3D_EXTENSION_NAME);
    Compute::SetUp();
  }
};

// VK_EXT_image_2d_view_of_3d: the program knows nothing of the other slices of the level.
TEST_F(SliceCompute, PaintsASliceOfAVolume) {
  constexpr uint32_t kSlices = 4, kSlice = 2, kTexels = kSide * kSide;
  VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.flags = VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT;
  info.imageType = VK_IMAGE_TYPE_3D;
  info.format = kFormat;
  info.extent = {2 * kSide, 2 * kSide, 2 * kSlices};
  info.mipLevels = 2, info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  VkImage volume = VK_NULL_HANDLE;
  ok(vkCreateImage(device, &info, nullptr, &volume));
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device, volume, &needs);
  ok(vkBindImageMemory(device, volume, allocate(needs), 0));
  at_end([this, volume] { vkDestroyImage(device, volume, nullptr); });
  VkImageViewCreateInfo view_info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  view_info.image = volume;
  view_info.viewType = VK_IMAGE_VIEW_TYPE_2D;
  view_info.format = kFormat;
  view_info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, kSlice, 1};
  const VkImageView view = make_view(view_info);
  const Buffer rows = make_buffer(kSide * 4, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
  const Buffer texels = make_buffer(kSlices * kTexels * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  VkBufferViewCreateInfo rows_info{VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
  rows_info.buffer = rows.buffer, rows_info.format = VK_FORMAT_R32_UINT, rows_info.range = VK_WHOLE_SIZE;
  VkBufferView rows_view = VK_NULL_HANDLE;
  ok(vkCreateBufferView(device, &rows_info, nullptr, &rows_view));
  at_end([this, rows_view] { vkDestroyBufferView(device, rows_view, nullptr); });
  const auto [set_layout, set] = make_set(
      {binding(0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE), binding(1, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER)});
  const VkDescriptorImageInfo image_info{VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_GENERAL};
  std::array<VkWriteDescriptorSet, 2> writes{};
  for (uint32_t i = 0; i < 2; i++) {
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = set, writes[i].dstBinding = i, writes[i].descriptorCount = 1;
  }
  writes[0].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, writes[0].pImageInfo = &image_info;
  writes[1].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, writes[1].pTexelBufferView = &rows_view;
  vkUpdateDescriptorSets(device, 2, writes.data(), 0, nullptr);
  const VkPipelineLayout layout = make_compute_layout(set_layout, 0);
  const VkPipeline pipeline = make_compute(make_shader(paint_comp), layout);

  const VkCommandBuffer commands = begin();
  VkImageMemoryBarrier turn{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  turn.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  turn.newLayout = VK_IMAGE_LAYOUT_GENERAL;
  turn.srcQueueFamilyIndex = turn.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  turn.image = volume;
  turn.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 2, 0, 1};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                       nullptr, 0, nullptr, 1, &turn);
  const VkClearColorValue nothing{};
  vkCmdClearColorImage(commands, volume, VK_IMAGE_LAYOUT_GENERAL, &nothing, 1, &turn.subresourceRange);
  turn.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT, turn.dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  turn.oldLayout = VK_IMAGE_LAYOUT_GENERAL;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0,
                       nullptr, 0, nullptr, 1, &turn);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
  vkCmdDispatch(commands, 5, 5, 1);  // beyond the slice
  barrier(commands, VK_ACCESS_TRANSFER_READ_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT);
  VkBufferImageCopy copy{};
  copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 1, 0, 1};
  copy.imageExtent = {kSide, kSide, kSlices};
  vkCmdCopyImageToBuffer(commands, volume, VK_IMAGE_LAYOUT_GENERAL, texels.buffer, 1, &copy);
  submit(commands);
  for (uint32_t i = 0; i < kSlices * kTexels; i++) {
    const uint32_t x = i % kSide, y = i / kSide % kSide;
    ASSERT_EQ(texels.at<uint32_t>(i), i / kTexels == kSlice ? 0xff000000 | y * 16 << 8 | x * 16 : 0) << i;
  }
}

// Helper invocations and fragments outside of the scissor do not count.
TEST_F(Compute, FragmentsCountThemselves) {
  const Buffer counts = make_buffer(17 * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const auto [set_layout, set] =
      make_set({binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_FRAGMENT_BIT)});
  write_buffer(set, 0, counts);
  PipelineShape shape;
  shape.vertex = make_shader(half_vert);
  shape.fragment = make_shader(count_frag);
  shape.layout = make_layout({set_layout});
  shape.pass = make_pass();
  const VkPipeline pipeline = make_pipeline(shape);
  const Image target = make_target();
  const VkFramebuffer framebuffer = make_framebuffer(shape.pass, {target.view});
  const VkCommandBuffer commands = begin();
  begin_pass(commands, shape.pass, framebuffer);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, shape.layout, 0, 1, &set, 0, nullptr);
  vkCmdDraw(commands, 6, 1, 0, 0);  // the left half
  vkCmdEndRenderPass(commands);
  barrier(commands, VK_ACCESS_HOST_READ_BIT, VK_PIPELINE_STAGE_HOST_BIT,
          VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT);
  submit(commands);
  EXPECT_EQ(counts.at<uint32_t>(0), kSide * kSide / 2);
  for (uint32_t y = 0; y < kSide; y++) EXPECT_EQ(counts.at<uint32_t>(1 + y), kSide / 2 - 1);
}

}  // namespace
