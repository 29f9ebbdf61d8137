#include "icd/testing/render_fixture.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/stencil_frag.h"
#include "icd_testdata/white_frag.h"

// VK_EXT_shader_stencil_export: the fragment program gives the reference value.
namespace {

using namespace cutaway::icd::testing;

constexpr Color kMarked{0, 0, 255, 255};

struct StencilExport : Renderer {
  void SetUp() override {
    extensions.push_back(VK_EXT_SHADER_STENCIL_EXPORT_EXTENSION_NAME);
    Renderer::SetUp();
  }
};

// The first draw writes each pixel's column to the stencil; the second passes where it is 5.
TEST_F(StencilExport, EachFragmentHasAReferenceOfItsOwn) {
  constexpr VkFormat kDepthFormat = VK_FORMAT_D24_UNORM_S8_UINT;
  const VkRenderPass pass = make_color_depth_pass(kDepthFormat);
  PipelineShape shape;
  shape.vertex = make_shader(half_vert);
  shape.layout = make_layout();
  shape.pass = pass;
  shape.depth.stencilTestEnable = VK_TRUE;
  shape.depth.front = {
      VK_STENCIL_OP_KEEP, VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS, 0xff, 0xff, 77};
  shape.depth.back = shape.depth.front;
  shape.fragment = make_shader(stencil_frag);
  const VkPipeline marking = make_pipeline(shape);
  shape.depth.front.compareOp = VK_COMPARE_OP_EQUAL;
  shape.depth.front.passOp = VK_STENCIL_OP_KEEP;
  shape.depth.front.reference = 5;
  shape.depth.back = shape.depth.front;
  shape.fragment = make_shader(white_frag);
  const VkPipeline testing = make_pipeline(shape);
  const Image target = make_target();
  const Image depth = make_image(kDepthFormat, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
  const VkCommandBuffer commands = begin();
  begin_pass(commands, pass, make_framebuffer(pass, {target.view, depth.view}));
  for (const VkPipeline pipeline : {marking, testing}) {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(commands, 6, 2, 0, 0);
  }
  vkCmdEndRenderPass(commands);
  const Buffer picture = read_back(commands, target);
  submit(commands);
  for (uint32_t y = 0; y < kSide; y++)
    for (uint32_t x = 0; x < kSide; x++)
      EXPECT_EQ(pixel(picture, x, y), x == 5 ? kWhite : kMarked) << x << ", " << y;
}

}  // namespace
