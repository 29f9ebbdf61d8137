#include "icd/pipeline/pipeline_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/depth_promise.h"
#include "icd/api_error.h"

namespace cutaway::icd {
namespace {

using arch::DepthMode;

constexpr auto kFragment = static_cast<uint32_t>(arch::Stage::kFragment);

// A complete pipeline description that tests modify.
struct Description {
  VkPipelineVertexInputStateCreateInfo vertex{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                  nullptr, 0, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_FALSE};
  VkViewport viewport{10, 480, 640, -480, 0.25f, 0.75f};
  VkRect2D scissor{{1, 2}, {3, 4}};
  VkPipelineViewportStateCreateInfo viewports{
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, nullptr, 0, 1, &viewport, 1, &scissor};
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                               nullptr, 0, VK_SAMPLE_COUNT_1_BIT};
  VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  VkPipelineColorBlendAttachmentState blend{};
  VkPipelineColorBlendStateCreateInfo blends{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                             nullptr,
                                             0,
                                             VK_FALSE,
                                             VK_LOGIC_OP_CLEAR,
                                             1,
                                             &blend};
  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};

  VkGraphicsPipelineCreateInfo& get() {
    raster.lineWidth = 1;
    info.pVertexInputState = &vertex;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &viewports;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &samples;
    info.pDepthStencilState = &depth;
    info.pColorBlendState = &blends;
    return info;
  }
};

constexpr SubpassShape kColorAndDepth{1, 1, true, true};

TEST(PipelineState, ViewportPointsUpWithNegativeHeight) {
  Description description;
  const auto state = translate_pipeline(description.get(), kColorAndDepth);
  const arch::Viewport& viewport = state.registers.raster.viewport[0];
  // The corners of normalised device space map to the viewport's.
  EXPECT_EQ(-viewport.scale[0] + viewport.offset[0], 10);
  EXPECT_EQ(viewport.scale[0] + viewport.offset[0], 650);
  EXPECT_EQ(-viewport.scale[1] + viewport.offset[1], 480);
  EXPECT_EQ(viewport.scale[1] + viewport.offset[1], 0);
  EXPECT_EQ(viewport.offset[2], 0.25f);
  EXPECT_EQ(viewport.scale[2] + viewport.offset[2], 0.75f);
  EXPECT_EQ(state.registers.raster.scissor[0].height, 4u);
}

TEST(PipelineState, RasterizerDiscardIgnoresLaterState) {
  Description description;
  VkGraphicsPipelineCreateInfo& info = description.get();
  description.raster.rasterizerDiscardEnable = VK_TRUE;
  info.pViewportState = reinterpret_cast<const VkPipelineViewportStateCreateInfo*>(8);
  info.pMultisampleState = nullptr;
  info.pDepthStencilState = reinterpret_cast<const VkPipelineDepthStencilStateCreateInfo*>(8);
  info.pColorBlendState = nullptr;
  EXPECT_EQ(translate_pipeline(info, kColorAndDepth).registers.raster.rasterizer_discard, 1u);
}

TEST(PipelineState, TestsNeedAnAttachment) {
  Description description;
  description.depth.depthTestEnable = VK_TRUE;
  description.depth.depthWriteEnable = VK_TRUE;
  description.depth.stencilTestEnable = VK_TRUE;
  const auto with = translate_pipeline(description.get(), kColorAndDepth);
  EXPECT_EQ(with.registers.depth.depth_test, 1u);
  EXPECT_EQ(with.registers.depth.stencil_test, 1u);
  const auto depth_only = translate_pipeline(description.get(), {1, 1, true, false});
  EXPECT_EQ(depth_only.registers.depth.depth_test, 1u);
  EXPECT_EQ(depth_only.registers.depth.stencil_test, 0u);
  description.info.pDepthStencilState = nullptr;
  EXPECT_EQ(translate_pipeline(description.info, {1, 1, false, false}).registers.depth.depth_write, 0u);
}

TEST(PipelineState, RefusesByName) {
  Description description;
  description.raster.polygonMode = VK_POLYGON_MODE_FILL_RECTANGLE_NV;
  try {
    translate_pipeline(description.get(), kColorAndDepth);
    FAIL();
  } catch (const ApiError& error) {
    EXPECT_EQ(error.result, VK_ERROR_FEATURE_NOT_PRESENT);
    EXPECT_THAT(error.text, ::testing::HasSubstr("polygon mode"));
  }
}

