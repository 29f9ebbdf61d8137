#include "icd/testing/render_fixture.h"
#include "icd_testdata/four_tesc.h"
#include "icd_testdata/four_tese.h"
#include "icd_testdata/passed_vert.h"
#include "icd_testdata/pushed_frag.h"

// Tests VK_EXT_extended_dynamic_state2: each state set by command, against the pipeline's value.
namespace dynamic_state2_test {
namespace {

using namespace cutaway::icd::testing;
using Vec4 = std::array<float, 4>;

constexpr Color kNothing{0, 0, 0, 0};

struct DynamicState2 : Renderer {
  VkPhysicalDeviceExtendedDynamicState2FeaturesEXT wanted{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT, nullptr, VK_TRUE, VK_TRUE,
      VK_TRUE};
  PFN_vkCmdSetRasterizerDiscardEnableEXT set_discard = nullptr;
  PFN_vkCmdSetDepthBiasEnableEXT set_depth_bias = nullptr;
  PFN_vkCmdSetPrimitiveRestartEnableEXT set_restart = nullptr;
  PFN_vkCmdSetLogicOpEXT set_logic_op = nullptr;
  PFN_vkCmdSetPatchControlPointsEXT set_patch = nullptr;
  VkRenderPass pass = VK_NULL_HANDLE;
  PipelineShape shape;
  Buffer vertices, indices;

