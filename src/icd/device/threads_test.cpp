#include <mutex>
#include <thread>

#include "icd/testing/render_fixture.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/pushed_frag.h"

// What Vulkan lets threads do at the same time (Vulkan, "Threading Behavior"): make
// and destroy objects, share a pipeline cache, record into command buffers of
// different pools, write descriptors of different sets.
namespace {

using namespace cutaway::icd::testing;

using Threads = Renderer;

TEST_F(Threads, MakeAndRecordAtTheSameTime) {
  constexpr uint32_t kThreads = 4, kRounds = 5;
  const VkRenderPass pass = make_pass();
  const VkPipelineCacheCreateInfo cache_info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  VkPipelineCache cache = VK_NULL_HANDLE;
  ok(vkCreatePipelineCache(device, &cache_info, nullptr, &cache));
  at_end([this, cache] { vkDestroyPipelineCache(device, cache, nullptr); });
  PipelineShape shape;
  shape.vertex = make_shader(half_vert);
  shape.fragment = make_shader(pushed_frag);
  shape.layout = make_layout({}, 16);
  shape.pass = pass;
  shape.cache = cache;

  // The fixture's own lists are not safe from many threads: they are made before.
  struct Work {
    VkCommandPool pool = VK_NULL_HANDLE;
    Image target;
    VkFramebuffer framebuffer = VK_NULL_HANDLE;
    Buffer picture;
    uint32_t wrong = 0;
  };
  std::array<Work, kThreads> works;
  for (Work& work : works) {
    work.target = make_target();
    work.framebuffer = make_framebuffer(pass, {work.target.view});
    work.picture = make_buffer(kSide * kSide * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const VkCommandPoolCreateInfo info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    ok(vkCreateCommandPool(device, &info, nullptr, &work.pool));
    at_end([this, made = work.pool] { vkDestroyCommandPool(device, made, nullptr); });
  }
  std::mutex queue_mutex;
  const auto run = [&](Work& work, uint32_t seed) {
    for (uint32_t round = 0; round < kRounds; round++) {
      const VkPipeline pipeline = make_pipeline(shape, false);
      const VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr,
                                             work.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
      VkCommandBuffer commands = nullptr;
      ok(vkAllocateCommandBuffers(device, &info, &commands));
      const VkCommandBufferBeginInfo begin_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
      ok(vkBeginCommandBuffer(commands, &begin_info));
      begin_pass(commands, pass, work.framebuffer);
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      const auto level = static_cast<uint8_t>(seed * 16 + round);
      const std::array<float, 4> color{static_cast<float>(level) / 255, 0, 0, 1};
      vkCmdPushConstants(commands, shape.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, 16, color.data());
      vkCmdDraw(commands, 6, 2, 0, 0);
      vkCmdEndRenderPass(commands);
      read_back(commands, work.target, work.picture);
      ok(vkEndCommandBuffer(commands));
      {
        const std::lock_guard lock(queue_mutex);
        submit_again(commands);
      }
      work.wrong += pixel(work.picture, 9, 9) != Color{level, 0, 0, 255};
      vkFreeCommandBuffers(device, work.pool, 1, &commands);
      vkDestroyPipeline(device, pipeline, nullptr);
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kThreads; i++) threads.emplace_back(run, std::ref(works[i]), i + 1);
  for (std::thread& thread : threads) thread.join();
  for (const Work& work : works) EXPECT_EQ(work.wrong, 0u);
}

}  // namespace
