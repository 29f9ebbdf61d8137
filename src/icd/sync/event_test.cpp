#include <thread>

#include "icd/testing/render_fixture.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/white_frag.h"

// Tests events between commands and between host and commands (Vulkan, "Events").
namespace {

using namespace cutaway::icd::testing;

struct Events : Renderer {
  Buffer words;
  VkEvent make_event() {
    const VkEventCreateInfo info{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkEvent event = VK_NULL_HANDLE;
    ok(vkCreateEvent(device, &info, nullptr, &event));
    at_end([this, event] { vkDestroyEvent(device, event, nullptr); });
    return event;
  }
  void SetUp() override {
    Renderer::SetUp();
    words = make_buffer(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  }
  static void wait(VkCommandBuffer commands, VkEvent event, VkPipelineStageFlags stages) {
    vkCmdWaitEvents(commands, 1, &event, stages, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, nullptr, 0, nullptr, 0,
                    nullptr);
  }
  void start(VkCommandBuffer commands) {
    ok(vkEndCommandBuffer(commands));
    VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    ok(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  }
  void wait_on_host(VkEvent event, VkResult status) const {
    for (int i = 0; i < 5000 && vkGetEventStatus(device, event) != status; i++)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(vkGetEventStatus(device, event), status);
  }
};

TEST_F(Events, ASubmissionWaitsForTheHost) {
  const VkEvent half = make_event(), go = make_event();
  const VkCommandBuffer commands = begin();
  vkCmdFillBuffer(commands, words.buffer, 0, 4, 1);
  vkCmdSetEvent(commands, half, VK_PIPELINE_STAGE_TRANSFER_BIT);
  wait(commands, go, VK_PIPELINE_STAGE_HOST_BIT);
  vkCmdFillBuffer(commands, words.buffer, 4, 4, 2);
  vkCmdResetEvent(commands, go, VK_PIPELINE_STAGE_TRANSFER_BIT);
  start(commands);
  wait_on_host(half, VK_EVENT_SET);
  EXPECT_EQ(words.at<uint32_t>(0), 1u);
  EXPECT_EQ(words.at<uint32_t>(1), 0u);
  ok(vkSetEvent(device, go));
  ok(vkQueueWaitIdle(queue));
  EXPECT_EQ(words.at<uint32_t>(1), 2u);
  EXPECT_EQ(vkGetEventStatus(device, go), VK_EVENT_RESET);
}

// A resubmitted command buffer waits again for an event that it resets itself.
TEST_F(Events, AResetInTheSameCommandBufferCounts) {
  const VkEvent reset = make_event(), go = make_event();
  ok(vkSetEvent(device, go));
  const VkCommandBuffer commands = begin();
  vkCmdResetEvent(commands, go, VK_PIPELINE_STAGE_TRANSFER_BIT);
  vkCmdSetEvent(commands, reset, VK_PIPELINE_STAGE_TRANSFER_BIT);
  wait(commands, go, VK_PIPELINE_STAGE_HOST_BIT);
  vkCmdFillBuffer(commands, words.buffer, 0, 4, 7);
  start(commands);
  wait_on_host(reset, VK_EVENT_SET);
  EXPECT_EQ(words.at<uint32_t>(0), 0u);
  ok(vkSetEvent(device, go));
  ok(vkQueueWaitIdle(queue));
  EXPECT_EQ(words.at<uint32_t>(0), 7u);
  messages.clear();  // the layer warns about events that both sides write
}

TEST_F(Events, CommandsWaitForCommands) {
  const VkEvent event = make_event();
  const VkCommandBuffer first = begin(), second = begin();
  vkCmdFillBuffer(first, words.buffer, 0, 4, 1);
  vkCmdSetEvent(first, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
  wait(first, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
  vkCmdFillBuffer(first, words.buffer, 0, 4, 2);
  wait(second, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
  vkCmdFillBuffer(second, words.buffer, 0, 4, 3);
  ok(vkEndCommandBuffer(first));
  ok(vkEndCommandBuffer(second));
  const std::array both{first, second};
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 2;
  info.pCommandBuffers = both.data();
  ok(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  ok(vkQueueWaitIdle(queue));
  EXPECT_EQ(words.at<uint32_t>(0), 3u);
}

// A wait inside a render pass: bindings stay.
TEST_F(Events, ARenderPassGoesOnBehindAWait) {
  const VkEvent go = make_event();
  const VkRenderPass pass = make_pass();
  const Image target = make_target();
  const VkCommandBuffer commands = begin();
  begin_pass(commands, pass, make_framebuffer(pass, {target.view}), VK_SUBPASS_CONTENTS_INLINE,
             {clear_color(1, 0, 0)});
  vkCmdWaitEvents(commands, 1, &go, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                  0, nullptr, 0, nullptr, 0, nullptr);
  const VkClearAttachment green{VK_IMAGE_ASPECT_COLOR_BIT, 0, clear_color(0, 1, 0)};
  const VkClearRect corner{{{0, 0}, {1, 1}}, 0, 1};
  vkCmdClearAttachments(commands, 1, &green, 1, &corner);
  vkCmdEndRenderPass(commands);
  const Buffer picture = read_back(commands, target);
  start(commands);
  ok(vkSetEvent(device, go));
  ok(vkQueueWaitIdle(queue));
  EXPECT_EQ(pixel(picture, 0, 0), kGreen);
  EXPECT_EQ(pixel(picture, 1, 1), kRed);
}

TEST_F(Events, AnEventThatIsSetAndResetIsTheHosts) {
  const VkEvent reset = make_event(), go = make_event();
  const VkCommandBuffer commands = begin();
  vkCmdSetEvent(commands, go, VK_PIPELINE_STAGE_TRANSFER_BIT);
  vkCmdResetEvent(commands, go, VK_PIPELINE_STAGE_TRANSFER_BIT);
  vkCmdSetEvent(commands, reset, VK_PIPELINE_STAGE_TRANSFER_BIT);
  wait(commands, go, VK_PIPELINE_STAGE_HOST_BIT);
  vkCmdFillBuffer(commands, words.buffer, 0, 4, 5);
  start(commands);
  wait_on_host(reset, VK_EVENT_SET);
  EXPECT_EQ(words.at<uint32_t>(0), 0u);
  ok(vkSetEvent(device, go));
  ok(vkQueueWaitIdle(queue));
  EXPECT_EQ(words.at<uint32_t>(0), 5u);
  messages.clear();  // the layer warns about events that both sides write
}

// A draw after a wait for the host needs all of its state again.
TEST_F(Events, ADrawGoesOnBehindAWait) {
  const VkEvent go = make_event();
  PipelineShape shape;
  shape.vertex = make_shader(half_vert);
  shape.fragment = make_shader(white_frag);
  shape.layout = make_layout();
  shape.pass = make_pass();
  const VkPipeline pipeline = make_pipeline(shape);
  const Image target = make_target();
  const VkCommandBuffer commands = begin();
  begin_pass(commands, shape.pass, make_framebuffer(shape.pass, {target.view}));
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vkCmdDraw(commands, 6, 1, 0, 0);
  vkCmdWaitEvents(commands, 1, &go, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                  0, nullptr, 0, nullptr, 0, nullptr);
  vkCmdDraw(commands, 6, 1, 0, 1);
  vkCmdEndRenderPass(commands);
  const Buffer picture = read_back(commands, target);
  start(commands);
  ok(vkSetEvent(device, go));
  ok(vkQueueWaitIdle(queue));
  EXPECT_EQ(pixel(picture, 0, 0), kWhite);
  EXPECT_EQ(pixel(picture, 15, 15), kWhite);
}

struct ConditionalEvents : Events {
  VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT, nullptr, VK_TRUE};
  void SetUp() override {
    more_features = &conditional;
    extensions.push_back(VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME);
    Events::SetUp();
  }
};

// A condition that began before a wait for the host still applies after it.
TEST_F(ConditionalEvents, AConditionHoldsBehindAWait) {
  PFN_vkCmdBeginConditionalRenderingEXT begin_condition = nullptr;
  PFN_vkCmdEndConditionalRenderingEXT end_condition = nullptr;
  load(begin_condition, "vkCmdBeginConditionalRenderingEXT");
  load(end_condition, "vkCmdEndConditionalRenderingEXT");
  const Buffer predicate = make_buffer(16, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT);
  predicate.put<uint32_t>(0, 0), predicate.put<uint32_t>(1, 1);
  const VkRenderPass pass = make_pass();
  const Image target = make_target();
  const VkCommandBuffer commands = begin();
  begin_pass(commands, pass, make_framebuffer(pass, {target.view}), VK_SUBPASS_CONTENTS_INLINE,
             {clear_color(1, 0, 0)});
  VkEvent go[4];
  for (uint32_t i = 0; i < 4; i++) {
    go[i] = make_event();
    const VkConditionalRenderingFlagsEXT flags = i < 2 ? 0 : VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT;
    const VkConditionalRenderingBeginInfoEXT condition{VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
                                                       nullptr, predicate.buffer, i % 2 * 4, flags};
    begin_condition(commands, &condition);
    vkCmdWaitEvents(commands, 1, &go[i], VK_PIPELINE_STAGE_HOST_BIT,
                    VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, nullptr, 0, nullptr, 0, nullptr);
    const VkClearAttachment green{VK_IMAGE_ASPECT_COLOR_BIT, 0, clear_color(0, 1, 0)};
    const VkClearRect column{{{static_cast<int32_t>(4 * i), 0}, {4, kSide}}, 0, 1};
    vkCmdClearAttachments(commands, 1, &green, 1, &column);
    end_condition(commands);
  }
  vkCmdEndRenderPass(commands);
  const Buffer picture = read_back(commands, target);
  start(commands);
  for (const VkEvent event : go) ok(vkSetEvent(device, event));
  ok(vkQueueWaitIdle(queue));
  EXPECT_EQ(pixel(picture, 1, 5), kRed);
  EXPECT_EQ(pixel(picture, 5, 5), kGreen);
  EXPECT_EQ(pixel(picture, 9, 5), kGreen);
  EXPECT_EQ(pixel(picture, 13, 5), kRed);
}

}  // namespace