TEST(PipelineState, DistinguishesInvalidFromUnsupported) {
  Description description;
  VkGraphicsPipelineCreateInfo info = description.get();
  const VkVertexInputBindingDescription binding{arch::kVertexBindings, 16, VK_VERTEX_INPUT_RATE_VERTEX};
  VkPipelineVertexInputStateCreateInfo input = *info.pVertexInputState;
  input.vertexBindingDescriptionCount = 1, input.pVertexBindingDescriptions = &binding;
  info.pVertexInputState = &input;
  try {
    translate_pipeline(info, kColorAndDepth);
    FAIL();
  } catch (const ApiError& error) {
    EXPECT_EQ(error.result, VK_ERROR_UNKNOWN);
    EXPECT_THAT(error.text, ::testing::HasSubstr("vertex binding 16 of 16 is not valid usage"));
  }
}

TEST(PipelineState, LinesAndLogicOperations) {
  Description description;
  description.raster.polygonMode = VK_POLYGON_MODE_POINT;
  VkPipelineRasterizationLineStateCreateInfoEXT line{
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT};
  line.lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT;
  line.lineStippleFactor = 256;
  line.lineStipplePattern = 0xf0a5;
  description.raster.pNext = &line;
  const VkGraphicsPipelineCreateInfo& info = description.get();
  auto blend = *info.pColorBlendState;
  blend.logicOpEnable = VK_TRUE;
  blend.logicOp = VK_LOGIC_OP_XOR;
  VkGraphicsPipelineCreateInfo changed = info;
  changed.pColorBlendState = &blend;
  auto registers = translate_pipeline(changed, kColorAndDepth).registers;
  EXPECT_EQ(registers.raster.polygon_mode, static_cast<uint32_t>(arch::PolygonMode::kPoint));
  EXPECT_EQ(registers.raster.line_mode, static_cast<uint32_t>(arch::LineMode::kBresenham));
  EXPECT_EQ(registers.raster.line_stipple, 0u) << "not enabled";
  EXPECT_EQ(registers.color.logic_op_enable, 1u);
  EXPECT_EQ(registers.color.logic_op, static_cast<uint32_t>(arch::LogicOp::kXor));
  line.stippledLineEnable = VK_TRUE;
  registers = translate_pipeline(changed, kColorAndDepth).registers;
  EXPECT_EQ(registers.raster.line_stipple, 256u << 16 | 0xf0a5);
}

TEST(PipelineState, TargetsBlendByTheirOwnEquations) {
  Description description;
  VkGraphicsPipelineCreateInfo info = description.get();
  const VkPipelineColorBlendAttachmentState targets[3] = {
      {VK_TRUE, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ZERO,
       VK_BLEND_FACTOR_ONE, VK_BLEND_OP_MAX, 0x3},
      {VK_TRUE, VK_BLEND_FACTOR_DST_COLOR, VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_SUBTRACT, VK_BLEND_FACTOR_ONE,
       VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_MIN, 0xc},
      {VK_FALSE, VK_BLEND_FACTOR_DST_COLOR, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_SUBTRACT, VK_BLEND_FACTOR_ONE,
       VK_BLEND_FACTOR_ONE, VK_BLEND_OP_MIN, 0xf}};
  VkPipelineColorBlendStateCreateInfo blends = *info.pColorBlendState;
  blends.attachmentCount = 3, blends.pAttachments = targets;
  info.pColorBlendState = &blends;
  const arch::Registers registers = translate_pipeline(info, {4, 0xf, false, false}).registers;
  for (uint32_t i = 0; i < 2; i++) {
    const arch::ColorTarget& to = registers.color.target[i];
    EXPECT_EQ(to.color_source, static_cast<uint32_t>(targets[i].srcColorBlendFactor)) << i;
    EXPECT_EQ(to.color_destination, static_cast<uint32_t>(targets[i].dstColorBlendFactor)) << i;
    EXPECT_EQ(to.color_op, static_cast<uint32_t>(targets[i].colorBlendOp)) << i;
    EXPECT_EQ(to.alpha_source, static_cast<uint32_t>(targets[i].srcAlphaBlendFactor)) << i;
    EXPECT_EQ(to.alpha_destination, static_cast<uint32_t>(targets[i].dstAlphaBlendFactor)) << i;
    EXPECT_EQ(to.alpha_op, static_cast<uint32_t>(targets[i].alphaBlendOp)) << i;
    EXPECT_EQ(to.write_mask, targets[i].colorWriteMask) << i;
  }
  EXPECT_EQ(registers.color.target[2].blend, 0u);
  EXPECT_EQ(registers.color.target[2].color_source, 0u) << "equal registers for equal effect";
  EXPECT_EQ(registers.color.target[2].write_mask, 0xfu);
  EXPECT_EQ(registers.color.target[3].write_mask, 0u) << "not stated";
}

arch::Registers depth_registers(uint32_t flags) {
  arch::Registers registers{};
  registers.depth.depth_test = registers.depth.depth_write = 1;
  registers.depth.depth_compare = static_cast<uint32_t>(arch::Compare::kLess);
  registers.depth.front.write_mask = registers.depth.back.write_mask = 0xff;
  registers.shader[kFragment].flags = flags;
  return registers;
}

