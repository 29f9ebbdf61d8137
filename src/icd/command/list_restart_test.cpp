#include "icd/testing/render_fixture.h"
#include "icd_testdata/four_tesc.h"
#include "icd_testdata/four_tese.h"
#include "icd_testdata/passed_vert.h"
#include "icd_testdata/pushed_frag.h"
#include "icd_testdata/sized_vert.h"

// Tests VK_EXT_primitive_topology_list_restart: a restart drops the incomplete primitive of a list.
namespace list_restart_test {
namespace {

using namespace cutaway::icd::testing;
using Vec4 = std::array<float, 4>;

constexpr uint32_t kVertices = 40, kRestart = ~0u;

struct List {
  VkPrimitiveTopology topology;
  uint32_t vertices;  // of a primitive
};

struct ListRestart : Renderer, ::testing::WithParamInterface<List> {
  VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT wanted{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT, nullptr, VK_TRUE,
      VK_TRUE};
  VkPhysicalDeviceIndexTypeUint8FeaturesEXT bytes{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INDEX_TYPE_UINT8_FEATURES_EXT, &wanted, VK_TRUE};
  VkPhysicalDeviceExtendedDynamicState2FeaturesEXT dynamic{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT, &bytes, VK_TRUE};
  PFN_vkCmdSetPrimitiveRestartEnableEXT set_restart = nullptr;
  VkRenderPass pass = VK_NULL_HANDLE;
  PipelineShape shape;
  Buffer vertices;

  void SetUp() override {
    features.tessellationShader = features.geometryShader = VK_TRUE;
    more_features = &dynamic;
    for (const char* name :
         {VK_EXT_PRIMITIVE_TOPOLOGY_LIST_RESTART_EXTENSION_NAME, VK_EXT_INDEX_TYPE_UINT8_EXTENSION_NAME,
          VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME})
      extensions.push_back(name);
    Renderer::SetUp();
    load(set_restart, "vkCmdSetPrimitiveRestartEnableEXT");
    pass = make_pass();
    const bool points = GetParam().topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    shape.vertex = points ? make_shader(sized_vert) : make_shader(passed_vert);
    shape.fragment = make_shader(pushed_frag);
    shape.layout = make_layout({}, 16), shape.pass = pass, shape.topology = GetParam().topology;
    shape.bindings = {{0, sizeof(Vec4), VK_VERTEX_INPUT_RATE_VERTEX}};
    shape.attributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}};
    if (shape.topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST) {
      shape.control = make_shader(four_tesc), shape.evaluation = make_shader(four_tese);
      shape.patch_vertices = 4;
    }
    shape.adds = true;  // so that each primitive shows
    vertices = make_buffer(kVertices * sizeof(Vec4), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    for (uint32_t i = 0; i < kVertices; i++)
      vertices.put(i, Vec4{static_cast<float>(i * 7 % 16) / 8 - 0.9f,
                           static_cast<float>(i * 5 % 16) / 8 - 0.9f, 0.5f, 1});
  }

  Buffer make_indices(const std::vector<uint32_t>& list, VkIndexType type) {
    const Buffer indices = make_buffer(list.size() * 4, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    for (size_t i = 0; i < list.size(); i++)
      if (type == VK_INDEX_TYPE_UINT32) indices.put(i, list[i]);
      else if (type == VK_INDEX_TYPE_UINT16) indices.put(i, static_cast<uint16_t>(list[i]));
      else indices.put(i, static_cast<uint8_t>(list[i]));
    return indices;
  }
  std::vector<uint32_t> picture_of(VkPipeline pipeline, const std::vector<uint32_t>& list, VkIndexType type,
                                   uint32_t instances) {
    const Buffer indices = make_indices(list, type);
    const Image target = make_target();
    const VkCommandBuffer commands = begin();
    run_pass(commands, pass, make_framebuffer(pass, {target.view}), [&](VkCommandBuffer to) {
      const VkDeviceSize start = 0;
      const Vec4 color{0.125f, 0.25f, 0.0625f, 0.125f};
      set_restart(to, VK_TRUE);
      vkCmdBindPipeline(to, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      vkCmdBindVertexBuffers(to, 0, 1, &vertices.buffer, &start);
      vkCmdBindIndexBuffer(to, indices.buffer, 0, type);
      vkCmdPushConstants(to, shape.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, 16, color.data());
      vkCmdDrawIndexed(to, static_cast<uint32_t>(list.size()), instances, 0, 0, 0);
    });
    const Buffer seen = read_back(commands, target);
    submit(commands);
    std::vector<uint32_t> picture;
    for (uint32_t i = 0; i < kSide * kSide; i++) picture.push_back(seen.at<uint32_t>(i));
    return picture;
  }
};

// Runs of vertices between restarts: whole primitives, incomplete ones, and empty ones.
TEST_P(ListRestart, DropsIncompletePrimitives) {
  const uint32_t n = GetParam().vertices;
  std::vector<uint32_t> restarted, whole;
  uint32_t next = 0;
  for (const uint32_t run : {n, n + n / 2, 0u, 1u, 2 * n, n - 1}) {
    const uint32_t complete = run / n * n;
    for (uint32_t i = 0; i < run; i++, next++) {
      restarted.push_back(next % kVertices);
      if (i < complete) whole.push_back(next % kVertices);
    }
    restarted.push_back(kRestart);
  }
  const VkPipeline plain = make_pipeline(shape);
  shape.restart = true;
  const VkPipeline stated = make_pipeline(shape);
  shape.restart = false, shape.dynamic = {VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE};
  const VkPipeline open = make_pipeline(shape);
  for (const VkIndexType type : {VK_INDEX_TYPE_UINT8_EXT, VK_INDEX_TYPE_UINT16, VK_INDEX_TYPE_UINT32})
    for (const uint32_t instances : {1, 2}) {
      const auto expected = picture_of(plain, whole, type, instances);
      EXPECT_EQ(picture_of(stated, restarted, type, instances), expected) << type;
      EXPECT_EQ(picture_of(open, restarted, type, instances), expected) << type;
      EXPECT_GT(std::count_if(expected.begin(), expected.end(), [](uint32_t pixel) { return pixel != 0; }),
                3);
    }
}

INSTANTIATE_TEST_SUITE_P(Lists, ListRestart,
                         ::testing::Values(List{VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 1},
                                           List{VK_PRIMITIVE_TOPOLOGY_LINE_LIST, 2},
                                           List{VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 3},
                                           List{VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY, 4},
                                           List{VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY, 6},
                                           List{VK_PRIMITIVE_TOPOLOGY_PATCH_LIST, 4}));

}  // namespace
}  // namespace list_restart_test
