#include <random>

#include "icd/testing/render_fixture.h"
#include "icd_testdata/passed_vert.h"
#include "icd_testdata/pushed_frag.h"

// Tests VK_EXT_extended_dynamic_state: dynamic state draws the same as pipeline state. Also tests core states
// that are easily confused.
namespace dynamic_state_test {
namespace {

using namespace cutaway::icd::testing;
using Vec4 = std::array<float, 4>;

constexpr uint32_t kVertices = 12;
constexpr VkFormat kDepthFormat = VK_FORMAT_D24_UNORM_S8_UINT;

// The state of one draw.
struct State {
  VkCullModeFlags cull = VK_CULL_MODE_NONE;
  VkFrontFace front = VK_FRONT_FACE_COUNTER_CLOCKWISE;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  VkViewport viewport{0, 0, 16, 16, 0, 1};
  VkRect2D scissor{{0, 0}, {16, 16}};
  uint32_t stride = sizeof(Vec4);
  bool depth_test = false, depth_write = false, bounds_test = false, stencil_test = false;
  VkCompareOp compare = VK_COMPARE_OP_ALWAYS;
  VkStencilOpState faces[2] = {
      {VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS, 0xff, 0xff, 1},
      {VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS, 0xff, 0xff, 1}};
};

// Half of a draw's tests are off, so that something is visible.
State random_state(std::mt19937& random) {
  const auto below = [&random](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  State s;
  s.cull = below(2) * below(4);
  s.front = static_cast<VkFrontFace>(below(2));
  s.topology = static_cast<VkPrimitiveTopology>(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST + below(3));
  s.viewport.width = static_cast<float>(8 + below(9));
  s.viewport.y = static_cast<float>(below(8));
  s.scissor = {{static_cast<int32_t>(below(6)), static_cast<int32_t>(below(6))}, {7 + below(4), 10}};
  s.stride = below(2) ? sizeof(Vec4) : 2 * sizeof(Vec4);
  s.depth_test = below(2), s.depth_write = below(2), s.bounds_test = below(3) == 0, s.stencil_test = below(2);
  s.compare = static_cast<VkCompareOp>(below(8));
  for (VkStencilOpState& face : s.faces) {
    face.failOp = static_cast<VkStencilOp>(below(8)), face.passOp = static_cast<VkStencilOp>(below(8));
    face.depthFailOp = static_cast<VkStencilOp>(below(8));
    face.compareOp = static_cast<VkCompareOp>(below(8));
  }
  return s;
}

struct ExtendedDynamicState : Renderer {
  VkPhysicalDeviceExtendedDynamicStateFeaturesEXT wanted{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_FEATURES_EXT, nullptr, VK_TRUE};
  VkRenderPass pass = VK_NULL_HANDLE;
  PipelineShape shape;
  Buffer vertices;
  PFN_vkCmdSetCullModeEXT set_cull_mode = nullptr;
  PFN_vkCmdSetFrontFaceEXT set_front_face = nullptr;
  PFN_vkCmdSetPrimitiveTopologyEXT set_topology = nullptr;
  PFN_vkCmdSetViewportWithCountEXT set_viewports = nullptr;
  PFN_vkCmdSetScissorWithCountEXT set_scissors = nullptr;
  PFN_vkCmdBindVertexBuffers2EXT bind_vertices = nullptr;
  PFN_vkCmdSetDepthTestEnableEXT set_depth_test = nullptr;
  PFN_vkCmdSetDepthWriteEnableEXT set_depth_write = nullptr;
  PFN_vkCmdSetDepthCompareOpEXT set_compare = nullptr;
  PFN_vkCmdSetDepthBoundsTestEnableEXT set_bounds_test = nullptr;
  PFN_vkCmdSetStencilTestEnableEXT set_stencil_test = nullptr;
  PFN_vkCmdSetStencilOpEXT set_stencil_op = nullptr;

  void SetUp() override {
    features.depthBounds = VK_TRUE;
    more_features = &wanted;
    extensions.push_back(VK_EXT_EXTENDED_DYNAMIC_STATE_EXTENSION_NAME);
    Renderer::SetUp();
    load(set_cull_mode, "vkCmdSetCullModeEXT");
    load(set_front_face, "vkCmdSetFrontFaceEXT");
    load(set_topology, "vkCmdSetPrimitiveTopologyEXT");
    load(set_viewports, "vkCmdSetViewportWithCountEXT");
    load(set_scissors, "vkCmdSetScissorWithCountEXT");
    load(bind_vertices, "vkCmdBindVertexBuffers2EXT");
    load(set_depth_test, "vkCmdSetDepthTestEnableEXT");
    load(set_depth_write, "vkCmdSetDepthWriteEnableEXT");
    load(set_compare, "vkCmdSetDepthCompareOpEXT");
    load(set_bounds_test, "vkCmdSetDepthBoundsTestEnableEXT");
    load(set_stencil_test, "vkCmdSetStencilTestEnableEXT");
    load(set_stencil_op, "vkCmdSetStencilOpEXT");

    pass = make_color_depth_pass(kDepthFormat);
    shape.vertex = make_shader(passed_vert);
    shape.fragment = make_shader(pushed_frag);
    shape.layout = make_layout({}, 16);
    shape.pass = pass;
    shape.bindings = {{0, sizeof(Vec4), VK_VERTEX_INPUT_RATE_VERTEX}};
    shape.attributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}};
    shape.depth.minDepthBounds = 0.25f, shape.depth.maxDepthBounds = 0.75f;
    vertices = make_buffer(2 * kVertices * sizeof(Vec4), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  }

  VkPipeline fixed_pipeline(const State& s) {
    PipelineShape fixed = shape;
    fixed.raster.cullMode = s.cull, fixed.raster.frontFace = s.front;
    fixed.topology = s.topology;
    fixed.viewport = s.viewport, fixed.scissor = s.scissor;
    fixed.bindings[0].stride = s.stride;
    fixed.depth.depthTestEnable = s.depth_test, fixed.depth.depthWriteEnable = s.depth_write;
    fixed.depth.depthCompareOp = s.compare;
    fixed.depth.depthBoundsTestEnable = s.bounds_test, fixed.depth.stencilTestEnable = s.stencil_test;
    fixed.depth.front = s.faces[0], fixed.depth.back = s.faces[1];
    return make_pipeline(fixed);
  }
  // All dynamic state in the pipeline is the opposite of the usual dynamic values.
  VkPipeline open_pipeline() {
    PipelineShape open = shape;
    open.raster.cullMode = VK_CULL_MODE_FRONT_AND_BACK;
    open.bindings[0].stride = 64;
    open.depth.depthCompareOp = VK_COMPARE_OP_NEVER;
    open.depth.front.writeMask = open.depth.front.compareMask = 0xff;
    open.depth.front.reference = 1;
    open.depth.back = open.depth.front;
    open.dynamic = {VK_DYNAMIC_STATE_CULL_MODE,           VK_DYNAMIC_STATE_FRONT_FACE,
                    VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,  VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
                    VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,  VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE,
                    VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,   VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
                    VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,    VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE,
                    VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_OP};
    return make_pipeline(open);
  }

  void set_all(VkCommandBuffer commands, const State& s) const {
    set_cull_mode(commands, s.cull);
    set_front_face(commands, s.front);
    set_topology(commands, s.topology);
    set_viewports(commands, 1, &s.viewport);
    set_scissors(commands, 1, &s.scissor);
    bind(commands, s.stride);
    set_depth_test(commands, s.depth_test);
    set_depth_write(commands, s.depth_write);
    set_compare(commands, s.compare);
    set_bounds_test(commands, s.bounds_test);
    set_stencil_test(commands, s.stencil_test);
    constexpr VkStencilFaceFlags kFaces[2] = {VK_STENCIL_FACE_FRONT_BIT, VK_STENCIL_FACE_BACK_BIT};
    for (int i = 0; i < 2; i++)
      set_stencil_op(commands, kFaces[i], s.faces[i].failOp, s.faces[i].passOp, s.faces[i].depthFailOp,
                     s.faces[i].compareOp);
  }
  void bind(VkCommandBuffer commands, VkDeviceSize stride, VkDeviceSize bytes = 2 * kVertices * 16) const {
    const VkDeviceSize start = 0;
    bind_vertices(commands, 0, 1, &vertices.buffer, &start, &bytes, &stride);
  }
  void draw(VkCommandBuffer commands, float shade) const {
    const Vec4 color{shade, 1 - shade, 0.5f, 1};
    vkCmdPushConstants(commands, shape.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, 16, color.data());
    vkCmdDraw(commands, kVertices, 1, 0, 0);
  }

  // Draws into a separate pass, directly or by a secondary command buffer.
  template <class Body>
  Buffer picture_of(Body&& body, bool secondary = false) {
    const Image target = make_target();
    const Image depth = make_image(kDepthFormat, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    const VkFramebuffer framebuffer = make_framebuffer(pass, {target.view, depth.view});
    const VkCommandBuffer second = secondary ? record_secondary(pass, body) : VK_NULL_HANDLE;
    const VkCommandBuffer commands = begin();
    std::vector<VkClearValue> values(2);
    values[1].depthStencil = {0.5f, 2};
    run_pass(commands, pass, framebuffer, body, second, values);
    const Buffer picture = read_back(commands, target);
    submit(commands);
    return picture;
  }
};

bool same(const Renderer::Buffer& a, const Renderer::Buffer& b) {
  return std::memcmp(a.mapped, b.mapped, Renderer::kSide * Renderer::kSide * 4) == 0;
}

TEST_F(ExtendedDynamicState, DrawsWhatPipelinesDraw) {
  std::mt19937 random(1);
  const VkPipeline open = open_pipeline();
  uint32_t pictures_with_something = 0;
  for (int round = 0; round < 60; round++) {
    for (uint32_t i = 0; i < 2 * kVertices; i++) {
      const auto coordinate = [&] { return static_cast<float>(random() % 33) / 16 - 1; };
      vertices.put(i, Vec4{coordinate(), coordinate(), std::abs(coordinate()), 1});
    }
    constexpr int kDraws = 4;
    std::vector<State> states;
    std::vector<VkPipeline> fixed;
    for (int i = 0; i < kDraws; i++) {
      states.push_back(random_state(random));
      fixed.push_back(fixed_pipeline(states.back()));
    }
    const auto draw_one = [&](VkCommandBuffer commands, int i, bool dynamically) {
      if (!dynamically) bind(commands, 4);  // the pipeline's stride counts
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, dynamically ? open : fixed[i]);
      if (dynamically) set_all(commands, states[i]);
      draw(commands, static_cast<float>(i) / kDraws);
    };
    const auto draw_all = [&](auto dynamically) {
      return [&, dynamically](VkCommandBuffer commands) {
        for (int i = 0; i < kDraws; i++) draw_one(commands, i, dynamically(i));
      };
    };
    const Buffer fixed_picture = picture_of(draw_all([](int) { return false; }));
    EXPECT_TRUE(same(fixed_picture, picture_of(draw_all([](int) { return true; })))) << round;
    EXPECT_TRUE(same(fixed_picture, picture_of(draw_all([](int i) { return i % 2 == 0; })))) << round;
    EXPECT_TRUE(same(fixed_picture, picture_of(draw_all([](int) { return true; }), true))) << round;
    bool something = false;
    for (uint32_t i = 0; i < kSide * kSide; i++) something |= fixed_picture.at<uint32_t>(i) != 0;
    pictures_with_something += something;
  }
  EXPECT_GT(pictures_with_something, 50u);
}

// State set before the pipeline is bound persists across pipelines that leave it dynamic.
TEST_F(ExtendedDynamicState, StaysFromPipelineToPipeline) {
  for (uint32_t i = 0; i < 3; i++)  // clockwise in the framebuffer, whose y points down
    vertices.put(i, Vec4{i == 1 ? 3.0f : -1.0f, i == 2 ? 3.0f : -1.0f, 0.5f, 1});
  const VkPipeline first = open_pipeline(), second = open_pipeline();
  State state;
  state.cull = VK_CULL_MODE_BACK_BIT;
  for (const VkFrontFace front : {VK_FRONT_FACE_CLOCKWISE, VK_FRONT_FACE_COUNTER_CLOCKWISE}) {
    state.front = front;
    const Buffer picture = picture_of([&](VkCommandBuffer commands) {
      set_all(commands, state);
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, first);
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, second);
      draw(commands, 1);
    });
    EXPECT_EQ(pixel(picture, 8, 8), front == VK_FRONT_FACE_CLOCKWISE ? (Color{255, 0, 128, 255}) : Color{});
  }
}

