#include "icd/testing/render_fixture.h"
#include "icd_testdata/robust_frag.h"
#include "icd_testdata/robust_vert.h"

// Tests robustBufferAccess: out-of-bounds reads give zeros, and do no harm (Vulkan, "Features").
namespace robust_access_test {
namespace {

using namespace cutaway::icd::testing;

constexpr Color kZero{0, 0, 0, 0};
using Vec4 = std::array<float, 4>;

struct Robust : Renderer {
  static constexpr uint32_t kElements = 2;  // bound vertices and colors
  std::array<Image, 3> targets;
  VkRenderPass pass = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
  Buffer vertices, uniforms, indices;

  void SetUp() override {
    features.robustBufferAccess = VK_TRUE;
    Renderer::SetUp();
    for (Image& target : targets) target = make_target();
    pass = make_pass(3);
    const auto [set_layout, made] =
        make_set({{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, nullptr}});
    set = made;
    layout = make_layout({set_layout});
    PipelineShape shape;
    shape.vertex = make_shader(robust_vert);
    shape.fragment = make_shader(robust_frag);
    shape.layout = layout;
    shape.pass = pass;
    shape.colors = 3;
    shape.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    shape.bindings = {{0, sizeof(Vec4), VK_VERTEX_INPUT_RATE_VERTEX}};
    shape.attributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}};
    pipeline = make_pipeline(shape);

    // Both buffers extend beyond their bound range; another buffer's memory follows.
    vertices = make_buffer(kElements * sizeof(Vec4), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    uniforms = make_buffer(16 * sizeof(Vec4), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    indices = make_buffer(6, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    for (uint32_t i = 0; i < kElements; i++) vertices.put(i, Vec4{1, 0, 0, 1});
    for (uint32_t i = 0; i < 16; i++) uniforms.put(i, i < kElements ? Vec4{0, 1, 0, 1} : Vec4{1, 1, 1, 1});
    for (uint16_t i = 0; i < 3; i++) indices.put(i, static_cast<uint16_t>(i + 1));
    const VkDescriptorBufferInfo bound{uniforms.buffer, 0, kElements * sizeof(Vec4)};
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstSet = set;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    write.pBufferInfo = &bound;
    vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  }

  template <class Draw>
  std::array<Buffer, 3> draw(Draw&& body) {
    const VkCommandBuffer commands = begin();
    begin_pass(commands, pass, make_framebuffer(pass, {targets[0].view, targets[1].view, targets[2].view}),
               VK_SUBPASS_CONTENTS_INLINE, std::vector<VkClearValue>(3, clear_color(0, 0, 1)));
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, nullptr);
    const VkDeviceSize start = 0;
    vkCmdBindVertexBuffers(commands, 0, 1, &vertices.buffer, &start);
    body(commands);
    vkCmdEndRenderPass(commands);
    std::array<Buffer, 3> pictures;
    for (size_t i = 0; i < 3; i++) pictures[i] = read_back(commands, targets[i]);
    submit(commands);
    return pictures;
  }
};

TEST_F(Robust, VerticesAndUniformsBeyondTheirRanges) {
  const auto pictures = draw([](VkCommandBuffer commands) { vkCmdDraw(commands, 6, 1, 0, 0); });
  for (uint32_t x = 0; x < 6; x++) {
    EXPECT_EQ(pixel(pictures[0], x, 0), x < kElements ? kRed : kZero) << x;
    EXPECT_EQ(pixel(pictures[1], x, 0), x < kElements ? kGreen : kZero) << x;
    EXPECT_EQ(pixel(pictures[2], x, 0), kZero) << x;
  }
  EXPECT_EQ(pixel(pictures[0], 7, 0), kBlue);
}

// Addresses beyond the address space.
TEST_F(Robust, VerticesFarAway) {
  const auto pictures = draw([](VkCommandBuffer commands) {
    vkCmdDraw(commands, 2, 1, UINT32_MAX - 1, 0);  // x positions wrap below the left edge: clipped
    vkCmdDraw(commands, 1, 1, 1, 0);
  });
  EXPECT_EQ(pixel(pictures[0], 1, 0), kRed);
}

// Three indices (1, 2, 3) exist; missing ones read as 0.
TEST_F(Robust, IndicesBeyondTheirBuffer) {
  const auto pictures = draw([this](VkCommandBuffer commands) {
    vkCmdBindIndexBuffer(commands, indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexed(commands, 5, 1, 0, 0, 0);
    vkCmdDrawIndexed(commands, 5, 1, 1u << 31, 0, 0);
  });
  for (uint32_t x = 0; x < 5; x++)
    EXPECT_EQ(pixel(pictures[0], x, 0), x < kElements ? kRed : x < 4 ? kZero : kBlue) << x;
  messages.clear();  // the layer reports missing indices
}

}  // namespace
}  // namespace robust_access_test
