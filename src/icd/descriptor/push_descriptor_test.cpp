#include "icd/testing/render_fixture.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/uniform_frag.h"

// Tests VK_KHR_push_descriptor: descriptors written by commands.
namespace {

using namespace cutaway::icd::testing;
using Vec4 = std::array<float, 4>;

struct PushDescriptor : Renderer {
  static constexpr VkDescriptorType kType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  PFN_vkCmdPushDescriptorSetKHR push_set = nullptr;
  PFN_vkCmdPushDescriptorSetWithTemplateKHR push_template = nullptr;
  VkRenderPass pass = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
  Buffer uniforms;

  void SetUp() override {
    extensions.push_back(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME);
    Renderer::SetUp();
    load(push_set, "vkCmdPushDescriptorSetKHR");
    load(push_template, "vkCmdPushDescriptorSetWithTemplateKHR");
    pass = make_pass();
    layout = make_push_layout();
    pipeline = make_sum();
    // Red, green, blue, opaque black and nothing, 256 bytes apart.
    uniforms = make_buffer(2048, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    std::memset(uniforms.mapped, 0, 2048);
    for (uint32_t i = 0; i < 4; i++) {
      Vec4 color{};
      color[i] = 1;
      uniforms.put(16 * i, color);
    }
  }

  VkDescriptorSetLayout make_set_layout() {
    const VkDescriptorSetLayoutBinding bindings[2] = {{0, kType, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr},
                                                      {1, kType, 2, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}};
    const VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr,
                                               VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR, 2,
                                               bindings};
    VkDescriptorSetLayout made = VK_NULL_HANDLE;
    ok(vkCreateDescriptorSetLayout(device, &info, nullptr, &made));
    at_end([this, made] { vkDestroyDescriptorSetLayout(device, made, nullptr); });
    return made;
  }
  VkPipelineLayout make_push_layout() { return make_layout({make_set_layout()}); }
  VkPipeline make_sum() {
    PipelineShape shape;
    shape.vertex = make_shader(half_vert);
    shape.fragment = make_shader(uniform_frag);
    shape.layout = layout;
    shape.pass = pass;
    return make_pipeline(shape);
  }

  VkDescriptorBufferInfo color(uint32_t index) const { return {uniforms.buffer, 256 * index, 16}; }
  // The program sums all three.
  void push(VkCommandBuffer commands, VkPipelineLayout by, uint32_t binding, uint32_t element,
            const std::vector<VkDescriptorBufferInfo>& buffers) const {
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstBinding = binding, write.dstArrayElement = element;
    write.descriptorCount = static_cast<uint32_t>(buffers.size());
    write.descriptorType = kType;
    write.pBufferInfo = buffers.data();
    push_set(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, by, 0, 1, &write);
  }

  // Draws a picture with commands of a primary, or of a secondary that is executed after `between`.
  template <class Body, class Between>
  Buffer picture_of(bool secondary, Body&& body, Between&& between) {
    const Image target = make_target();
    const VkCommandBuffer second = secondary ? record_secondary(pass, body) : VK_NULL_HANDLE;
    if (secondary) between();
    const VkCommandBuffer commands = begin();
    run_pass(commands, pass, make_framebuffer(pass, {target.view}), body, second);
    const Buffer picture = read_back(commands, target);
    submit(commands);
    return picture;
  }
};

TEST_F(PushDescriptor, AsManyAsVulkanRequires) {
  VkPhysicalDevicePushDescriptorPropertiesKHR limits{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PUSH_DESCRIPTOR_PROPERTIES_KHR};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &limits};
  vkGetPhysicalDeviceProperties2(physical, &properties);
  EXPECT_GE(limits.maxPushDescriptors, 32u);
}