// "pSizes": vertices beyond are not read (robustBufferAccess gives zeros).
TEST_F(ExtendedDynamicState, VertexBuffersEndWhereTheyAreSaidTo) {
  for (uint32_t i = 0; i < 3; i++)
    vertices.put(i, Vec4{i == 1 ? 3.0f : -1.0f, i == 2 ? 3.0f : -1.0f, 0.5f, 1});
  const VkPipeline open = open_pipeline();
  for (const bool whole : {true, false}) {
    const Buffer picture = picture_of([&](VkCommandBuffer commands) {
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, open);
      set_all(commands, State{});
      bind(commands, sizeof(Vec4), (whole ? 3 : 2) * sizeof(Vec4));
      draw(commands, 1);
    });
    EXPECT_EQ(pixel(picture, 8, 8), whole ? (Color{255, 0, 128, 255}) : Color{}) << whole;
  }
}

// Core states of faces and depth bounds: a front face on the left, a back face on the right, over depth 0.5
// and stencil 2.
struct CoreDynamicState : ExtendedDynamicState {
  static constexpr Color kFirst{0, 255, 128, 255}, kSecond{255, 0, 128, 255};

  void SetUp() override {
    ExtendedDynamicState::SetUp();
    const Vec4 corners[6] = {{-1, -1, 0.5f, 1}, {-1, 1, 0.5f, 1}, {0, -1, 0.5f, 1},
                             {0, -1, 0.5f, 1},  {1, -1, 0.5f, 1}, {0, 1, 0.5f, 1}};
    for (uint32_t i = 0; i < kVertices; i++) vertices.put(i, corners[i % 6]);
  }
  static VkStencilOpState face(VkStencilOp op, VkCompareOp compare, uint32_t reference) {
    return {op, op, op, compare, 0xff, 0xff, reference};
  }
  PipelineShape stencil_shape(VkStencilOp op, VkCompareOp compare, uint32_t front, uint32_t back,
                              std::vector<VkDynamicState> dynamic) const {
    PipelineShape with = shape;
    with.depth.stencilTestEnable = VK_TRUE;
    with.depth.front = face(op, compare, front), with.depth.back = face(op, compare, back);
    with.dynamic = std::move(dynamic);
    return with;
  }
  static Color left(const Buffer& picture) { return pixel(picture, 1, 1); }
  static Color right(const Buffer& picture) { return pixel(picture, 9, 1); }
};