TEST(DepthMode, FollowsFromTheProgram) {
  struct Case {
    uint32_t flags;
    DepthMode mode;
    bool hierarchical;
  };
  for (const Case& c :
       {Case{0, DepthMode::kEarly, true}, Case{arch::kShaderKills, DepthMode::kEarlyTestLateWrite, true},
        Case{arch::kShaderWritesDepth, DepthMode::kLate, false},
        Case{arch::kShaderWritesMemory, DepthMode::kLate, false},
        Case{arch::kShaderKills | arch::kShaderEarlyTests, DepthMode::kEarly, true},
        Case{arch::kShaderWritesMemory | arch::kShaderEarlyTests, DepthMode::kEarly, true}}) {
    arch::Registers registers = depth_registers(c.flags);
    choose_depth_mode(registers);
    EXPECT_EQ(registers.depth.mode, static_cast<uint32_t>(c.mode)) << c.flags;
    EXPECT_EQ(registers.depth.hierarchical_z, c.hierarchical ? 1u : 0u) << c.flags;
  }
}

// A promise of the side on which exported depths lie makes rejection before shading possible, if it is that
// of the comparison.
TEST(DepthMode, PromisesOfExportedDepthAllowEarlyRejection) {
  constexpr uint32_t kExports = arch::kShaderWritesDepth;
  constexpr uint32_t kNotLess = kExports | arch::kShaderDepthNotLess;
  constexpr uint32_t kNotGreater = kExports | arch::kShaderDepthNotGreater;
  struct Case {
    uint32_t flags;
    arch::Compare compare;
    bool rejects;
  };
  for (const Case& c :
       {Case{kNotLess, arch::Compare::kLess, true}, Case{kNotLess, arch::Compare::kLessOrEqual, true},
        Case{kNotLess, arch::Compare::kGreater, false}, Case{kNotLess, arch::Compare::kEqual, false},
        Case{kNotGreater, arch::Compare::kGreater, true}, Case{kNotGreater, arch::Compare::kLess, false},
        Case{kNotLess | kNotGreater, arch::Compare::kEqual, true}})
    for (const uint32_t samples : {1u, 4u}) {
      arch::Registers registers = depth_registers(c.flags);
      registers.depth.depth_compare = static_cast<uint32_t>(c.compare);
      registers.raster.samples = samples;
      choose_depth_mode(registers);
      const bool rejects = c.rejects && samples == 1;
      EXPECT_EQ(registers.depth.mode,
                static_cast<uint32_t>(rejects ? DepthMode::kEarlyTestLateWrite : DepthMode::kLate));
      EXPECT_EQ(registers.depth.hierarchical_z, rejects ? 1u : 0u);
      registers.depth.depth_write = 0;
      choose_depth_mode(registers);
      EXPECT_NE(registers.depth.mode, static_cast<uint32_t>(DepthMode::kEarly))
          << "the exported depth decides";
    }
}

TEST(DepthMode, KillsWithoutWritesStayEarly) {
  arch::Registers registers = depth_registers(arch::kShaderKills);
  registers.depth.depth_write = 0;
  choose_depth_mode(registers);
  EXPECT_EQ(registers.depth.mode, static_cast<uint32_t>(DepthMode::kEarly));
}

// Fragments read the attachment as it was before them, so their writes wait.
TEST(DepthMode, ReadsOfTheAttachmentComeBeforeWrites) {
  arch::Registers registers = depth_registers(0);
  choose_depth_mode(registers, true);
  EXPECT_EQ(registers.depth.mode, static_cast<uint32_t>(DepthMode::kEarlyTestLateWrite));
  registers.depth.depth_write = 0;
  choose_depth_mode(registers, true);
  EXPECT_EQ(registers.depth.mode, static_cast<uint32_t>(DepthMode::kEarly));
  registers.depth.stencil_test = 1;
  registers.depth.front.pass = static_cast<uint32_t>(arch::StencilOp::kReplace);
  choose_depth_mode(registers, true);
  EXPECT_EQ(registers.depth.mode, static_cast<uint32_t>(DepthMode::kLate));
  registers = depth_registers(arch::kShaderEarlyTests);
  choose_depth_mode(registers, true);
  EXPECT_EQ(registers.depth.mode, static_cast<uint32_t>(DepthMode::kEarly));
}

