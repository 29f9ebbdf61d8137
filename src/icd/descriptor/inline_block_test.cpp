#include "icd/testing/render_fixture.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/inline_block_frag.h"

// Tests VK_EXT_inline_uniform_block: uniforms stored in the descriptor set.
namespace {

using namespace cutaway::icd::testing;
using Vec4 = std::array<float, 4>;

struct Block {
  std::array<Vec4, 3> value;
  uint32_t index;
};

struct InlineBlock : Renderer {
  VkPhysicalDeviceInlineUniformBlockFeatures wanted{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_FEATURES, nullptr, VK_TRUE};
  static constexpr VkDescriptorType kType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  VkDescriptorPool descriptors = VK_NULL_HANDLE;
  VkDescriptorSet sets[2] = {};
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkRenderPass pass = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;

  void SetUp() override {
    more_features = &wanted;
    extensions.push_back(VK_EXT_INLINE_UNIFORM_BLOCK_EXTENSION_NAME);
    Renderer::SetUp();
    // A block before it, so that it is not at the start of the set's memory.
    const VkDescriptorSetLayoutBinding bindings[2] = {{0, kType, 20, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr},
                                                      {1, kType, 52, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}};
    const VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr,
                                               0, 2, bindings};
    ok(vkCreateDescriptorSetLayout(device, &info, nullptr, &set_layout));
    at_end([this] { vkDestroyDescriptorSetLayout(device, set_layout, nullptr); });
    const VkDescriptorPoolInlineUniformBlockCreateInfo blocks{
        VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO, nullptr, 4};
    const VkDescriptorPoolSize size{kType, 2 * 72};
    VkDescriptorPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, &blocks};
    pool_info.maxSets = 3, pool_info.poolSizeCount = 1, pool_info.pPoolSizes = &size;
    ok(vkCreateDescriptorPool(device, &pool_info, nullptr, &descriptors));
    at_end([this] { vkDestroyDescriptorPool(device, descriptors, nullptr); });
    for (VkDescriptorSet& set : sets) ok(allocate_set(set));
    layout = make_layout({set_layout});
    pass = make_pass();
    PipelineShape shape;
    shape.vertex = make_shader(half_vert);
    shape.fragment = make_shader(inline_block_frag);
    shape.layout = layout;
    shape.pass = pass;
    pipeline = make_pipeline(shape);
  }

  VkResult allocate_set(VkDescriptorSet& set) const {
    const VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr,
                                           descriptors, 1, &set_layout};
    return vkAllocateDescriptorSets(device, &info, &set);
  }
  void write(VkDescriptorSet set, uint32_t offset, uint32_t bytes, const void* data,
             uint32_t binding = 1) const {
    const VkWriteDescriptorSetInlineUniformBlock block{
        VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK, nullptr, bytes, data};
    VkWriteDescriptorSet info{
        VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, &block, set, binding, offset, bytes, kType};
    vkUpdateDescriptorSets(device, 1, &info, 0, nullptr);
  }
  Color draw_with(VkDescriptorSet set) {
    const Image target = make_target();
    const VkCommandBuffer commands = begin();
    run_pass(commands, pass, make_framebuffer(pass, {target.view}), [&](VkCommandBuffer to) {
      vkCmdBindPipeline(to, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      vkCmdBindDescriptorSets(to, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, nullptr);
      vkCmdDraw(to, 6, 1, 0, 0);
    });
    const Buffer picture = read_back(commands, target);
    submit(commands);
    return pixel(picture, 3, 3);
  }
};

TEST_F(InlineBlock, ProgramsReadWhatWasWritten) {
  const Block block{{Vec4{1, 0, 0, 0}, Vec4{0, 0, 0, 0}, Vec4{0, 0, 1, 1}}, 2};
  write(sets[0], 0, 52, &block);
  write(sets[0], 0, 20, std::array<float, 5>{0, 1, 0, 1, 1}.data(), 0);  // another block, which is not read
  EXPECT_EQ(draw_with(sets[0]), (Color{255, 0, 255, 255}));
  // Writes part of it again; then copies, which keeps the other bytes.
  const Vec4 green{0, 1, 0, 0};
  write(sets[0], 0, 16, &green);
  EXPECT_EQ(draw_with(sets[0]), (Color{0, 255, 255, 255}));
  write(sets[1], 0, 52, &block);
  VkCopyDescriptorSet copy{VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, nullptr, sets[0], 1, 0, sets[1], 1, 16, 16};
  vkUpdateDescriptorSets(device, 0, nullptr, 1, &copy);
  const uint32_t one = 1;
  write(sets[1], 48, 4, &one);
  EXPECT_EQ(draw_with(sets[1]), (Color{255, 255, 0, 0}));
}

TEST_F(InlineBlock, ByTemplate) {
  const VkDescriptorUpdateTemplateEntry entry{1, 4, 48, kType, 8, 0};
  VkDescriptorUpdateTemplateCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO};
  info.descriptorUpdateEntryCount = 1;
  info.pDescriptorUpdateEntries = &entry;
  info.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET;
  info.descriptorSetLayout = set_layout;
  VkDescriptorUpdateTemplate update = VK_NULL_HANDLE;
  ok(vkCreateDescriptorUpdateTemplate(device, &info, nullptr, &update));
  at_end([this, update] { vkDestroyDescriptorUpdateTemplate(device, update, nullptr); });
  const Block block{{Vec4{0, 0, 0, 0}, Vec4{0, 1, 0, 1}, Vec4{1, 1, 1, 1}}, 1};
  write(sets[0], 0, 4, &block);
  std::array<std::byte, 56> data{};
  std::memcpy(&data[8], reinterpret_cast<const std::byte*>(&block) + 4, 48);
  vkUpdateDescriptorSetWithTemplate(device, sets[0], update, data.data());
  EXPECT_EQ(draw_with(sets[0]), kGreen);
}

// "descriptorCount [...] is interpreted as the number of bytes": also for the pool.
TEST_F(InlineBlock, ThePoolCountsBytes) {
  VkDescriptorSet third = VK_NULL_HANDLE;
  EXPECT_EQ(allocate_set(third), VK_ERROR_OUT_OF_POOL_MEMORY);
  messages.clear();  // the layer checks it too
  ok(vkResetDescriptorPool(device, descriptors, 0));
  EXPECT_EQ(allocate_set(third), VK_SUCCESS);
}

}  // namespace
