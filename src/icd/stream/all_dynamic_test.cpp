#include <algorithm>
#include <random>
#include <set>

#include "icd/testing/dynamic3_fixture.h"

// Tests pipelines that leave all state dynamic that VK_EXT_extended_dynamic_state3 and its forerunners name.
namespace all_dynamic_test {
namespace {

using namespace cutaway::icd::testing;

constexpr VkSampleCountFlagBits kOneSample = VK_SAMPLE_COUNT_1_BIT, kFourSamples = VK_SAMPLE_COUNT_4_BIT;

// The state of one draw.
struct State {
  VkBool32 clamps, clips, from_minus_one, stippled, coverage, one, logic, blends[2];
  VkPolygonMode polygon_mode;
  VkProvokingVertexModeEXT provoking;
  VkLineRasterizationModeEXT line_mode;
  VkSampleMask mask;
  VkLogicOp operation;
  VkColorBlendEquationEXT equation[2];
  VkColorComponentFlags write_mask[2];
  VkPrimitiveTopology topology;
};

State random_state(std::mt19937& random) {
  const auto below = [&random](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  const auto factor = [&] { return static_cast<VkBlendFactor>(below(10)); };
  const auto operation = [&] { return static_cast<VkBlendOp>(below(5)); };
  State s{};
  for (VkBool32* on :
       {&s.clamps, &s.clips, &s.from_minus_one, &s.stippled, &s.coverage, &s.one, &s.blends[0], &s.blends[1]})
    *on = below(2);
  s.logic = below(4) == 0;
  s.polygon_mode = static_cast<VkPolygonMode>(below(2) * below(3));
  s.provoking = static_cast<VkProvokingVertexModeEXT>(below(2));
  s.line_mode = static_cast<VkLineRasterizationModeEXT>(below(3));
  s.mask = below(3) ? 0xf : below(16);
  s.operation = static_cast<VkLogicOp>(below(16));
  for (VkColorBlendEquationEXT& e : s.equation)
    e = {factor(), factor(), operation(), factor(), factor(), operation()};
  for (VkColorComponentFlags& mask : s.write_mask) mask = below(3) ? 0xf : below(16);
  s.topology = static_cast<VkPrimitiveTopology>(below(6));
  return s;
}

// True for state of the library with the stages before the rasterizer.
bool is_of_rasterizer(VkDynamicState state) {
  switch (state) {
    case VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT:
    case VK_DYNAMIC_STATE_SAMPLE_MASK_EXT:
    case VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT:
    case VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT:
    case VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT:
    case VK_DYNAMIC_STATE_LOGIC_OP_EXT:
    case VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT:
    case VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT:
    case VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT:
    case VK_DYNAMIC_STATE_BLEND_CONSTANTS:
      return false;
    default:
      return true;
  }
}

struct AllDynamic : DynamicState3 {
  // The validation layer of 2023 asks for parts of a pipeline that later versions of Vulkan let be absent.
  void SetUp() override {
    validates = false;
    extensions.push_back(VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME);
    extensions.push_back(VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME);
    provoking.pNext = &libraries;
    DynamicState3::SetUp();
  }
  VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT, nullptr, VK_TRUE};

  VkPipeline make_closed(const State& s) {
    PipelineShape closed = shape;
    VkPipelineRasterizationDepthClipStateCreateInfoEXT clip{
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT, nullptr, 0, s.clips};
    VkPipelineRasterizationProvokingVertexStateCreateInfoEXT vertex{
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT, &clip, s.provoking};
    const VkPipelineRasterizationLineStateCreateInfoEXT line{
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        &vertex,
        s.line_mode,
        s.stippled,
        2,
        0xa5};
    const VkPipelineViewportDepthClipControlCreateInfoEXT range{
        VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT, nullptr, s.from_minus_one};
    closed.more_viewport = &range;
    closed.raster.pNext = &line;
    closed.raster.depthClampEnable = s.clamps, closed.raster.polygonMode = s.polygon_mode;
    closed.sample_mask = s.mask;
    closed.alpha_to_coverage = s.coverage, closed.alpha_to_one = s.one;
    closed.logic_op = s.logic, closed.operation = s.operation;
    for (int i = 0; i < 2; i++) {
      const VkColorBlendEquationEXT& e = s.equation[i];
      closed.blends.push_back({s.blends[i], e.srcColorBlendFactor, e.dstColorBlendFactor, e.colorBlendOp,
                               e.srcAlphaBlendFactor, e.dstAlphaBlendFactor, e.alphaBlendOp,
                               s.write_mask[i]});
    }
    closed.topology = s.topology;
    return make_pipeline(closed);
  }
  PipelineShape open_shape() const {
    PipelineShape open = shape;
    open.dynamic = {VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT,
                    VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT,
                    VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT,
                    VK_DYNAMIC_STATE_POLYGON_MODE_EXT,
                    VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT,
                    VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT,
                    VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT,
                    VK_DYNAMIC_STATE_LINE_STIPPLE_EXT,
                    VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT,
                    VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,
                    VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT,
                    VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT,
                    VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT,
                    VK_DYNAMIC_STATE_LOGIC_OP_EXT,
                    VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
                    VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
                    VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT,
                    VK_DYNAMIC_STATE_BLEND_CONSTANTS,
                    VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
                    VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
                    VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
                    VK_DYNAMIC_STATE_CULL_MODE,
                    VK_DYNAMIC_STATE_FRONT_FACE,
                    VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
                    VK_DYNAMIC_STATE_DEPTH_BIAS,
                    VK_DYNAMIC_STATE_LINE_WIDTH};
    return open;
  }
  void set_all(VkCommandBuffer commands, const State& s, VkSampleCountFlagBits samples) const {
    constexpr float kConstants[4] = {};
    set.depth_clamp(commands, s.clamps);
    set.depth_clip(commands, s.clips);
    set.depth_range(commands, s.from_minus_one);
    set.polygon_mode(commands, s.polygon_mode);
    set.provoking_vertex(commands, s.provoking);
    set.line_mode(commands, s.line_mode);
    set.line_stipple(commands, s.stippled);
    set.stipple(commands, 2, 0xa5);
    set.samples(commands, samples);
    set.sample_mask(commands, samples, &s.mask);
    set.alpha_to_coverage(commands, s.coverage);
    set.alpha_to_one(commands, s.one);
    set.logic_op_on(commands, s.logic);
    set.logic_op(commands, s.operation);
    set.blend_on(commands, 0, 2, s.blends);
    set.equation(commands, 0, 2, s.equation);
    set.write_mask(commands, 0, 2, s.write_mask);
    vkCmdSetBlendConstants(commands, kConstants);
    set.topology(commands, s.topology);
    set.restart(commands, VK_FALSE);
    set.discard(commands, VK_FALSE);
    set.cull_mode(commands, VK_CULL_MODE_NONE);
    set.front_face(commands, VK_FRONT_FACE_CLOCKWISE);
    set.depth_bias_on(commands, VK_FALSE);
    vkCmdSetDepthBias(commands, 0, 0, 0);
    vkCmdSetLineWidth(commands, 1);
  }
  // Two libraries: the stages before the rasterizer, and the rest, each with its part of the dynamic state.
  VkPipeline link(PipelineShape open) {
    const auto output = std::stable_partition(open.dynamic.begin(), open.dynamic.end(), is_of_rasterizer);
    const std::vector<VkDynamicState> of_output(output, open.dynamic.end());
    open.dynamic.erase(output, open.dynamic.end());
    VkGraphicsPipelineLibraryCreateInfoEXT parts{
        VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, nullptr,
        VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
            VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT};
    open.more = &parts, open.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    const VkPipeline first = make_pipeline(open);
    open.dynamic = of_output;
    parts.flags = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
                  VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;
    const VkPipeline both[2] = {first, make_pipeline(open)};
    VkPipelineLibraryCreateInfoKHR linked{VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, nullptr, 2,
                                          both};
    VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &linked};
    info.layout = shape.layout;
    VkPipeline made = VK_NULL_HANDLE;
    ok(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &made));
    at_end([this, made] { vkDestroyPipeline(device, made, nullptr); });
    return made;
  }
};