TEST(DepthMode, StencilSideEffects) {
  arch::Registers registers = depth_registers(arch::kShaderKills);
  registers.depth.stencil_test = 1;
  registers.depth.front.pass = static_cast<uint32_t>(arch::StencilOp::kReplace);
  choose_depth_mode(registers);
  EXPECT_EQ(registers.depth.mode, static_cast<uint32_t>(DepthMode::kLate));
  EXPECT_EQ(registers.depth.hierarchical_z, 1u);  // a failing fragment has no effect

  registers.depth.back.depth_fail = static_cast<uint32_t>(arch::StencilOp::kIncrementWrap);
  choose_depth_mode(registers);
  EXPECT_EQ(registers.depth.hierarchical_z, 0u);
  registers.depth.back.write_mask = 0;
  choose_depth_mode(registers);
  EXPECT_EQ(registers.depth.hierarchical_z, 1u);
}

TEST(DepthMode, ComparesWithoutABoundHaveNoHierarchicalZ) {
  for (auto compare : {arch::Compare::kNotEqual, arch::Compare::kAlways, arch::Compare::kNever}) {
    arch::Registers registers = depth_registers(0);
    registers.depth.depth_compare = static_cast<uint32_t>(compare);
    choose_depth_mode(registers);
    EXPECT_EQ(registers.depth.hierarchical_z, 0u);
  }
}

TEST(LinkStages, InterpolantsFollowLocations) {
  isa::Program vertex, fragment;
  vertex.outputs = {{3, 1, 15}, {0, 2, 15}};
  fragment.inputs = {{0, 0, 15}, {3, 1, 3, arch::Interpolation::kFlat}};
  fragment.code.resize(5);
  arch::Registers registers{};
  link_stages({.vertex = &vertex, .fragment = &fragment}, registers);
  EXPECT_EQ(registers.vertex_out.interpolants, 2u);
  EXPECT_EQ(registers.vertex_out.interpolant[0].source, 2u);
  EXPECT_EQ(registers.vertex_out.interpolant[1].source, 1u);
  EXPECT_EQ(registers.vertex_out.interpolant[1].mode, static_cast<uint32_t>(arch::Interpolation::kFlat));
  EXPECT_EQ(registers.shader[0].outputs, 7u);
  EXPECT_EQ(registers.shader[kFragment].instructions, 5u);
  EXPECT_EQ(registers.vertex_out.point_size, arch::kNoOutput);
  EXPECT_EQ(locations_read(fragment), 9u);
}

TEST(LinkStages, GeometryReadsOutputsOfTheStageBefore) {
  isa::Program vertex, geometry, fragment;
  vertex.stage = arch::Stage::kVertex, geometry.stage = arch::Stage::kGeometry;
  vertex.outputs = {{3, 1, 15}, {0, 2, 15}};
  vertex.point_size = 3;
  geometry.inputs = {
      {0, 0, 15}, {2, 1, 15}, {isa::kPointSizeLocation, 2, 1}, {isa::kPositionLocation, 3, 15}};
  geometry.outputs = {{7, 1, 15}};
  geometry.layer = 2, geometry.primitive_id = 4;
  geometry.modes = {.input_vertices = 3, .output_topology = 4, .max_vertices = 9, .invocations = 2};
  geometry.code = {{.op = isa::Opcode::kMov, .dst = {.file = isa::File::kOutput, .index = 1}}};
  fragment.inputs = {{7, 0, 15}, {isa::kLayerLocation, 1, 1}, {isa::kViewportLocation, 2, 1}};
  arch::Registers registers{};
  link_stages({.vertex = &vertex, .geometry = &geometry, .fragment = &fragment}, registers);
  const arch::GeometryRegisters& to = registers.geometry;
  ASSERT_EQ(to.inputs.count, 4u);
  EXPECT_EQ(to.inputs.source[0], 2u);
  EXPECT_EQ(to.inputs.source[1], arch::kNoOutput);  // not written by any program
  EXPECT_EQ(to.inputs.source[2], 3u);
  EXPECT_EQ(to.inputs.source[3], 0u);
  EXPECT_EQ(to.output_topology, 4u);
  EXPECT_EQ(to.max_vertices, 9u);
  EXPECT_EQ(to.invocations, 2u);
  EXPECT_EQ(registers.shader[static_cast<uint32_t>(arch::Stage::kGeometry)].instructions, 1u);
  EXPECT_EQ(registers.vertex_out.layer, 2u);
  EXPECT_EQ(registers.vertex_out.point_size, arch::kNoOutput);
  EXPECT_EQ(registers.primitive_id_output, 5u);
  EXPECT_EQ(registers.vertex_out.interpolant[0].source, 1u);
  EXPECT_EQ(registers.vertex_out.interpolant[1].source, 2u);
  // No program writes the viewport's index: a register that reads as zero.
  EXPECT_EQ(registers.vertex_out.interpolant[2].source, 2u);
}

}  // namespace
}  // namespace cutaway::icd