TEST_F(CoreDynamicState, ReferencesAndWriteMasksAreEachFacesOwn) {
  const VkPipeline open =
      make_pipeline(stencil_shape(VK_STENCIL_OP_REPLACE, VK_COMPARE_OP_ALWAYS, 0x77, 0x77,
                                  {VK_DYNAMIC_STATE_STENCIL_REFERENCE, VK_DYNAMIC_STATE_STENCIL_WRITE_MASK}));
  const auto picture = [&](VkPipeline equal, bool together) {
    return picture_of([&, equal, together](VkCommandBuffer commands) {
      bind(commands, sizeof(Vec4));
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, open);
      vkCmdSetStencilReference(commands, VK_STENCIL_FACE_FRONT_AND_BACK, 0x5a);
      vkCmdSetStencilWriteMask(commands, VK_STENCIL_FACE_FRONT_AND_BACK, 0xf0);
      if (!together) {
        vkCmdSetStencilReference(commands, VK_STENCIL_FACE_BACK_BIT, 0x3c);
        vkCmdSetStencilWriteMask(commands, VK_STENCIL_FACE_BACK_BIT, 0x0f);
      }
      draw(commands, 0);
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, equal);
      draw(commands, 1);
    });
  };
  // Stored stencil values: 0x5a under 0xf0 and 0x3c under 0x0f, over 2.
  for (const bool together : {false, true}) {
    const uint32_t back = together ? 0x52 : 0x0c;
    const Buffer seen = picture(
        make_pipeline(stencil_shape(VK_STENCIL_OP_KEEP, VK_COMPARE_OP_EQUAL, 0x52, back, {})), together);
    EXPECT_EQ(left(seen), kSecond) << together;
    EXPECT_EQ(right(seen), kSecond) << together;
  }
}

