#include "icd/testing/one_pass_fixture.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/helper_frag.h"
#include "icd_testdata/passed_frag.h"
#include "icd_testdata/point_vert.h"
#include "icd_testdata/sixteen_vert.h"

// Draws: what shaders know, and vertex bindings.
namespace {

using namespace cutaway::icd::testing;

struct Draws : OnePass {
  void SetUp() override {
    OnePass::SetUp();
    shape.vertex = make_shader(half_vert);
  }
};

// A point of one pixel is shaded with three helpers, what fills a quad with none.
TEST_F(Draws, HelpersKnowThatTheyAre) {
  shape.fragment = make_shader(helper_frag);
  shape.layout = make_layout();
  const VkPipeline whole = make_pipeline(shape);
  shape.vertex = make_shader(point_vert);
  shape.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  const VkPipeline point = make_pipeline(shape);
  const Buffer picture = draw(whole, [&](VkCommandBuffer commands) {
    vkCmdDraw(commands, 6, 1, 0, 0);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, point);
    vkCmdDraw(commands, 1, 1, 3, 0);
  });
  EXPECT_EQ(pixel(picture, 3, 0), (Color{255, 0, 255, 255}));
  EXPECT_EQ(pixel(picture, 4, 8), kBlack);
}

// 16 bindings of the largest stride that every implementation has.
TEST_F(Draws, SixteenVertexBindings) {
  constexpr uint32_t kStride = 2048;
  shape.vertex = make_shader(sixteen_vert);
  shape.fragment = make_shader(passed_frag);
  shape.layout = make_layout();
  for (uint32_t i = 0; i < 16; i++) {
    shape.bindings.push_back({i, kStride, VK_VERTEX_INPUT_RATE_VERTEX});
    shape.attributes.push_back({i, i, VK_FORMAT_R32G32B32A32_SFLOAT, 2032});
  }
  const VkPipeline pipeline = make_pipeline(shape);
  const Buffer vertices = make_buffer(16 * 3 * kStride, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  std::memset(vertices.mapped, 0, 16 * 3 * kStride);
  for (uint32_t i = 0; i < 16; i++)
    for (uint32_t v = 0; v < 3; v++) {
      Vec4 value{};
      value[i % 4] = 0.25f;
      std::memcpy(vertices.mapped + (i * 3 + v) * kStride + 2032, value.data(), sizeof value);
    }
  const Buffer picture = draw(pipeline, [&](VkCommandBuffer commands) {
    const std::array<VkBuffer, 16> buffers = [&] {
      std::array<VkBuffer, 16> all;
      all.fill(vertices.buffer);
      return all;
    }();
    std::array<VkDeviceSize, 16> offsets;
    for (uint32_t i = 0; i < 16; i++) offsets[i] = i * 3 * kStride;
    vkCmdBindVertexBuffers(commands, 0, 16, buffers.data(), offsets.data());
    vkCmdDraw(commands, 3, 1, 0, 0);
  });
  EXPECT_EQ(pixel(picture, 5, 5), kWhite);
}

}  // namespace
