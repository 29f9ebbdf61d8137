#include "icd/testing/render_fixture.h"
#include "icd_testdata/captured_vert.h"
#include "icd_testdata/passed_vert.h"
#include "icd_testdata/silent_vert.h"
#include "icd_testdata/unwritten_vert.h"
#include "icd_testdata/white_frag.h"

// Transform feedback, the queries that go with it, and conditional rendering.
namespace {

using namespace cutaway::icd::testing;

struct Feedback : Renderer {
  VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, nullptr, VK_TRUE};
  VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT, &feedback, VK_TRUE};

  void SetUp() override {
    more_features = &conditional;
    extensions.push_back(VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME);
    extensions.push_back(VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME);
    features.pipelineStatisticsQuery = features.shaderClipDistance = VK_TRUE;
    Renderer::SetUp();
  }
  template <class Function>
  Function load(const char* name) const {
    return reinterpret_cast<Function>(vkGetDeviceProcAddr(device, name));
  }
  VkQueryPool make_queries(VkQueryType type, VkQueryPipelineStatisticFlags statistics = 0) {
    VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    info.queryType = type;
    info.queryCount = 1;
    info.pipelineStatistics = statistics;
    VkQueryPool queries = VK_NULL_HANDLE;
    ok(vkCreateQueryPool(device, &info, nullptr, &queries));
    at_end([this, queries] { vkDestroyQueryPool(device, queries, nullptr); });
    return queries;
  }
  static void barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkAccessFlags written,
                      VkPipelineStageFlags to, VkAccessFlags read) {
    const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, written, read};
    vkCmdPipelineBarrier(commands, from, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
  }
};

TEST_F(Feedback, CapturesVerticesCountsPrimitivesAndDrawsThem) {
  const VkRenderPass pass = make_pass();
  PipelineShape shape;
  shape.vertex = make_shader(captured_vert);
  shape.layout = make_layout();
  shape.pass = pass;
  shape.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  shape.raster.rasterizerDiscardEnable = VK_TRUE;
  const VkPipeline capture = make_pipeline(shape);
  shape.vertex = make_shader(passed_vert);
  shape.fragment = make_shader(white_frag);
  shape.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  shape.raster.rasterizerDiscardEnable = VK_FALSE;
  shape.bindings = {{0, 16, VK_VERTEX_INPUT_RATE_VERTEX}};
  shape.attributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}};
  const VkPipeline draw = make_pipeline(shape);

  const Image target = make_target();
  const VkFramebuffer framebuffer = make_framebuffer(pass, {target.view});
  const Buffer positions =
      make_buffer(256, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const Buffer numbers = make_buffer(256, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT);
  const Buffer counter = make_buffer(
      64, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  const VkQueryPool primitives = make_queries(VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT);
  const VkQueryPool statistics = make_queries(
      VK_QUERY_TYPE_PIPELINE_STATISTICS, VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |
                                             VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT);

  const VkCommandBuffer commands = begin();
  vkCmdResetQueryPool(commands, primitives, 0, 1);
  vkCmdResetQueryPool(commands, statistics, 0, 1);
  const std::array buffers{positions.buffer, numbers.buffer, numbers.buffer};
  // Room for the first triangle and half of the second.
  const std::array<VkDeviceSize, 3> offsets{0, 128, 0}, sizes{80, 64, 64};
  load<PFN_vkCmdBindTransformFeedbackBuffersEXT>("vkCmdBindTransformFeedbackBuffersEXT")(
      commands, 0, 3, buffers.data(), offsets.data(), sizes.data());
  begin_pass(commands, pass, framebuffer);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, capture);
  vkCmdBeginQuery(commands, primitives, 0, 0);
  const VkDeviceSize zero = 0;
  load<PFN_vkCmdBeginTransformFeedbackEXT>("vkCmdBeginTransformFeedbackEXT")(commands, 0, 0, nullptr,
                                                                             nullptr);
  vkCmdDraw(commands, 4, 1, 0, 0);
  load<PFN_vkCmdEndTransformFeedbackEXT>("vkCmdEndTransformFeedbackEXT")(commands, 0, 1, &counter.buffer,
                                                                         &zero);
  vkCmdEndQuery(commands, primitives, 0);
  vkCmdEndRenderPass(commands);
  barrier(commands, VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT,
          VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT | VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
          VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
          VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT);
  begin_pass(commands, pass, framebuffer);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draw);
  vkCmdBindVertexBuffers(commands, 0, 1, &positions.buffer, &zero);
  vkCmdBeginQuery(commands, statistics, 0, 0);
  load<PFN_vkCmdDrawIndirectByteCountEXT>("vkCmdDrawIndirectByteCountEXT")(commands, 1, 0, counter.buffer, 0,
                                                                           0, 16);
  vkCmdEndQuery(commands, statistics, 0);
  vkCmdEndRenderPass(commands);
  const Buffer picture = read_back(commands, target);
  submit(commands);

  EXPECT_EQ(counter.at<uint32_t>(0), 48u);
  const std::array<std::array<float, 4>, 4> expected{
      {{-1, -1, 0, 1}, {1, -1, 0, 1}, {-1, 1, 0, 1}, {0, 0, 0, 0}}};
  for (size_t i = 0; i < 4; i++) EXPECT_EQ((positions.at<std::array<float, 4>>(i)), expected[i]) << i;
  EXPECT_EQ(numbers.at<uint32_t>(2), 0u);
  EXPECT_EQ(numbers.at<uint32_t>(5), 1u);
  EXPECT_EQ(numbers.at<uint32_t>(8), 2u);
  uint64_t results[2] = {};
  ok(vkGetQueryPoolResults(device, primitives, 0, 1, 16, results, 16, VK_QUERY_RESULT_64_BIT));
  EXPECT_EQ(results[0], 1u);
  EXPECT_EQ(results[1], 2u);
  ok(vkGetQueryPoolResults(device, statistics, 0, 1, 16, results, 16, VK_QUERY_RESULT_64_BIT));
  EXPECT_EQ(results[0], 3u);
  EXPECT_GE(results[1], 16u * 15 / 2);
  EXPECT_EQ(pixel(picture, 3, 3), kWhite);
  EXPECT_NE(pixel(picture, 14, 14), kWhite);
}