  void SetUp() override {
    features.logicOp = features.tessellationShader = VK_TRUE;
    more_features = &wanted;
    extensions.push_back(VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME);
    Renderer::SetUp();
    load(set_discard, "vkCmdSetRasterizerDiscardEnableEXT");
    load(set_depth_bias, "vkCmdSetDepthBiasEnableEXT");
    load(set_restart, "vkCmdSetPrimitiveRestartEnableEXT");
    load(set_logic_op, "vkCmdSetLogicOpEXT");
    load(set_patch, "vkCmdSetPatchControlPointsEXT");
    pass = make_color_depth_pass(VK_FORMAT_D16_UNORM);
    shape.vertex = make_shader(passed_vert);
    shape.fragment = make_shader(pushed_frag);
    shape.layout = make_layout({}, 16);
    shape.pass = pass;
    shape.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    shape.bindings = {{0, sizeof(Vec4), VK_VERTEX_INPUT_RATE_VERTEX}};
    shape.attributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}};
    // Corners of the left half, then of the right half, with a restart between.
    vertices = make_buffer(8 * sizeof(Vec4), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    for (uint32_t i = 0; i < 6; i++)
      vertices.put(i, Vec4{static_cast<float>(i / 2) - 1, i % 2 ? 1.0f : -1.0f, 0.5f, 1});
    indices = make_buffer(32, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    const std::array<uint16_t, 7> list{0, 1, 2, 0xffff, 3, 4, 5};
    for (uint32_t i = 0; i < list.size(); i++) indices.put(i, list[i]);
  }

  // The pipeline's value is the opposite of the first dynamic value.
  VkPipeline make_open(VkDynamicState state) {
    PipelineShape open = shape;
    open.dynamic = {state};
    return make_pipeline(open);
  }
  void draw(VkCommandBuffer commands, VkPipeline pipeline, const Vec4& color) const {
    const VkDeviceSize start = 0;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(commands, 0, 1, &vertices.buffer, &start);
    vkCmdBindIndexBuffer(commands, indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdPushConstants(commands, shape.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, 16, color.data());
  }
  template <class Body>
  Buffer picture_of(bool secondary, Body&& body) {
    const Image target = make_target();
    const Image depth = make_image(VK_FORMAT_D16_UNORM, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    const VkCommandBuffer second = secondary ? record_secondary(pass, body) : VK_NULL_HANDLE;
    const VkCommandBuffer commands = begin();
    std::vector<VkClearValue> values(2);
    values[0] = clear_color(0, 0, 0, 0);
    values[1].depthStencil.depth = 0.5f;
    run_pass(commands, pass, make_framebuffer(pass, {target.view, depth.view}), body, second, values);
    const Buffer picture = read_back(commands, target);
    submit(commands);
    return picture;
  }
};

TEST_F(DynamicState2, Discard) {
  shape.raster.rasterizerDiscardEnable = VK_TRUE;
  const VkPipeline open = make_open(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
  for (const bool secondary : {false, true}) {
    const Buffer picture = picture_of(secondary, [&](VkCommandBuffer commands) {
      set_discard(commands, VK_FALSE);
      draw(commands, open, {1, 0, 0, 1});
      vkCmdDraw(commands, 4, 1, 0, 0);
      set_discard(commands, VK_TRUE);
      vkCmdDraw(commands, 4, 1, 2, 0);
    });
    EXPECT_EQ(pixel(picture, 3, 8), kRed) << secondary;
    EXPECT_EQ(pixel(picture, 12, 8), kNothing) << secondary;
  }
}

// Depth equals the stored depth; bias makes it greater.
TEST_F(DynamicState2, DepthBias) {
  shape.depth.depthTestEnable = VK_TRUE;
  shape.depth.depthCompareOp = VK_COMPARE_OP_GREATER;
  shape.raster.depthBiasConstantFactor = 64;
  const VkPipeline open = make_open(VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE);
  for (const bool secondary : {false, true}) {
    const Buffer picture = picture_of(secondary, [&](VkCommandBuffer commands) {
      set_depth_bias(commands, VK_TRUE);
      draw(commands, open, {1, 0, 0, 1});
      vkCmdDraw(commands, 4, 1, 0, 0);
      set_depth_bias(commands, VK_FALSE);
      vkCmdDraw(commands, 4, 1, 2, 0);
    });
    EXPECT_EQ(pixel(picture, 3, 8), kRed) << secondary;
    EXPECT_EQ(pixel(picture, 12, 8), kNothing) << secondary;
  }
}

// Three vertices on each side of the restart: a triangle at the left end and one at the right.
TEST_F(DynamicState2, PrimitiveRestart) {
  const VkPipeline open = make_open(VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE);
  for (const bool secondary : {false, true}) {
    const Buffer picture = picture_of(secondary, [&](VkCommandBuffer commands) {
      set_restart(commands, VK_TRUE);
      draw(commands, open, {1, 0, 0, 1});
      vkCmdDrawIndexed(commands, 7, 1, 0, 0, 0);
    });
    EXPECT_EQ(pixel(picture, 0, 4), kRed) << secondary;
    EXPECT_EQ(pixel(picture, 15, 11), kRed) << secondary;
    EXPECT_EQ(pixel(picture, 7, 14), kNothing) << secondary;
  }
}

// A patch of four vertices covers the left half; with five there is no patch, and those with two are culled.
TEST_F(DynamicState2, PatchControlPoints) {
  shape.control = make_shader(four_tesc);
  shape.evaluation = make_shader(four_tese);
  shape.patch_vertices = 3;
  shape.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  const VkPipeline open = make_open(VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT);
  for (const bool secondary : {false, true})
    for (const uint32_t count : {4, 5, 2}) {
      const Buffer picture = picture_of(secondary, [&](VkCommandBuffer commands) {
        set_patch(commands, count);
        draw(commands, open, {1, 0, 0, 1});
        vkCmdDraw(commands, 4, 1, 0, 0);
      });
      EXPECT_EQ(pixel(picture, 3, 8), count == 4 ? kRed : kNothing) << secondary << count;
      EXPECT_EQ(pixel(picture, 12, 8), kNothing) << secondary << count;
    }
}

TEST_F(DynamicState2, LogicOperation) {
  shape.logic_op = VK_TRUE;  // VK_LOGIC_OP_CLEAR
  const VkPipeline open = make_open(VK_DYNAMIC_STATE_LOGIC_OP_EXT);
  for (const bool secondary : {false, true}) {
    const Buffer picture = picture_of(secondary, [&](VkCommandBuffer commands) {
      set_logic_op(commands, VK_LOGIC_OP_COPY);
      draw(commands, open, {1, 1, 0, 1});
      vkCmdDraw(commands, 6, 1, 0, 0);
      set_logic_op(commands, VK_LOGIC_OP_XOR);
      draw(commands, open, {1, 0, 1, 0});
      vkCmdDraw(commands, 4, 1, 2, 0);
    });
    EXPECT_EQ(pixel(picture, 3, 8), (Color{255, 255, 0, 255})) << secondary;
    EXPECT_EQ(pixel(picture, 12, 8), (Color{0, 255, 255, 255})) << secondary;
  }
}

}  // namespace
}  // namespace dynamic_state2_test
