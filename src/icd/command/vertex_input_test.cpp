#include "icd/testing/one_pass_fixture.h"
#include "icd_testdata/dotted_vert.h"
#include "icd_testdata/given_frag.h"
#include "icd_testdata/point_vert.h"
#include "icd_testdata/white_frag.h"

// VK_EXT_vertex_input_dynamic_state and VK_EXT_index_type_uint8.
namespace {

using namespace cutaway::icd::testing;

constexpr uint32_t kVertices = 8, kInstances = 4;

// Attributes and bindings as vkCmdSetVertexInputEXT takes them.
struct Input {
  std::vector<VkVertexInputBindingDescription2EXT> bindings;
  std::vector<VkVertexInputAttributeDescription2EXT> attributes;

  Input& binding(uint32_t number, uint32_t stride, VkVertexInputRate rate, uint32_t divisor = 1) {
    bindings.push_back(
        {VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, nullptr, number, stride, rate, divisor});
    return *this;
  }
  Input& attribute(uint32_t location, uint32_t binding, VkFormat format, uint32_t offset) {
    attributes.push_back({VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT, nullptr, location,
                          binding, format, offset});
    return *this;
  }
};

struct VertexInputs : OnePass {
  VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT divisors{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT, nullptr, VK_TRUE, VK_TRUE};
  VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT wanted{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT, &divisors, VK_TRUE};
  PFN_vkCmdSetVertexInputEXT set_input = nullptr;
  Buffer places, colors;

