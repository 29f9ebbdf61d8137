#include "icd/testing/one_pass_fixture.h"
#include "icd_testdata/passed_frag.h"
#include "icd_testdata/passed_vert.h"
#include "icd_testdata/subgroups_tesc.h"
#include "icd_testdata/subgroups_tese.h"

// Tests that stages of VkPhysicalDeviceSubgroupProperties::supportedStages have the built-ins of subgroups.
namespace {

using namespace cutaway::icd::testing;

struct StageSubgroups : OnePass {
  void SetUp() override {
    features.tessellationShader = VK_TRUE;
    OnePass::SetUp();
  }
};

TEST_F(StageSubgroups, TessellationProgramsHaveTheAdvertisedWidth) {
  VkPhysicalDeviceSubgroupProperties subgroup{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
  VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &subgroup};
  vkGetPhysicalDeviceProperties2(physical, &all);
  EXPECT_EQ(subgroup.subgroupSize, 4u);
  EXPECT_EQ(subgroup.supportedStages, VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_COMPUTE_BIT);
  const Buffer vertices = make_buffer(64, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const Vec4 corners[4] = {{-1, -1, 0, 1}, {-1, 1, 0, 1}, {1, -1, 0, 1}, {1, 1, 0, 1}};
  for (size_t i = 0; i < 4; i++) vertices.put(i, corners[i]);
  shape.vertex = make_shader(passed_vert);
  shape.control = make_shader(subgroups_tesc);
  shape.evaluation = make_shader(subgroups_tese);
  shape.fragment = make_shader(passed_frag);
  shape.layout = make_layout();
  shape.patch_vertices = 4;
  shape.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  shape.bindings = {{0, 16, VK_VERTEX_INPUT_RATE_VERTEX}};
  shape.attributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}};
  const VkPipeline pipeline = make_pipeline(shape);
  const Buffer picture = draw(pipeline, [&](VkCommandBuffer commands) {
    const VkDeviceSize zero = 0;
    vkCmdBindVertexBuffers(commands, 0, 1, &vertices.buffer, &zero);
    vkCmdDraw(commands, 4, 1, 0, 0);
  });
  EXPECT_EQ(pixel(picture, 8, 8), (Color{255, 64, 255, 255}));
}

}  // namespace
