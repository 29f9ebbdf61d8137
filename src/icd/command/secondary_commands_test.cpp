#include "icd/testing/render_fixture.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/pushed_frag.h"

// Secondary command buffers (Vulkan, "Secondary Command Buffer Execution").
namespace {

using namespace cutaway::icd::testing;

constexpr VkCommandBufferUsageFlags kInPass = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;

struct Secondary : Renderer {
  VkRenderPass pass = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;

  void SetUp() override {
    features.inheritedQueries = VK_TRUE;
    Renderer::SetUp();
    pass = make_pass();
    layout = make_layout({}, 16);
    PipelineShape shape;
    shape.vertex = make_shader(half_vert);
    shape.fragment = make_shader(pushed_frag);
    shape.layout = layout;
    shape.pass = pass;
    pipeline = make_pipeline(shape);
  }

  VkCommandBuffer begin_secondary(VkCommandBufferUsageFlags flags,
                                  VkFramebuffer framebuffer = VK_NULL_HANDLE) {
    const VkCommandBuffer commands = allocate_commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    begin_again(commands, flags, framebuffer);
    return commands;
  }
  void begin_again(VkCommandBuffer commands, VkCommandBufferUsageFlags flags, VkFramebuffer framebuffer) {
    VkCommandBufferInheritanceInfo inherited{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    if (flags & kInPass) inherited.renderPass = pass;
    inherited.framebuffer = framebuffer;
    const VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, flags,
                                        &inherited};
    ok(vkBeginCommandBuffer(commands, &info));
  }
  void draw_half(VkCommandBuffer commands, uint32_t half, const std::array<float, 4>& color) const {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, 16, color.data());
    vkCmdDraw(commands, 6, 1, 0, half);
  }
  VkCommandBuffer secondary_half(uint32_t half, const std::array<float, 4>& color,
                                 VkCommandBufferUsageFlags flags = 0) {
    const VkCommandBuffer commands = begin_secondary(kInPass | flags);
    draw_half(commands, half, color);
    ok(vkEndCommandBuffer(commands));
    return commands;
  }
};