// Captures two triangles into buffers of these sizes; counts primitives and the bytes of each buffer.
struct Unwritten : Feedback {
  struct Counts {
    uint64_t written, needed;
    std::array<uint32_t, 3> bytes;
  };
  template <size_t kWords>
  Counts capture(const uint32_t (&vertex)[kWords], std::array<VkDeviceSize, 3> sizes) {
    const VkRenderPass pass = make_pass();
    PipelineShape shape;
    shape.vertex = make_shader(vertex);
    shape.layout = make_layout();
    shape.pass = pass;
    shape.raster.rasterizerDiscardEnable = VK_TRUE;
    const VkPipeline pipeline = make_pipeline(shape);
    const Buffer to = make_buffer(1024, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT);
    const Buffer counters = make_buffer(64, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT);
    const VkQueryPool queries = make_queries(VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT);
    const VkCommandBuffer commands = begin();
    vkCmdResetQueryPool(commands, queries, 0, 1);
    const std::array buffers{to.buffer, to.buffer, to.buffer};
    const std::array<VkDeviceSize, 3> offsets{0, 256, 512}, places{0, 4, 8};
    const std::array counted{counters.buffer, counters.buffer, counters.buffer};
    load<PFN_vkCmdBindTransformFeedbackBuffersEXT>("vkCmdBindTransformFeedbackBuffersEXT")(
        commands, 0, 3, buffers.data(), offsets.data(), sizes.data());
    begin_pass(commands, pass, make_framebuffer(pass, {make_target().view}));
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBeginQuery(commands, queries, 0, 0);
    load<PFN_vkCmdBeginTransformFeedbackEXT>("vkCmdBeginTransformFeedbackEXT")(commands, 0, 0, nullptr,
                                                                               nullptr);
    vkCmdDraw(commands, 6, 1, 0, 0);
    load<PFN_vkCmdEndTransformFeedbackEXT>("vkCmdEndTransformFeedbackEXT")(commands, 0, 3, counted.data(),
                                                                           places.data());
    vkCmdEndQuery(commands, queries, 0);
    vkCmdEndRenderPass(commands);
    submit(commands);
    uint64_t results[2] = {};
    ok(vkGetQueryPoolResults(device, queries, 0, 1, 16, results, 16, VK_QUERY_RESULT_64_BIT));
    for (uint32_t i = 0; i < 6 && results[0] == 2; i++) last_buffer.push_back(to.at<float>(128 + i));
    return {results[0],
            results[1],
            {counters.at<uint32_t>(0), counters.at<uint32_t>(1), counters.at<uint32_t>(2)}};
  }
  std::vector<float> last_buffer;
};

