#include "icd/testing/one_pass_fixture.h"
#include "icd_testdata/corners_tesc.h"
#include "icd_testdata/corners_vert.h"
#include "icd_testdata/layered_frag.h"
#include "icd_testdata/layered_tese.h"
#include "icd_testdata/layered_vert.h"
#include "icd_testdata/views_frag.h"
#include "icd_testdata/views_geom.h"
#include "icd_testdata/views_tesc.h"
#include "icd_testdata/views_tese.h"

// Layers and viewports that vertex and evaluation programs choose (VK_EXT_shader_viewport_index_layer), and
// multiview behind geometry and tessellation programs.
namespace {

using namespace cutaway::icd::testing;

struct LayeredStages : Renderer {
  VkPhysicalDeviceExtendedDynamicStateFeaturesEXT dynamic{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_FEATURES_EXT, nullptr, VK_TRUE};
  VkPhysicalDeviceMultiviewFeatures views{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES, &dynamic,
                                          VK_TRUE, VK_TRUE, VK_TRUE};

  void SetUp() override {
    more_features = &views;
    extensions.push_back(VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME);
    extensions.push_back(VK_EXT_EXTENDED_DYNAMIC_STATE_EXTENSION_NAME);
    features.multiViewport = features.geometryShader = features.tessellationShader = VK_TRUE;
    Renderer::SetUp();
  }

  // Four instances: each layer has a viewport on the left and one on the right, each with its color.
  void expect_layers_and_viewports(PipelineShape shape, uint32_t vertices) {
    const Image target = make_target(2);
    shape.fragment = make_shader(layered_frag);
    shape.layout = make_layout();
    shape.pass = make_pass();
    shape.dynamic = {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT};
    const VkPipeline pipeline = make_pipeline(shape);
    const VkCommandBuffer commands = begin();
    begin_pass(commands, shape.pass, make_framebuffer(shape.pass, {target.view}, 2));
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    const VkViewport halves[2] = {{0, 0, kSide / 2, kSide, 0, 1}, {kSide / 2, 0, kSide / 2, kSide, 0, 1}};
    const VkRect2D all[2] = {shape.scissor, shape.scissor};
    PFN_vkCmdSetViewportWithCountEXT set_viewports = nullptr;
    PFN_vkCmdSetScissorWithCountEXT set_scissors = nullptr;
    load(set_viewports, "vkCmdSetViewportWithCountEXT");
    load(set_scissors, "vkCmdSetScissorWithCountEXT");
    set_viewports(commands, 2, halves);
    set_scissors(commands, 2, all);
    vkCmdDraw(commands, vertices, 4, 0, 0);
    vkCmdEndRenderPass(commands);
    const Buffer picture = read_back(commands, target);
    submit(commands);
    for (uint32_t layer = 0; layer < 2; layer++)
      for (uint32_t x = 0; x < kSide; x++)
        EXPECT_EQ(pixel(picture, x, 5, layer),
                  (Color{static_cast<uint8_t>(layer ? 255 : 0), static_cast<uint8_t>(x < kSide / 2 ? 0 : 255),
                         255, 255}))
            << "layer " << layer << ", column " << x;
  }

  void expect_columns_of_views(PipelineShape shape, uint32_t vertices) {
    constexpr uint32_t kViews = 0b1011;
    const Image target = make_target(4);
    shape.fragment = make_shader(views_frag);
    shape.layout = make_layout();
    shape.pass = make_pass(1, VK_ATTACHMENT_LOAD_OP_CLEAR, kViews);
    const VkPipeline pipeline = make_pipeline(shape);
    const VkCommandBuffer commands = begin();
    begin_pass(commands, shape.pass, make_framebuffer(shape.pass, {target.view}), VK_SUBPASS_CONTENTS_INLINE,
               {clear_color(0, 0, 1)});
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(commands, vertices, 1, 0, 0);
    vkCmdEndRenderPass(commands);
    const Buffer picture = read_back(commands, target);
    submit(commands);
    for (uint32_t view = 0; view < 4; view++) {
      if (!(kViews >> view & 1)) continue;
      for (uint32_t column = 0; column < 4; column++)
        EXPECT_EQ(pixel(picture, 4 * column + 1, 3, view),
                  column == view ? (Color{255, static_cast<uint8_t>(view), 0, 255}) : kBlue)
            << "view " << view << " column " << column;
    }
  }
};

TEST_F(LayeredStages, VertexProgramsChooseLayerAndViewport) {
  PipelineShape shape;
  shape.vertex = make_shader(layered_vert);
  expect_layers_and_viewports(shape, 6);
}

TEST_F(LayeredStages, EvaluationProgramsChooseLayerAndViewport) {
  PipelineShape shape;
  shape.vertex = make_shader(corners_vert);
  shape.control = make_shader(corners_tesc);
  shape.evaluation = make_shader(layered_tese);
  shape.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  shape.patch_vertices = 4;
  expect_layers_and_viewports(shape, 4);
}

TEST_F(LayeredStages, ViewsAreDrawnThroughTessellation) {
  PipelineShape shape;
  shape.vertex = make_shader(corners_vert);
  shape.control = make_shader(views_tesc);
  shape.evaluation = make_shader(views_tese);
  shape.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  shape.patch_vertices = 4;
  expect_columns_of_views(shape, 4);
}

TEST_F(LayeredStages, ViewsAreDrawnThroughGeometry) {
  PipelineShape shape;
  shape.vertex = make_shader(corners_vert);
  shape.geometry = make_shader(views_geom);
  shape.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  expect_columns_of_views(shape, 1);
}

}  // namespace