TEST_F(Secondary, DrawsIntoThePassThatExecutesIt) {
  const VkCommandBuffer halves[2] = {secondary_half(0, {1, 0, 0, 1}), secondary_half(1, {0, 1, 0, 1})};
  const Image target = make_target();
  const VkCommandBuffer commands = begin();
  begin_pass(commands, pass, make_framebuffer(pass, {target.view}),
             VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
  vkCmdExecuteCommands(commands, 2, halves);
  vkCmdEndRenderPass(commands);
  const Buffer picture = read_back(commands, target);
  submit(commands);
  EXPECT_EQ(pixel(picture, 7, 8), kRed);
  EXPECT_EQ(pixel(picture, 8, 8), kGreen);
}

// "VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT": the same one in two primaries and twice in one.
TEST_F(Secondary, MayBeExecutedManyTimes) {
  const VkCommandBuffer half = secondary_half(0, {0, 0, 1, 1}, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  const Image targets[2] = {make_target(), make_target()};
  std::vector<Buffer> pictures;
  std::vector<VkCommandBuffer> primaries;
  for (const Image& target : targets) {
    const VkCommandBuffer commands = begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    begin_pass(commands, pass, make_framebuffer(pass, {target.view}),
               VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(commands, 1, &half);
    vkCmdExecuteCommands(commands, 1, &half);
    vkCmdEndRenderPass(commands);
    pictures.push_back(read_back(commands, target));
    ok(vkEndCommandBuffer(commands));
    primaries.push_back(commands);
  }
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 2;
  info.pCommandBuffers = primaries.data();
  ok(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  ok(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  ok(vkQueueWaitIdle(queue));
  for (const Buffer& picture : pictures) {
    EXPECT_EQ(pixel(picture, 0, 0), kBlue);
    EXPECT_EQ(pixel(picture, 15, 0), (Color{0, 0, 0, 0}));
  }
}

// Commands keep what their pointers showed when they were recorded, outside of passes too.
TEST_F(Secondary, KeepsItsParameters) {
  const Buffer from = make_buffer(64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const Buffer to = make_buffer(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const VkCommandBuffer secondary = begin_secondary(0);
  {
    std::array<uint32_t, 4> data{1, 2, 3, 4};
    vkCmdUpdateBuffer(secondary, from.buffer, 0, sizeof data, data.data());
    data = {};
    VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                            VK_ACCESS_TRANSFER_READ_BIT};
    vkCmdPipelineBarrier(secondary, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1,
                         &barrier, 0, nullptr, 0, nullptr);
    std::array<VkBufferCopy, 2> copies{{{0, 8, 8}, {8, 0, 8}}};
    vkCmdCopyBuffer(secondary, from.buffer, to.buffer, copies.size(), copies.data());
    barrier = {}, copies = {};
  }
  ok(vkEndCommandBuffer(secondary));
  const VkCommandBuffer commands = begin();
  vkCmdExecuteCommands(commands, 1, &secondary);
  submit(commands);
  EXPECT_EQ((to.at<std::array<uint32_t, 4>>(0)), (std::array<uint32_t, 4>{3, 4, 1, 2}));
}

// Feature inheritedQueries.
TEST_F(Secondary, CountsForAQueryThatThePrimaryBegan) {
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_OCCLUSION;
  info.queryCount = 1;
  VkQueryPool queries;
  ok(vkCreateQueryPool(device, &info, nullptr, &queries));
  at_end([this, queries] { vkDestroyQueryPool(device, queries, nullptr); });

  const VkCommandBuffer half = allocate_commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  VkCommandBufferInheritanceInfo inherited{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  inherited.renderPass = pass;
  inherited.occlusionQueryEnable = VK_TRUE;
  const VkCommandBufferBeginInfo begin_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, kInPass,
                                            &inherited};
  ok(vkBeginCommandBuffer(half, &begin_info));
  draw_half(half, 0, {1, 1, 1, 1});
  ok(vkEndCommandBuffer(half));

  const Image target = make_target();
  const VkFramebuffer framebuffer = make_framebuffer(pass, {target.view});
  const VkCommandBuffer commands = begin();
  vkCmdResetQueryPool(commands, queries, 0, 1);
  vkCmdBeginQuery(commands, queries, 0, 0);
  begin_pass(commands, pass, framebuffer, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
  vkCmdExecuteCommands(commands, 1, &half);
  vkCmdEndRenderPass(commands);
  vkCmdEndQuery(commands, queries, 0);
  submit(commands);
  uint32_t samples = 0;
  ok(vkGetQueryPoolResults(device, queries, 0, 1, sizeof samples, &samples, sizeof samples, 0));
  EXPECT_EQ(samples, kSide * kSide / 2);
}

TEST_F(Secondary, CanBeRecordedAnew) {
  const Image target = make_target();
  const VkFramebuffer framebuffer = make_framebuffer(pass, {target.view});
  const VkCommandBuffer half = secondary_half(0, {1, 0, 0, 1});
  ok(vkResetCommandBuffer(half, VK_COMMAND_BUFFER_RESET_RELEASE_RESOURCES_BIT));
  begin_again(half, kInPass, framebuffer);
  draw_half(half, 1, {0, 0, 1, 1});
  ok(vkEndCommandBuffer(half));
  const VkCommandBuffer commands = begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  begin_pass(commands, pass, framebuffer, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
  vkCmdExecuteCommands(commands, 1, &half);
  vkCmdEndRenderPass(commands);
  const Buffer picture = read_back(commands, target);
  submit(commands);
  EXPECT_EQ(pixel(picture, 0, 0), (Color{0, 0, 0, 0}));
  EXPECT_EQ(pixel(picture, 15, 15), kBlue);
  ok(vkResetCommandPool(device, pool, 0));
}

}  // namespace