TEST_F(AllDynamic, DrawsWhatPipelinesDraw) {
  std::mt19937 random(3);
  std::set<Picture> different;
  constexpr int kRounds = 40, kDraws = 4;
  for (const VkSampleCountFlagBits samples : {kOneSample, kFourSamples}) {
    const VkRenderPass pass = make_pass_of(samples);
    shape.pass = pass, shape.samples = kOneSample;
    PipelineShape absent = open_shape();
    absent.gives_all = false;
    const VkPipeline open[] = {make_pipeline(open_shape()), make_pipeline(absent), link(open_shape())};
    shape.samples = samples;
    for (int round = 0; round < kRounds; round++) {
      std::vector<State> states;
      std::vector<VkPipeline> closed;
      for (int i = 0; i < kDraws; i++) {
        states.push_back(random_state(random));
        closed.push_back(make_closed(states.back()));
      }
      const auto drawing = [&](auto pipeline_of) {
        return [&, pipeline_of](VkCommandBuffer commands) {
          for (int i = 0; i < kDraws; i++) {
            set_all(commands, states[i], samples);
            draw(commands, pipeline_of(i));
          }
        };
      };
      const Picture fixed = picture_of(pass, samples, drawing([&](int i) { return closed[i]; }));
      different.insert(fixed);
      for (const VkPipeline one : open)
        EXPECT_EQ(picture_of(pass, samples, drawing([&](int) { return one; })), fixed) << round;
      const auto mixed = [&](int i) { return i % 2 ? open[0] : closed[i]; };
      EXPECT_EQ(picture_of(pass, samples, drawing(mixed), true), fixed) << round;
    }
  }
  EXPECT_EQ(different.size(), 2u * kRounds);
}

