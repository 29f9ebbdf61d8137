#include <algorithm>
#include <set>
#include <thread>

#include "icd/testing/dynamic3_fixture.h"
#include "icd_testdata/four_cw_tese.h"
#include "icd_testdata/four_tesc.h"
#include "icd_testdata/four_tese.h"
#include "icd_testdata/passed_vert.h"
#include "icd_testdata/pushed_frag.h"

// Tests pipelines that leave dynamic what their programs are compiled for, and those that leave everything
// dynamic.
namespace pipeline_programs_test {
namespace {

using namespace cutaway::icd::testing;

constexpr VkSampleCountFlagBits kOneSample = VK_SAMPLE_COUNT_1_BIT;

struct Programs : DynamicState3 {
  static VkPipelineColorBlendAttachmentState writing(VkColorComponentFlags mask) {
    return {VK_FALSE, {}, {}, {}, {}, {}, {}, mask};
  }
};

// The validation layer of 2023 compares targets with the number that the pipeline states.
struct ProgramsOfSamples : Programs {
  void SetUp() override {
    validates = false;
    Programs::SetUp();
  }
};

// With sample shading, interpolants, programs and targets depend on the number.
TEST_F(ProgramsOfSamples, FollowTheirNumber) {
  std::set<uint32_t> inside;  // colors of a pixel that is covered as a whole
  for (const VkSampleCountFlagBits samples :
       {VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_2_BIT, VK_SAMPLE_COUNT_4_BIT, VK_SAMPLE_COUNT_8_BIT})
    for (const float least : {0.0f, 0.3f}) {
      const VkRenderPass pass = make_pass_of(samples);
      shape.pass = pass, shape.samples = samples, shape.least_shading = least;
      const VkPipeline closed = make_pipeline(shape);
      shape.samples = samples == VK_SAMPLE_COUNT_8_BIT ? VK_SAMPLE_COUNT_2_BIT : VK_SAMPLE_COUNT_8_BIT;
      shape.dynamic = {VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT};
      const VkPipeline open = make_pipeline(shape);
      shape.dynamic = {};
      const auto drawing = [&](VkPipeline pipeline) {
        return [&, pipeline](VkCommandBuffer commands) {
          set.samples(commands, samples);
          draw(commands, pipeline);
        };
      };
      const Picture fixed = picture_of(pass, samples, drawing(closed));
      EXPECT_EQ(picture_of(pass, samples, drawing(open)), fixed) << samples << " " << least;
      inside.insert(fixed[kSide * 6 + 7]);
    }
  EXPECT_EQ(inside.size(), 4u) << "the program takes its input at the first sample";
}

// dynamicPrimitiveTopologyUnrestricted: the pipeline states triangles, whose vertices have no size.
TEST_F(Programs, GivePointsTheirSize) {
  const VkRenderPass pass = make_pass_of(kOneSample);
  shape.pass = pass;
  std::vector<Picture> seen;
  for (const VkPrimitiveTopology topology :
       {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
        VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, VK_PRIMITIVE_TOPOLOGY_POINT_LIST}) {
    shape.topology = topology;
    const VkPipeline closed = make_pipeline(shape);
    shape.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    shape.dynamic = {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY};
    const VkPipeline open = make_pipeline(shape);
    shape.dynamic = {};
    const auto drawing = [&](VkPipeline pipeline) {
      return [&, pipeline](VkCommandBuffer commands) {
        set.topology(commands, topology);
        draw(commands, pipeline);
      };
    };
    seen.push_back(picture_of(pass, kOneSample, drawing(closed)));
    EXPECT_EQ(picture_of(pass, kOneSample, drawing(open)), seen.back()) << topology;
  }
  // 9 pixels each, as far as they lie in the depth range and do not overlap.
  const auto drawn = std::count_if(seen[0].begin(), seen[0].begin() + kSide * kSide,
                                   [&](uint32_t color) { return color != seen[0][kSide - 1]; });
  EXPECT_GT(drawn, 9 * 5);
}

// A draw that writes nothing compiles a program without outputs, and a later one with some; the module and
// the layout are gone by then.
TEST_F(Programs, AreCompiledWhenModulesAreGone) {
  const VkRenderPass pass = make_pass_of(kOneSample);
  shape.pass = pass;
  const VkPipeline closed = make_pipeline(shape);
  const auto module = [&](const auto& words) {
    const VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0, sizeof words,
                                        words};
    VkShaderModule made = VK_NULL_HANDLE;
    ok(vkCreateShaderModule(device, &info, nullptr, &made));
    return made;
  };
  shape.vertex = module(state_vert), shape.fragment = module(state_frag);
  shape.dynamic = {VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, VK_DYNAMIC_STATE_POLYGON_MODE_EXT};
  const VkPipelineCacheCreateInfo cache_info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  ok(vkCreatePipelineCache(device, &cache_info, nullptr, &shape.cache));
  const VkPipeline open = make_pipeline(shape);
  vkDestroyShaderModule(device, shape.vertex, nullptr);
  vkDestroyShaderModule(device, shape.fragment, nullptr);
  vkDestroyPipelineCache(device, shape.cache, nullptr);
  constexpr VkColorComponentFlags kNone[2] = {}, kAll[2] = {0xf, 0xf};
  const Picture seen = picture_of(pass, kOneSample, [&](VkCommandBuffer commands) {
    set.polygon_mode(commands, VK_POLYGON_MODE_POINT);
    set.write_mask(commands, 0, 2, kNone);
    draw(commands, open);
    set.polygon_mode(commands, VK_POLYGON_MODE_FILL);
    draw(commands, open, 3);
    set.write_mask(commands, 0, 2, kAll);
    draw(commands, open);
  });
  shape.dynamic = {}, shape.cache = VK_NULL_HANDLE;
  shape.vertex = make_shader(state_vert), shape.fragment = make_shader(state_frag);
  shape.blends = {writing(0), writing(0)};
  const VkPipeline nothing = make_pipeline(shape);
  shape.raster.polygonMode = VK_POLYGON_MODE_POINT;
  const VkPipeline points = make_pipeline(shape);
  EXPECT_EQ(seen, picture_of(pass, kOneSample, [&](VkCommandBuffer commands) {
              draw(commands, points);
              draw(commands, nothing, 3);
              draw(commands, closed);
            }));
}

// The first target is not written, but its alpha covers samples of the second: more of them to the right.
TEST_F(Programs, KeepTheAlphaThatCoverageComesFrom) {
  constexpr VkSampleCountFlagBits kSamples = VK_SAMPLE_COUNT_4_BIT;
  const VkRenderPass pass = make_pass_of(kSamples);
  shape.pass = pass, shape.samples = kSamples;
  shape.dynamic = {VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT};
  const VkPipeline open = make_pipeline(shape);
  const auto seen = [&](VkBool32 covers) {
    return picture_of(pass, kSamples, [&, covers](VkCommandBuffer commands) {
      constexpr VkColorComponentFlags kSecond[2] = {0, 0xf};
      set.write_mask(commands, 0, 2, kSecond);
      set.alpha_to_coverage(commands, covers);
      draw(commands, open);
    });
  };
  const Picture all = seen(VK_FALSE), some = seen(VK_TRUE);
  const uint32_t clear = some[kSide * kSide - kSide];  // the corner at the lower left
  const auto drawn = [&](const Picture& picture) {
    return std::count_if(picture.begin() + kSide * kSide, picture.end(),
                         [&](uint32_t color) { return color != clear; });
  };
  EXPECT_GT(drawn(some), kSide);
  EXPECT_LT(drawn(some), drawn(all));
}

// Command buffers of several threads draw with one pipeline at once, each in another way.
TEST_F(Programs, AreSharedByThreads) {
  const VkRenderPass pass = make_pass_of(kOneSample);
  shape.pass = pass;
  std::vector<VkPipeline> closed;
  constexpr uint32_t kThreads = 4;
  constexpr VkColorComponentFlags kMasks[kThreads][2] = {{0xf, 0}, {0, 0xf}, {0x3, 0xc}, {0, 0}};
  for (const auto& masks : kMasks) {
    shape.blends = {writing(masks[0]), writing(masks[1])};
    closed.push_back(make_pipeline(shape));
  }
  shape.dynamic = {VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT};
  const VkPipeline open = make_pipeline(shape);
  std::vector<VkCommandPool> pools(kThreads);
  std::vector<VkCommandBuffer> seconds(kThreads);
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kThreads; i++) {
    const VkCommandPoolCreateInfo info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    ok(vkCreateCommandPool(device, &info, nullptr, &pools[i]));
    at_end([this, one = pools[i]] { vkDestroyCommandPool(device, one, nullptr); });
    const VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr,
                                               pools[i], VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
    ok(vkAllocateCommandBuffers(device, &allocate, &seconds[i]));
  }
  const Image color = make_target(), other = make_target();
  const Image depth = make_image(kDepthFormat, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
  const VkFramebuffer framebuffer = make_framebuffer(pass, {color.view, other.view, depth.view});
  for (uint32_t i = 0; i < kThreads; i++)
    threads.emplace_back([&, i, commands = seconds[i]] {
      const VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
      ok(vkBeginCommandBuffer(commands, &info));
      run_pass(commands, pass, framebuffer, [&](VkCommandBuffer to) {
        set.write_mask(to, 0, 2, kMasks[i]);
        draw(to, open);
      });
      ok(vkEndCommandBuffer(commands));
    });
  for (std::thread& thread : threads) thread.join();
  for (uint32_t i = 0; i < kThreads; i++) {
    submit_again(seconds[i]);
    const VkCommandBuffer read = begin();
    const Buffer seen = read_back(read, color);
    submit(read);
    const VkCommandBuffer expected = begin();
    run_pass(expected, pass, framebuffer, [&](VkCommandBuffer to) { draw(to, closed[i]); });
    const Buffer whole = read_back(expected, color);
    submit(expected);
    EXPECT_EQ(std::memcmp(seen.mapped, whole.mapped, kSide * kSide * 4), 0) << i;
  }
}

// A patch covers the left half; its triangles face the other way for the other origin, and for a program that
// declares the other winding.
TEST_F(Programs, TurnTrianglesOfPatchesByTheOrigin) {
  const VkRenderPass pass = make_pass_of(kOneSample);
  shape.pass = pass;
  shape.vertex = make_shader(passed_vert), shape.fragment = make_shader(pushed_frag);
  shape.control = make_shader(four_tesc);
  shape.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST, shape.patch_vertices = 4;
  shape.blends = {writing(0xf), writing(0)};
  const Buffer patch = make_buffer(4 * sizeof(Vec4), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  for (uint32_t i = 0; i < 4; i++)
    patch.put(i, Vec4{static_cast<float>(i / 2) - 1, i % 2 ? 1.0f : -1.0f, 0.5f, 1});
  vertices = patch;
  shape.dynamic = {VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT};
  shape.raster.cullMode = VK_CULL_MODE_FRONT_AND_BACK;
  shape.evaluation = make_shader(four_tese);
  const VkPipeline counter_clockwise = make_pipeline(shape);
  shape.evaluation = make_shader(four_cw_tese);
  const VkPipeline clockwise = make_pipeline(shape);
  Picture seen[4][2];
  for (const uint32_t turned : {0u, 1u, 2u, 3u})
    for (const VkCullModeFlags cull : {VK_CULL_MODE_FRONT_BIT, VK_CULL_MODE_BACK_BIT})
      seen[turned][cull - 1] = picture_of(pass, kOneSample, [&](VkCommandBuffer commands) {
        set.domain_origin(commands, static_cast<VkTessellationDomainOrigin>(turned & 1));
        set.cull_mode(commands, cull);
        const Vec4 white{1, 1, 1, 1};
        vkCmdPushConstants(commands, shape.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, 16, white.data());
        draw(commands, turned & 2 ? clockwise : counter_clockwise, 4);
      });
  EXPECT_NE(seen[0][0], seen[0][1]);
  for (const uint32_t side : {0u, 1u}) {
    EXPECT_EQ(seen[1][side], seen[0][1 - side]);
    EXPECT_EQ(seen[2][side], seen[0][1 - side]);
    EXPECT_EQ(seen[3][side], seen[0][side]);
  }
}

}  // namespace
}  // namespace pipeline_programs_test
