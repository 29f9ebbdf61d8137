#include "icd/testing/render_fixture.h"
#include "icd_testdata/given_frag.h"
#include "icd_testdata/numbered_vert.h"
#include "icd_testdata/point_vert.h"
#include "icd_testdata/pushed_frag.h"

// VK_EXT_multi_draw: points of many draws, which a program tells apart by gl_DrawID.
namespace {

using namespace cutaway::icd::testing;

struct MultiDraw : Renderer {
  VkPhysicalDeviceShaderDrawParametersFeatures parameters{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DRAW_PARAMETERS_FEATURES, nullptr, VK_TRUE};
  VkPhysicalDeviceMultiDrawFeaturesEXT wanted{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT,
                                              &parameters, VK_TRUE};
  PFN_vkCmdDrawMultiEXT draw_multi = nullptr;
  PFN_vkCmdDrawMultiIndexedEXT draw_multi_indexed = nullptr;
  VkRenderPass pass = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline numbered = VK_NULL_HANDLE, plain = VK_NULL_HANDLE;
  Buffer indices;

  void SetUp() override {
    more_features = &wanted;
    extensions.push_back(VK_EXT_MULTI_DRAW_EXTENSION_NAME);
    Renderer::SetUp();
    load(draw_multi, "vkCmdDrawMultiEXT");
    load(draw_multi_indexed, "vkCmdDrawMultiIndexedEXT");
    pass = make_pass();
    layout = make_layout({}, 16);
    PipelineShape shape;
    shape.vertex = make_shader(numbered_vert);
    shape.fragment = make_shader(given_frag);
    shape.layout = layout;
    shape.pass = pass;
    shape.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    numbered = make_pipeline(shape);
    shape.vertex = make_shader(point_vert);
    shape.fragment = make_shader(pushed_frag);
    plain = make_pipeline(shape);
    indices = make_buffer(16, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    for (uint16_t i = 0; i < 8; i++) indices.put(i, static_cast<uint16_t>(7 - i));
  }

  template <class Body>
  Buffer picture_of(bool secondary, VkPipeline pipeline, Body&& body) {
    const Image target = make_target();
    const auto draws = [&](VkCommandBuffer commands) {
      const std::array<float, 4> white{1, 1, 1, 1};
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, 16, white.data());
      vkCmdBindIndexBuffer(commands, indices.buffer, 0, VK_INDEX_TYPE_UINT16);
      body(commands);
    };
    const VkCommandBuffer second = secondary ? record_secondary(pass, draws) : VK_NULL_HANDLE;
    const VkCommandBuffer commands = begin();
    run_pass(commands, pass, make_framebuffer(pass, {target.view}), draws, second);
    const Buffer picture = read_back(commands, target);
    submit(commands);
    return picture;
  }
};

// The pixels that are not as cleared: x, y and color.
using Points = std::vector<std::tuple<uint32_t, uint32_t, Color>>;
Points points_of(const Renderer::Buffer& picture) {
  Points points;
  for (uint32_t y = 0; y < Renderer::kSide; y++)
    for (uint32_t x = 0; x < Renderer::kSide; x++)
      if (const Color color = Renderer::pixel(picture, x, y); color != Color{})
        points.push_back({x, y, color});
  return points;
}

TEST_F(MultiDraw, AsManyAsVulkanRequires) {
  VkPhysicalDeviceMultiDrawPropertiesEXT limits{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_PROPERTIES_EXT};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &limits};
  vkGetPhysicalDeviceProperties2(physical, &properties);
  EXPECT_GE(limits.maxMultiDrawCount, 1024u);
}

// Draws without vertices count, too, and elements may lie apart.
TEST_F(MultiDraw, DrawsAreNumbered) {
  struct Apart {
    VkMultiDrawInfoEXT draw;
    uint32_t between;
  };
  for (const bool secondary : {false, true}) {
    const Buffer picture = picture_of(secondary, numbered, [this](VkCommandBuffer commands) {
      Apart list[3] = {{{4, 2}, 99}, {{0, 0}, 99}, {{6, 1}, 99}};
      draw_multi(commands, 3, &list[0].draw, 1, 3, sizeof(Apart));
      list[0] = list[1] = list[2] = {{9, 9}, 9};
    });
    EXPECT_EQ(points_of(picture),
              (Points{{4, 0, {3, 4, 255, 255}}, {5, 0, {3, 4, 255, 255}}, {6, 2, {3, 6, 255, 255}}}))
        << secondary;
  }
}

TEST_F(MultiDraw, IndexedDrawsHaveOffsetsOfTheirOwnOrOne) {
  const VkMultiDrawIndexedInfoEXT list[2] = {{0, 2, 3}, {4, 1, -1}};  // indices 7, 6 and 3
  constexpr int32_t kOffset = 1;
  for (const bool secondary : {false, true}) {
    const Buffer own = picture_of(secondary, numbered, [&](VkCommandBuffer commands) {
      draw_multi_indexed(commands, 2, list, 1, 0, sizeof list[0], nullptr);
    });
    EXPECT_EQ(points_of(own), (Points{{9, 0, {0, 3, 255, 255}},
                                      {10, 0, {0, 3, 255, 255}},
                                      {2, 1, {0, 0, 255, 255}}}))  // −1 is clamped
        << secondary;
    const Buffer one = picture_of(secondary, numbered, [&](VkCommandBuffer commands) {
      draw_multi_indexed(commands, 2, list, 1, 0, sizeof list[0], &kOffset);
    });
    EXPECT_EQ(points_of(one),
              (Points{{7, 0, {0, 1, 255, 255}}, {8, 0, {0, 1, 255, 255}}, {4, 1, {0, 1, 255, 255}}}))
        << secondary;
  }
}

// A program that does not ask for the number.
TEST_F(MultiDraw, DrawsOfOtherPrograms) {
  const VkMultiDrawInfoEXT list[3] = {{1, 1}, {0, 0}, {8, 2}};
  const VkMultiDrawIndexedInfoEXT indexed[2] = {{0, 1, 5}, {3, 2, 0}};
  const Buffer picture = picture_of(false, plain, [&](VkCommandBuffer commands) {
    draw_multi(commands, 3, list, 1, 0, sizeof list[0]);
    draw_multi(commands, 3, list, 0, 0, sizeof list[0]);
    draw_multi(commands, 0, nullptr, 1, 0, 0);
    draw_multi_indexed(commands, 2, indexed, 1, 0, sizeof indexed[0], nullptr);
  });
  Points expected;
  for (const uint32_t x : {1u, 3u, 4u, 8u, 9u, 12u}) expected.push_back({x, 0, kWhite});
  EXPECT_EQ(points_of(picture), expected);
}

}  // namespace