// "Primitives written" counts primitives, whatever the program writes.
TEST_F(Unwritten, OutputsCountAndHaveTheirRoom) {
  const Counts all = capture(unwritten_vert, {96, 48, 24});
  EXPECT_EQ(all.written, 2u);
  EXPECT_EQ(all.needed, 2u);
  EXPECT_EQ(all.bytes, (std::array<uint32_t, 3>{96, 48, 24}));
  EXPECT_EQ(last_buffer, (std::vector<float>{0, 1, 2, 3, 4, 5}));
  // A primitive that does not fit into an unwritten output's buffer is not written to any.
  for (const std::array<VkDeviceSize, 3> sizes :
       {std::array<VkDeviceSize, 3>{92, 48, 24}, {96, 44, 24}, {96, 48, 20}}) {
    const Counts one = capture(unwritten_vert, sizes);
    EXPECT_EQ(one.written, 1u);
    EXPECT_EQ(one.needed, 2u);
    EXPECT_EQ(one.bytes, (std::array<uint32_t, 3>{48, 24, 12}));
  }
}

TEST_F(Unwritten, ProgramsThatWriteNothingCount) {
  const Counts all = capture(silent_vert, {144, 4, 4});
  EXPECT_EQ(all.written, 2u);
  EXPECT_EQ(all.needed, 2u);
  EXPECT_EQ(all.bytes[0], 144u);
  const Counts one = capture(silent_vert, {140, 4, 4});
  EXPECT_EQ(one.written, 1u);
  EXPECT_EQ(one.needed, 2u);
}

TEST_F(Feedback, APredicateDecidesOnDrawsAndClears) {
  const VkRenderPass pass = make_pass();
  const Image target = make_target();
  const VkFramebuffer framebuffer = make_framebuffer(pass, {target.view});
  const Buffer predicate = make_buffer(64, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT);
  predicate.put<uint32_t>(1, 1);
  const auto begin_condition =
      load<PFN_vkCmdBeginConditionalRenderingEXT>("vkCmdBeginConditionalRenderingEXT");
  const auto end_condition = load<PFN_vkCmdEndConditionalRenderingEXT>("vkCmdEndConditionalRenderingEXT");
  const VkCommandBuffer commands = begin();
  // The pass clears whatever the predicate says.
  VkConditionalRenderingBeginInfoEXT condition{VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
                                               nullptr, predicate.buffer, 0, 0};
  begin_condition(commands, &condition);
  begin_pass(commands, pass, framebuffer, VK_SUBPASS_CONTENTS_INLINE, {clear_color(0, 0, 1)});
  const auto clear = [&](float r, float g, int32_t x) {
    const VkClearAttachment what{VK_IMAGE_ASPECT_COLOR_BIT, 0, clear_color(r, g, 0)};
    const VkClearRect where{{{x, 0}, {4, kSide}}, 0, 1};
    vkCmdClearAttachments(commands, 1, &what, 1, &where);
  };
  clear(1, 0, 0);
  vkCmdEndRenderPass(commands);
  end_condition(commands);
  const VkRenderPass again = make_pass(1, VK_ATTACHMENT_LOAD_OP_LOAD);
  begin_pass(commands, again, framebuffer);
  clear(0, 1, 4);
  condition.flags = VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT;
  begin_condition(commands, &condition);
  clear(1, 0, 8);
  end_condition(commands);
  condition.offset = 4;
  begin_condition(commands, &condition);
  clear(1, 0, 12);
  end_condition(commands);
  vkCmdEndRenderPass(commands);
  const Buffer picture = read_back(commands, target);
  submit(commands);
  EXPECT_EQ(pixel(picture, 1, 5), kBlue);
  EXPECT_EQ(pixel(picture, 5, 5), kGreen);
  EXPECT_EQ(pixel(picture, 9, 5), kRed);
  EXPECT_EQ(pixel(picture, 13, 5), kBlue);
}

}  // namespace
