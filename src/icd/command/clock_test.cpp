#include "icd/testing/render_fixture.h"
#include "icd_testdata/clock_comp.h"

// VK_KHR_shader_clock: the clock of an invocation counts its own instructions.
namespace {

using namespace cutaway::icd::testing;

struct ShaderClock : Renderer {
  VkPhysicalDeviceShaderClockFeaturesKHR wanted{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR,
                                                nullptr, VK_TRUE};
  void SetUp() override {
    more_features = &wanted;
    extensions.push_back(VK_KHR_SHADER_CLOCK_EXTENSION_NAME);
    Renderer::SetUp();
  }
};

TEST_F(ShaderClock, TicksAreTheSameForEachRoundOfALoopAndInEachRun) {
  const auto [set_layout, set] =
      make_set({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
  VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout_info.setLayoutCount = 1, layout_info.pSetLayouts = &set_layout;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  ok(vkCreatePipelineLayout(device, &layout_info, nullptr, &layout));
  at_end([this, layout] { vkDestroyPipelineLayout(device, layout, nullptr); });
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT, info.stage.module = make_shader(clock_comp);
  info.stage.pName = "main", info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  ok(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  at_end([this, pipeline] { vkDestroyPipeline(device, pipeline, nullptr); });
  std::vector<uint32_t> first;
  for (int run = 0; run < 2; run++) {
    const Buffer ticks = make_buffer(48, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    const VkDescriptorBufferInfo range{ticks.buffer, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstSet = set, write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, write.pBufferInfo = &range;
    vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
    const VkCommandBuffer commands = begin();
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
    vkCmdDispatch(commands, 1, 1, 1);
    const VkMemoryBarrier host{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_SHADER_WRITE_BIT,
                               VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                         &host, 0, nullptr, 0, nullptr);
    submit(commands);
    const uint32_t round = ticks.at<uint32_t>(1) - ticks.at<uint32_t>(0);
    EXPECT_GT(round, 5u);
    std::vector<uint32_t> all;
    for (uint32_t i = 0; i < 10; i++) all.push_back(ticks.at<uint32_t>(i));
    for (uint32_t i = 0; i < 8; i++) EXPECT_EQ(all[i], all[0] + i * round) << i;
    EXPECT_GT(all[8], all[7]);  // from the program's start
    EXPECT_EQ(all[9], 0u);
    if (run) EXPECT_EQ(all, first);
    first = all;
  }
}

}  // namespace