TEST_F(CoreDynamicState, CompareMasksAreEachFacesOwn) {
  const VkPipeline open = make_pipeline(stencil_shape(VK_STENCIL_OP_KEEP, VK_COMPARE_OP_EQUAL, 0x12, 0x12,
                                                      {VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK}));
  for (const bool front : {false, true}) {
    const Buffer seen = picture_of([&](VkCommandBuffer commands) {
      bind(commands, sizeof(Vec4));
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, open);
      vkCmdSetStencilCompareMask(commands, VK_STENCIL_FACE_FRONT_BIT, front ? 0x0f : 0xff);
      vkCmdSetStencilCompareMask(commands, VK_STENCIL_FACE_BACK_BIT, front ? 0xff : 0x0f);
      draw(commands, 0);
    });
    EXPECT_EQ(left(seen), front ? kFirst : Color{});
    EXPECT_EQ(right(seen), front ? Color{} : kFirst);
  }
}

TEST_F(CoreDynamicState, DepthBoundsHaveTwoEnds) {
  PipelineShape bounded = shape;
  bounded.depth.depthBoundsTestEnable = VK_TRUE;
  bounded.dynamic = {VK_DYNAMIC_STATE_DEPTH_BOUNDS};
  const VkPipeline open = make_pipeline(bounded);
  for (const auto& [least, greatest] :
       {std::pair{0.25f, 0.75f}, {0.6f, 0.75f}, {0.25f, 0.4f}, {0.0f, 1.0f}}) {
    const Buffer seen = picture_of([&, least_ = least, greatest_ = greatest](VkCommandBuffer commands) {
      bind(commands, sizeof(Vec4));
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, open);
      vkCmdSetDepthBounds(commands, least_, greatest_);
      draw(commands, 0);
    });
    EXPECT_EQ(left(seen), least < 0.5f && greatest > 0.5f ? kFirst : Color{}) << least << " to " << greatest;
  }
}

}  // namespace
}  // namespace dynamic_state_test
