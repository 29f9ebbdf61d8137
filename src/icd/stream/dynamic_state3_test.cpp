#include <deque>

#include "icd/testing/dynamic3_fixture.h"

// Tests VK_EXT_extended_dynamic_state3: each state set by command draws what the pipeline's own draws.
namespace dynamic_state3_test {
namespace {

using namespace cutaway::icd::testing;

constexpr uint32_t kMostValues = 4;

// A state with some values. `state` puts a value into a pipeline;
struct StateCase {
  std::string name;
  VkDynamicState dynamic;
  uint32_t values;
  VkSampleCountFlagBits samples;
  std::function<void(DynamicState3&, DynamicState3::PipelineShape&, uint32_t value)> state;
  std::function<void(const DynamicState3::Calls&, VkCommandBuffer, uint32_t value)> command;
};

// Structures for pNext chains that live as long as the test, one for each value.
template <class Struct>
Struct* chained(const Struct& from) {
  static std::deque<Struct> all;
  return &all.emplace_back(from);
}

constexpr VkPolygonMode kPolygonModes[] = {VK_POLYGON_MODE_FILL, VK_POLYGON_MODE_LINE, VK_POLYGON_MODE_POINT};
constexpr VkLineRasterizationModeEXT kLineModes[] = {VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT,
                                                     VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
                                                     VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH_EXT};
constexpr VkSampleMask kMasks[] = {0xf, 0x5, 0x8, 0};
constexpr VkColorComponentFlags kWriteMasks[4][2] = {{0xf, 0xf}, {0x5, 0xe}, {0, 0xf}, {0, 0}};
constexpr VkColorBlendEquationEXT kEquations[] = {
    {VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ZERO,
     VK_BLEND_OP_ADD},
    {VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE,
     VK_BLEND_FACTOR_ONE, VK_BLEND_OP_MAX},
    {VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_REVERSE_SUBTRACT, VK_BLEND_FACTOR_ZERO,
     VK_BLEND_FACTOR_ONE, VK_BLEND_OP_SUBTRACT}};

VkPipelineColorBlendAttachmentState target(bool blend, const VkColorBlendEquationEXT& e,
                                           VkColorComponentFlags mask) {
  return {blend,
          e.srcColorBlendFactor,
          e.dstColorBlendFactor,
          e.colorBlendOp,
          e.srcAlphaBlendFactor,
          e.dstAlphaBlendFactor,
          e.alphaBlendOp,
          mask};
}

void state_lines(DynamicState3::PipelineShape& shape, VkLineRasterizationModeEXT mode, bool stippled) {
  shape.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
  shape.raster.pNext = chained(VkPipelineRasterizationLineStateCreateInfoEXT{
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT, nullptr, mode, stippled, 2, 0xa5});
}

StateCase depth_clip(bool clamps) {
  return {
      clamps ? "DepthClipOfClampedDepths" : "DepthClip",
      VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT,
      2,
      VK_SAMPLE_COUNT_1_BIT,
      [clamps](auto&, auto& shape, uint32_t value) {
        shape.raster.depthClampEnable = clamps;
        shape.raster.pNext = chained(VkPipelineRasterizationDepthClipStateCreateInfoEXT{
            VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT, nullptr, 0, value});
      },
      [](auto& set, auto commands, uint32_t value) { set.depth_clip(commands, value); }};
}

StateCase depth_range(VkDynamicState more) {
  const bool dynamic = more == VK_DYNAMIC_STATE_VIEWPORT;
  return {dynamic ? "DepthRangeOfDynamicViewports" : "DepthRange",
          VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT,
          2,
          VK_SAMPLE_COUNT_1_BIT,
          [dynamic](auto&, auto& shape, uint32_t value) {
            shape.viewport.minDepth = 0.125f, shape.viewport.maxDepth = 0.75f;
            if (dynamic) shape.dynamic.push_back(VK_DYNAMIC_STATE_VIEWPORT);
            shape.more_viewport = chained(VkPipelineViewportDepthClipControlCreateInfoEXT{
                VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT, nullptr, value});
          },
          [](auto& set, auto commands, uint32_t value) { set.depth_range(commands, value); }};
}

std::vector<StateCase> raster_cases() {
  return {
      {"DepthClamp", VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT, 2, VK_SAMPLE_COUNT_1_BIT,
       [](auto&, auto& shape, uint32_t value) { shape.raster.depthClampEnable = value; },
       [](auto& set, auto commands, uint32_t value) { set.depth_clamp(commands, value); }},
      depth_clip(false),
      depth_clip(true),
      depth_range(VK_DYNAMIC_STATE_MAX_ENUM),
      depth_range(VK_DYNAMIC_STATE_VIEWPORT),
      {"PolygonMode", VK_DYNAMIC_STATE_POLYGON_MODE_EXT, 3, VK_SAMPLE_COUNT_1_BIT,
       [](auto&, auto& shape, uint32_t value) { shape.raster.polygonMode = kPolygonModes[value]; },
       [](auto& set, auto commands, uint32_t value) { set.polygon_mode(commands, kPolygonModes[value]); }},
      {"ProvokingVertex", VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT, 2, VK_SAMPLE_COUNT_1_BIT,
       [](auto&, auto& shape, uint32_t value) {
         shape.raster.pNext = chained(VkPipelineRasterizationProvokingVertexStateCreateInfoEXT{
             VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT, nullptr,
             static_cast<VkProvokingVertexModeEXT>(value)});
       },
       [](auto& set, auto commands, uint32_t value) {
         set.provoking_vertex(commands, static_cast<VkProvokingVertexModeEXT>(value));
       }},
      {"LineMode", VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT, 3, VK_SAMPLE_COUNT_1_BIT,
       [](auto&, auto& shape, uint32_t value) { state_lines(shape, kLineModes[value], false); },
       [](auto& set, auto commands, uint32_t value) { set.line_mode(commands, kLineModes[value]); }},
      {"LineStipple", VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT, 2, VK_SAMPLE_COUNT_1_BIT,
       [](auto&, auto& shape, uint32_t value) { state_lines(shape, kLineModes[1], value); },
       [](auto& set, auto commands, uint32_t value) { set.line_stipple(commands, value); }},
  };
}

StateCase sample_mask() {
  return {"SampleMask",
          VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,
          4,
          VK_SAMPLE_COUNT_4_BIT,
          [](auto&, auto& shape, uint32_t value) { shape.sample_mask = kMasks[value]; },
          [](auto& set, auto commands, uint32_t value) {
            set.sample_mask(commands, VK_SAMPLE_COUNT_4_BIT, &kMasks[value]);
          }};
}

std::vector<StateCase> color_cases() {
  return {
      sample_mask(),
      {"AlphaToCoverage", VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT, 2, VK_SAMPLE_COUNT_4_BIT,
       [](auto&, auto& shape, uint32_t value) {
         shape.alpha_to_coverage = value;
         // The alpha of a target that is not written counts.
         shape.blends = {target(false, kEquations[0], 0), target(false, kEquations[0], 0xf)};
       },
       [](auto& set, auto commands, uint32_t value) { set.alpha_to_coverage(commands, value); }},
      {"AlphaToOne", VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT, 2, VK_SAMPLE_COUNT_1_BIT,
       [](auto&, auto& shape, uint32_t value) { shape.alpha_to_one = value; },
       [](auto& set, auto commands, uint32_t value) { set.alpha_to_one(commands, value); }},
      {"LogicOperation", VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, 2, VK_SAMPLE_COUNT_1_BIT,
       [](auto&, auto& shape, uint32_t value) { shape.logic_op = value, shape.operation = VK_LOGIC_OP_XOR; },
       [](auto& set, auto commands, uint32_t value) { set.logic_op_on(commands, value); }},
      {"BlendEnable", VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, 4, VK_SAMPLE_COUNT_1_BIT,
       [](auto&, auto& shape, uint32_t value) {
         shape.blends = {target(value & 1, kEquations[0], 0xf), target(value & 2, kEquations[2], 0xf)};
       },
       [](auto& set, auto commands, uint32_t value) {
         const VkBool32 on[2] = {value & 1, value >> 1};
         set.blend_on(commands, 0, 1, on);
         set.blend_on(commands, 1, 1, on + 1);
       }},
      {"BlendEquation", VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, 3, VK_SAMPLE_COUNT_1_BIT,
       [](auto&, auto& shape, uint32_t value) {
         shape.blends = {target(true, kEquations[value], 0xf),
                         target(true, kEquations[(value + 1) % 3], 0xf)};
       },
       [](auto& set, auto commands, uint32_t value) {
         const VkColorBlendEquationEXT both[2] = {kEquations[value], kEquations[(value + 1) % 3]};
         set.equation(commands, 0, 2, both);
       }},
      {"WriteMask", VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, 4, VK_SAMPLE_COUNT_1_BIT,
       [](auto&, auto& shape, uint32_t value) {
         shape.blends = {target(false, kEquations[0], kWriteMasks[value][0]),
                         target(true, kEquations[0], kWriteMasks[value][1])};
       },
       [](auto& set, auto commands, uint32_t value) { set.write_mask(commands, 0, 2, kWriteMasks[value]); }},
  };
}

struct EachState : DynamicState3, ::testing::WithParamInterface<StateCase> {
  PipelineShape stated(VkRenderPass pass, uint32_t value) {
    PipelineShape made = shape;
    made.pass = pass, made.samples = GetParam().samples;
    GetParam().state(*this, made, value);
    return made;
  }
  // The pipeline's own value is another than each that is set.
  VkPipeline make_open(VkRenderPass pass, uint32_t value) {
    PipelineShape open = stated(pass, (value + 1) % GetParam().values);
    open.dynamic.push_back(GetParam().dynamic);
    return make_pipeline(open);
  }
  std::function<void(VkCommandBuffer)> drawing(VkPipeline pipeline, uint32_t value, bool before) {
    return [this, pipeline, value, before](VkCommandBuffer commands) {
      vkCmdSetViewport(commands, 0, 1, &viewport);
      if (!before) vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      GetParam().command(set, commands, value);
      draw(commands, pipeline);
    };
  }
  VkViewport viewport{0, 0, kSide, kSide, 0.125f, 0.75f};
};

TEST_P(EachState, DrawsWhatThePipelinesOwnDraws) {
  const StateCase& state = GetParam();
  const VkRenderPass pass = make_pass_of(state.samples);
  std::array<Picture, kMostValues> fixed;
  for (uint32_t value = 0; value < state.values; value++) {
    const VkPipeline closed = make_pipeline(stated(pass, value)), open = make_open(pass, value);
    fixed[value] = picture_of(pass, state.samples, drawing(closed, (value + 1) % state.values, false));
    for (const bool secondary : {false, true})
      for (const bool before : {false, true})
        EXPECT_EQ(picture_of(pass, state.samples, drawing(open, value, before), secondary), fixed[value])
            << value << secondary << before;
    for (uint32_t other = 0; other < value; other++)
      EXPECT_NE(fixed[value], fixed[other]) << "the scene does not show the state";
  }
}

// One pipeline draws with each value in turn, over what the others have drawn; another between leaves nothing
// dynamic.
TEST_P(EachState, ChangesBetweenDraws) {
  const StateCase& state = GetParam();
  const VkRenderPass pass = make_pass_of(state.samples);
  const VkPipeline open = make_open(pass, 0);
  std::vector<VkPipeline> closed;
  for (uint32_t value = 0; value < state.values; value++)
    closed.push_back(make_pipeline(stated(pass, value)));
  const auto draw_all = [&](bool dynamically) {
    return [&, dynamically](VkCommandBuffer commands) {
      vkCmdSetViewport(commands, 0, 1, &viewport);
      for (const uint32_t round : {0, 1, 2, 3, 4}) {
        const uint32_t value = round % state.values;
        GetParam().command(set, commands, value);
        if (dynamically) draw(commands, open, 3 * (round + 1));
        else draw(commands, closed[value], 3 * (round + 1));
        draw(commands, closed[0], 3);
      }
    };
  };
  EXPECT_EQ(picture_of(pass, state.samples, draw_all(true)),
            picture_of(pass, state.samples, draw_all(false)));
}

std::string name_of(const ::testing::TestParamInfo<StateCase>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Raster, EachState, ::testing::ValuesIn(raster_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Color, EachState, ::testing::ValuesIn(color_cases()), name_of);

}  // namespace
}  // namespace dynamic_state3_test