  void SetUp() override {
    more_features = &wanted;
    extensions.push_back(VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME);
    extensions.push_back(VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME);
    OnePass::SetUp();
    load(set_input, "vkCmdSetVertexInputEXT");
    places = make_buffer(sizeof(float) * 4 * kVertices, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    colors = make_buffer(4 * kVertices, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    for (uint32_t i = 0; i < 2 * kVertices; i++) {
      places.put(2 * i, static_cast<float>((5 * i + 3) % kSide));
      places.put(2 * i + 1, static_cast<float>((3 * i + 1) % kSide));
    }
    for (uint32_t i = 0; i < 4 * kVertices; i++) colors.put(i, static_cast<uint8_t>(11 * i + 7));
    shape.vertex = make_shader(dotted_vert);
    shape.fragment = make_shader(given_frag);
    shape.layout = make_layout();
    shape.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  }

  void bind(VkCommandBuffer commands) const {
    const VkBuffer buffers[2] = {places.buffer, colors.buffer};
    const VkDeviceSize starts[2] = {};
    vkCmdBindVertexBuffers(commands, 1, 2, buffers, starts);
  }
  std::vector<Color> pixels(const Buffer& picture) const {
    std::vector<Color> all;
    for (uint32_t i = 0; i < kSide * kSide; i++) all.push_back(picture.at<Color>(i));
    return all;
  }
  // The picture of pipelines that have the inputs as their own state, or leave them open.
  std::vector<Color> draw_all(const std::vector<Input>& inputs, bool open) {
    std::vector<VkPipeline> pipelines;
    for (const Input& input : inputs) {
      PipelineShape own = shape;
      std::vector<VkVertexInputBindingDivisorDescriptionEXT> steps;
      for (const auto& b : input.bindings) {
        own.bindings.push_back({b.binding, b.stride, b.inputRate});
        if (b.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE) steps.push_back({b.binding, b.divisor});
      }
      for (const auto& a : input.attributes)
        own.attributes.push_back({a.location, a.binding, a.format, a.offset});
      VkPipelineVertexInputDivisorStateCreateInfoEXT divisor{
          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT};
      divisor.vertexBindingDivisorCount = static_cast<uint32_t>(steps.size());
      divisor.pVertexBindingDivisors = steps.data();
      own.more_input = steps.empty() ? nullptr : &divisor;
      if (open) own = shape, own.dynamic = {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT}, own.has_input = false;
      pipelines.push_back(make_pipeline(own));
    }
    return pixels(draw(pipelines[0], [&](VkCommandBuffer commands) {
      bind(commands);
      for (size_t i = 0; i < inputs.size(); i++) {
        const Input& input = inputs[i];
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[open ? 0 : i]);
        if (open)
          set_input(commands, static_cast<uint32_t>(input.bindings.size()), input.bindings.data(),
                    static_cast<uint32_t>(input.attributes.size()), input.attributes.data());
        vkCmdDraw(commands, kVertices / 2, kInstances, 0, 1);
      }
    }));
  }
};

// Formats, offsets, strides, rates and divisors, one after the other with one pipeline.
TEST_F(VertexInputs, DrawWhatPipelinesOfTheirOwnDraw) {
  constexpr VkVertexInputRate kVertex = VK_VERTEX_INPUT_RATE_VERTEX,
                              kInstance = VK_VERTEX_INPUT_RATE_INSTANCE;
  constexpr VkFormat kPlace = VK_FORMAT_R32G32_SFLOAT, kBytes = VK_FORMAT_R8G8B8A8_UNORM;
  const std::vector<Input> inputs{
      Input()
          .binding(1, 8, kVertex)
          .binding(2, 4, kInstance)
          .attribute(0, 1, kPlace, 0)
          .attribute(3, 2, kBytes, 0),
      Input()
          .binding(1, 16, kVertex)
          .binding(2, 4, kVertex)
          .attribute(0, 1, kPlace, 8)
          .attribute(3, 2, kBytes, 4),
      Input()
          .binding(2, 2, kInstance, 2)
          .binding(1, 8, kInstance, 1)
          .attribute(0, 1, kPlace, 16)
          .attribute(3, 2, VK_FORMAT_R8G8_UNORM, 1),
      Input()
          .binding(1, 24, kInstance, 0)
          .binding(2, 4, kVertex)
          .attribute(3, 2, kBytes, 0)
          .attribute(0, 1, kPlace, 0),
  };
  const std::vector<Color> fixed = draw_all(inputs, false), open = draw_all(inputs, true);
  EXPECT_EQ(fixed, open);
  EXPECT_GT(std::count_if(open.begin(), open.end(), [](const Color& c) { return c != kNothing; }), 6);
}

struct ByteIndices : OnePass {
  VkPhysicalDeviceIndexTypeUint8FeaturesEXT wanted{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INDEX_TYPE_UINT8_FEATURES_EXT, nullptr, VK_TRUE};
  void SetUp() override {
    more_features = &wanted;
    extensions.push_back(VK_EXT_INDEX_TYPE_UINT8_EXTENSION_NAME);
    OnePass::SetUp();
    shape.vertex = make_shader(point_vert);
    shape.fragment = make_shader(white_frag);
    shape.layout = make_layout();
  }
  // Columns of row 0 that are drawn by indices behind the first.
  std::vector<uint32_t> columns(VkPrimitiveTopology topology, const std::vector<uint8_t>& indices) {
    shape.topology = topology;
    shape.restart = topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
    const Buffer buffer = make_buffer(indices.size(), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    for (size_t i = 0; i < indices.size(); i++) buffer.put(i, indices[i]);
    const Buffer picture = draw(make_pipeline(shape), [&](VkCommandBuffer commands) {
      vkCmdBindIndexBuffer(commands, buffer.buffer, 1, VK_INDEX_TYPE_UINT8_EXT);
      vkCmdDrawIndexed(commands, static_cast<uint32_t>(indices.size()) - 2, 1, 1, 0, 0);
    });
    std::vector<uint32_t> drawn;
    for (uint32_t x = 0; x < kSide; x++)
      if (pixel(picture, x, 0) != kNothing) drawn.push_back(x);
    return drawn;
  }
};

// The buffer begins at byte 1, and the draw one index behind it.
TEST_F(ByteIndices, AreReadFromAnyByte) {
  EXPECT_EQ(columns(VK_PRIMITIVE_TOPOLOGY_POINT_LIST, {0, 1, 3, 7, 14}), (std::vector<uint32_t>{3, 7, 14}));
}

TEST_F(ByteIndices, TheirGreatestValueRestartsStrips) {
  const std::vector<uint32_t> drawn = columns(VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, {0, 0, 1, 3, 255, 10, 12});
  EXPECT_EQ(drawn, (std::vector<uint32_t>{1, 2, 10, 11}));
}

}  // namespace
