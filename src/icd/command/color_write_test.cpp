#include "icd/testing/render_fixture.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/two_frag.h"

// VK_EXT_color_write_enable: attachments that a draw leaves alone.
namespace {

using namespace cutaway::icd::testing;

struct ColorWrite : Renderer {
  VkPhysicalDeviceColorWriteEnableFeaturesEXT wanted{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COLOR_WRITE_ENABLE_FEATURES_EXT, nullptr, VK_TRUE};
  PFN_vkCmdSetColorWriteEnableEXT set_writes = nullptr;
  VkRenderPass pass = VK_NULL_HANDLE;
  PipelineShape shape;

  void SetUp() override {
    more_features = &wanted;
    extensions.push_back(VK_EXT_COLOR_WRITE_ENABLE_EXTENSION_NAME);
    Renderer::SetUp();
    load(set_writes, "vkCmdSetColorWriteEnableEXT");
    pass = make_pass(2);
    shape.vertex = make_shader(half_vert);
    shape.fragment = make_shader(two_frag);
    shape.layout = make_layout();
    shape.pass = pass;
    shape.colors = 2;
  }
  VkPipeline fixed(bool first, bool second, const std::vector<VkDynamicState>& dynamic = {}) {
    const VkBool32 on[2] = {first, second};
    const VkPipelineColorWriteCreateInfoEXT writes{VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT,
                                                   nullptr, 2, on};
    PipelineShape changed = shape;
    changed.more_blend = &writes;
    changed.dynamic = dynamic;
    return make_pipeline(changed);
  }
  void set(VkCommandBuffer commands, bool first, bool second) const {
    const VkBool32 on[2] = {first, second};
    set_writes(commands, 2, on);
  }

  template <class Body>
  std::array<Buffer, 2> pictures_of(bool secondary, Body&& body) {
    const std::array<Image, 2> targets{make_target(), make_target()};
    const VkFramebuffer framebuffer = make_framebuffer(pass, {targets[0].view, targets[1].view});
    const VkCommandBuffer second = secondary ? record_secondary(pass, body) : VK_NULL_HANDLE;
    const VkCommandBuffer commands = begin();
    run_pass(commands, pass, framebuffer, body, second);
    const std::array<Buffer, 2> pictures{read_back(commands, targets[0]), read_back(commands, targets[1])};
    submit(commands);
    return pictures;
  }
  static void draw_half(VkCommandBuffer commands, VkPipeline pipeline, uint32_t half) {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(commands, 6, 1, 0, half);
  }
};

TEST_F(ColorWrite, PipelinesLeaveAttachmentsAlone) {
  const VkPipeline first = fixed(true, false), second = fixed(false, true);
  const auto pictures = pictures_of(false, [&](VkCommandBuffer commands) {
    draw_half(commands, first, 0);
    draw_half(commands, second, 1);
  });
  EXPECT_EQ(pixel(pictures[0], 0, 0), kRed);
  EXPECT_EQ(pixel(pictures[1], 0, 0), Color{});
  EXPECT_EQ(pixel(pictures[0], 15, 0), Color{});
  EXPECT_EQ(pixel(pictures[1], 15, 0), kGreen);
}

// Set before and after the pipeline is bound, whose own setting does not count, and with one between that
// leaves nothing open.
TEST_F(ColorWrite, CommandsLeaveAttachmentsAlone) {
  const VkPipeline open = fixed(false, false, {VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT});
  const VkPipeline none = fixed(false, false);
  for (const bool secondary : {false, true}) {
    const auto pictures = pictures_of(secondary, [&](VkCommandBuffer commands) {
      set(commands, false, true);
      draw_half(commands, open, 0);
      draw_half(commands, none, 1);
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, open);
      set(commands, true, false);
      vkCmdDraw(commands, 6, 1, 0, 1);
    });
    EXPECT_EQ(pixel(pictures[0], 0, 0), Color{}) << secondary;
    EXPECT_EQ(pixel(pictures[1], 0, 0), kGreen) << secondary;
    EXPECT_EQ(pixel(pictures[0], 15, 0), kRed) << secondary;
    EXPECT_EQ(pixel(pictures[1], 15, 0), Color{}) << secondary;
  }
}

}  // namespace