// Each draw sees all earlier pushes. Descriptors not named by a push stay, even across an identically defined
// layout and a change of pipelines.
TEST_F(PushDescriptor, DrawsSeeWhatWasPushed) {
  const VkPipelineLayout alike = make_push_layout();
  const VkPipeline other = make_sum();
  for (const bool secondary : {false, true}) {
    const Buffer picture = picture_of(
        secondary,
        [&](VkCommandBuffer commands) {
          vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
          push(commands, layout, 0, 0, {color(0), color(1), color(3)});  // runs over into binding 1
          vkCmdDraw(commands, 6, 1, 0, 0);
          vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, other);
          push(commands, alike, 1, 0, {color(2)});
          vkCmdDraw(commands, 6, 1, 0, 1);
        },
        [] {});
    EXPECT_EQ(pixel(picture, 0, 0), (Color{255, 255, 0, 255})) << secondary;
    EXPECT_EQ(pixel(picture, 15, 15), (Color{255, 0, 255, 255})) << secondary;
  }
}

// A secondary command buffer is executed after the layout and the template used to record it were destroyed.
TEST_F(PushDescriptor, ByTemplate) {
  const VkDescriptorSetLayout set_layout = make_set_layout();
  for (const bool secondary : {false, true}) {
    VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layout_info.setLayoutCount = 1, layout_info.pSetLayouts = &set_layout;
    VkPipelineLayout by = VK_NULL_HANDLE;
    ok(vkCreatePipelineLayout(device, &layout_info, nullptr, &by));
    const VkDescriptorUpdateTemplateEntry entries[2] = {{1, 0, 2, kType, 8, 40}, {0, 0, 1, kType, 88, 0}};
    VkDescriptorUpdateTemplateCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO};
    info.descriptorUpdateEntryCount = 2;
    info.pDescriptorUpdateEntries = entries;
    info.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR;
    info.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    info.pipelineLayout = by;
    VkDescriptorUpdateTemplate update = VK_NULL_HANDLE;
    ok(vkCreateDescriptorUpdateTemplate(device, &info, nullptr, &update));
    const auto forget = [&, this] {
      vkDestroyDescriptorUpdateTemplate(device, update, nullptr);
      vkDestroyPipelineLayout(device, by, nullptr);
    };
    const Buffer picture = picture_of(
        secondary,
        [&](VkCommandBuffer commands) {
          alignas(8) std::array<std::byte, 112> data{};
          const auto put = [&](size_t offset, const VkDescriptorBufferInfo& buffer) {
            std::memcpy(&data[offset], &buffer, sizeof buffer);
          };
          put(8, color(1)), put(48, color(2)), put(88, color(3));
          vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
          push_template(commands, update, by, 0, data.data());
          data = {};
          vkCmdDraw(commands, 6, 2, 0, 0);
        },
        forget);
    if (!secondary) forget();
    EXPECT_EQ(pixel(picture, 0, 0), (Color{0, 255, 255, 255})) << secondary;
  }
}

// Binding a set replaces pushed descriptors, and vice versa.
TEST_F(PushDescriptor, SetsAndPushesTakeTurns) {
  const auto [set_layout, set] = make_set({{0, kType, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr},
                                           {1, kType, 2, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}});
  const VkPipelineLayout bound_layout = make_layout({set_layout});
  PipelineShape shape;
  shape.vertex = make_shader(half_vert);
  shape.fragment = make_shader(uniform_frag);
  shape.layout = bound_layout;
  shape.pass = pass;
  const VkPipeline bound = make_pipeline(shape);
  const VkDescriptorBufferInfo infos[3] = {color(2), color(4), color(4)};
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = set, write.descriptorCount = 3, write.descriptorType = kType, write.pBufferInfo = infos;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  const Buffer picture = picture_of(
      false,
      [&, set_ = set](VkCommandBuffer commands) {
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        push(commands, layout, 0, 0, {color(0), color(4), color(4)});
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, bound);
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, bound_layout, 0, 1, &set_, 0,
                                nullptr);
        vkCmdDraw(commands, 6, 1, 0, 0);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        push(commands, layout, 0, 0, {color(1), color(4), color(4)});
        vkCmdDraw(commands, 6, 1, 0, 1);
      },
      [] {});
  EXPECT_EQ(pixel(picture, 0, 0), (Color{0, 0, 255, 0}));
  EXPECT_EQ(pixel(picture, 15, 15), (Color{0, 255, 0, 0}));
}

}  // namespace
