#include "icd/testing/one_pass_fixture.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/pushed_frag.h"

// Draws whose arguments, or whose count, lie in memory.
namespace {

using namespace cutaway::icd::testing;

struct Indirect : OnePass {
  VkPipeline pipeline = VK_NULL_HANDLE;
  void SetUp() override {
    features.multiDrawIndirect = features.drawIndirectFirstInstance = VK_TRUE;
    extensions.push_back(VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME);
    OnePass::SetUp();
    shape.vertex = make_shader(half_vert);
    shape.fragment = make_shader(pushed_frag);
    shape.layout = make_layout({}, 16);
    pipeline = make_pipeline(shape);
  }
  void push_red(VkCommandBuffer commands) const {
    const Vec4 red{1, 0, 0, 1};
    vkCmdPushConstants(commands, shape.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof red, red.data());
  }
};

TEST_F(Indirect, DrawsTheirCount) {
  const Buffer arguments = make_buffer(64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  std::memset(arguments.mapped, 0, 64);
  const VkDrawIndirectCommand left{6, 1, 0, 0}, right{6, 1, 0, 1};
  std::memcpy(arguments.mapped + 4, &left, sizeof left);
  std::memcpy(arguments.mapped + 4 + 24, &right, sizeof right);
  for (uint32_t count = 0; count < 3; count++) {
    const Buffer picture = draw(pipeline, [&](VkCommandBuffer commands) {
      push_red(commands);
      vkCmdDrawIndirect(commands, arguments.buffer, 4, count, 24);
    });
    EXPECT_EQ(pixel(picture, 0, 0), count > 0 ? kRed : kNothing) << count;
    EXPECT_EQ(pixel(picture, 15, 0), count > 1 ? kRed : kNothing) << count;
  }
}

TEST_F(Indirect, TheCountMayLieInMemory) {
  const auto draw_count = reinterpret_cast<PFN_vkCmdDrawIndexedIndirectCountKHR>(
      vkGetDeviceProcAddr(device, "vkCmdDrawIndexedIndirectCountKHR"));
  ASSERT_NE(draw_count, nullptr);
  const Buffer indices = make_buffer(12, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  for (uint16_t i = 0; i < 6; i++) indices.put(i, i);
  const Buffer arguments = make_buffer(64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  arguments.put(0, VkDrawIndexedIndirectCommand{6, 1, 0, 0, 0});
  arguments.put(1, VkDrawIndexedIndirectCommand{6, 1, 0, 0, 1});
  arguments.put<uint32_t>(10, 1);
  arguments.put<uint32_t>(11, 7);
  for (uint32_t where : {10u, 11u}) {
    const Buffer picture = draw(pipeline, [&](VkCommandBuffer commands) {
      push_red(commands);
      vkCmdBindIndexBuffer(commands, indices.buffer, 0, VK_INDEX_TYPE_UINT16);
      draw_count(commands, arguments.buffer, 0, arguments.buffer, where * 4, 2,
                 sizeof(VkDrawIndexedIndirectCommand));
    });
    EXPECT_EQ(pixel(picture, 0, 0), kRed);
    EXPECT_EQ(pixel(picture, 15, 0), where == 11 ? kRed : kNothing);
  }
}

// The count is that at the offset given, and never more than the most that the command allows.
TEST_F(Indirect, CountsOfDrawsWithoutIndicesToo) {
  const auto draw_count = reinterpret_cast<PFN_vkCmdDrawIndirectCountKHR>(
      vkGetDeviceProcAddr(device, "vkCmdDrawIndirectCountKHR"));
  ASSERT_NE(draw_count, nullptr);
  const Buffer arguments = make_buffer(64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  arguments.put(1, VkDrawIndirectCommand{6, 1, 0, 0});
  arguments.put(2, VkDrawIndirectCommand{6, 1, 0, 1});
  const Buffer counts = make_buffer(64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  for (const uint32_t most : {1u, 2u})
    for (const uint32_t count : {0u, 1u, 2u, 1000u})
      for (const uint32_t where : {0u, 4u, 5u}) {
        for (uint32_t i = 0; i < 16; i++)
          counts.put<uint32_t>(i, i == where ? count : 2 - std::min(count, 2u));
        const Buffer picture = draw(pipeline, [&](VkCommandBuffer commands) {
          push_red(commands);
          draw_count(commands, arguments.buffer, 16, counts.buffer, where * 4, most,
                     sizeof(VkDrawIndirectCommand));
        });
        EXPECT_EQ(pixel(picture, 0, 0), count > 0 ? kRed : kNothing) << count << " of " << most;
        EXPECT_EQ(pixel(picture, 15, 0), std::min(count, most) > 1 ? kRed : kNothing)
            << count << " of " << most;
      }
}

}  // namespace
