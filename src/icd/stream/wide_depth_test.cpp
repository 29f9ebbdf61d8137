#include "icd/testing/render_fixture.h"
#include "icd_testdata/passed_vert.h"
#include "icd_testdata/pushed_frag.h"

// VK_EXT_depth_range_unrestricted: viewports, clears and stored depths beyond 0 and 1.
namespace {

using namespace cutaway::icd::testing;

using Vec4 = std::array<float, 4>;

struct WideDepth : Renderer {
  PipelineShape shape;
  VkRenderPass pass = VK_NULL_HANDLE;
  Buffer vertices;

  void SetUp() override {
    extensions.push_back(VK_EXT_DEPTH_RANGE_UNRESTRICTED_EXTENSION_NAME);
    features.depthClamp = VK_TRUE;
    Renderer::SetUp();
    pass = make_color_depth_pass(VK_FORMAT_D32_SFLOAT);
    shape.vertex = make_shader(passed_vert);
    shape.fragment = make_shader(pushed_frag);
    shape.layout = make_layout({}, sizeof(Vec4));
    shape.pass = pass;
    shape.bindings = {{0, sizeof(Vec4), VK_VERTEX_INPUT_RATE_VERTEX}};
    shape.attributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}};
    shape.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    shape.depth.depthTestEnable = shape.depth.depthWriteEnable = VK_TRUE;
    shape.depth.depthCompareOp = VK_COMPARE_OP_LESS;
    vertices = make_buffer(kSteps * 4 * sizeof(Vec4), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    // Rectangles over everything, at depth i / (kSteps - 1) of the viewport's range.
    for (uint32_t i = 0; i < kSteps; i++)
      for (uint32_t v = 0; v < 4; v++)
        vertices.put(4 * i + v, Vec4{v % 2 ? 1.0f : -1.0f, v / 2 ? 1.0f : -1.0f,
                                     static_cast<float>(i) / static_cast<float>(kSteps - 1), 1});
  }
  static constexpr uint32_t kSteps = 5;

  struct Draw {
    uint32_t step;
    Vec4 color;
  };
  // Clears to a depth, and draws.
  Color drawn(float cleared, const std::vector<Draw>& draws) {
    const VkPipeline pipeline = make_pipeline(shape);
    const Image target = make_target();
    const Image depth = make_image(VK_FORMAT_D32_SFLOAT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    const VkCommandBuffer commands = begin();
    std::vector<VkClearValue> clears(2);
    clears[1].depthStencil.depth = cleared;
    begin_pass(commands, pass, make_framebuffer(pass, {target.view, depth.view}), VK_SUBPASS_CONTENTS_INLINE,
               clears);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    const VkDeviceSize start = 0;
    vkCmdBindVertexBuffers(commands, 0, 1, &vertices.buffer, &start);
    for (const Draw& draw : draws) {
      vkCmdPushConstants(commands, shape.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof draw.color,
                         &draw.color);
      vkCmdDraw(commands, 4, 1, 4 * draw.step, 0);
    }
    vkCmdEndRenderPass(commands);
    const Buffer picture = read_back(commands, target);
    submit(commands);
    return pixel(picture, 7, 9);
  }
};

constexpr Color kNothingDrawn{0, 0, 0, 0};
constexpr Vec4 kAsRed{1, 0, 0, 1}, kAsGreen{0, 1, 0, 1}, kAsBlue{0, 0, 1, 1};

// The range is -2 to 6: depths are -2, 0, 2, 4 and 6.
TEST_F(WideDepth, ViewportsReachBeyondZeroAndOne) {
  shape.viewport.minDepth = -2, shape.viewport.maxDepth = 6;
  EXPECT_EQ(drawn(5, {{3, kAsRed}, {4, kAsGreen}}), kRed);                   // 4 < 5, 6 is not below 4
  EXPECT_EQ(drawn(5, {{3, kAsRed}, {2, kAsGreen}}), kGreen);                 // 2 < 4
  EXPECT_EQ(drawn(-1, {{1, kAsRed}, {0, kAsGreen}, {1, kAsBlue}}), kGreen);  // -2 < -1
  EXPECT_EQ(drawn(3.5f, {{3, kAsRed}}), kNothingDrawn);
}

// Clamped to the range as it is.
TEST_F(WideDepth, DepthClampTakesTheViewportsRange) {
  shape.viewport.minDepth = 2, shape.viewport.maxDepth = 3;
  shape.raster.depthClampEnable = VK_TRUE;
  for (uint32_t v = 0; v < 4; v++) {
    Vec4 vertex = vertices.at<Vec4>(v);
    vertex[2] = 50;  // beyond
    vertices.put(v, vertex);
  }
  EXPECT_EQ(drawn(3.25f, {{0, kAsRed}}), kRed);
  EXPECT_EQ(drawn(2.75f, {{0, kAsRed}}), kNothingDrawn);
}

}  // namespace