// A device without alphaToOne has no need to say it.
TEST_F(AllDynamic, AlphaToOneIsOffWhereNothingSaysIt) {
  std::mt19937 random(4);
  State off = random_state(random), on = off;
  off.one = VK_FALSE, on.one = VK_TRUE;
  const VkRenderPass pass = make_pass_of(kFourSamples);
  shape.pass = pass, shape.samples = kFourSamples;
  PipelineShape absent = open_shape();
  absent.gives_all = false;
  std::erase(absent.dynamic, VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT);
  const VkPipeline open = make_pipeline(absent), closed = make_closed(off);
  const auto drawing = [&](VkPipeline pipeline) {
    return [&, pipeline](VkCommandBuffer commands) {
      set_all(commands, on, kFourSamples);
      draw(commands, pipeline);
    };
  };
  EXPECT_EQ(picture_of(pass, kFourSamples, drawing(open)), picture_of(pass, kFourSamples, drawing(closed)));
}

// "vkEndCommandBuffer" tells of values that the driver does not have.
TEST_F(AllDynamic, ValuesThatTheDeviceDoesNotHaveAreRefused) {
  const VkColorBlendEquationEXT advanced{VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD,
                                         VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_MULTIPLY_EXT};
  const std::pair<const char*, std::function<void(VkCommandBuffer)>> wrong[] = {
      {"polygon mode 1000153000", [&](auto c) { set.polygon_mode(c, VK_POLYGON_MODE_FILL_RECTANGLE_NV); }},
      {"a pipeline of 16 samples per pixel", [&](auto c) { set.samples(c, VK_SAMPLE_COUNT_16_BIT); }},
      {"a pipeline of 5 samples per pixel",
       [&](auto c) { set.samples(c, static_cast<VkSampleCountFlagBits>(kFourSamples | kOneSample)); }},
      {"an advanced blend operation", [&](auto c) { set.equation(c, 0, 1, &advanced); }}};
  for (const auto& [name, call] : wrong) {
    const VkCommandBuffer commands = begin();
    ::testing::internal::CaptureStderr();
    call(commands);
    EXPECT_EQ(vkEndCommandBuffer(commands), VK_ERROR_FEATURE_NOT_PRESENT) << name;
    EXPECT_NE(::testing::internal::GetCapturedStderr().find(name), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace all_dynamic_test
