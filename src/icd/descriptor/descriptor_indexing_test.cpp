#include <thread>

#include "icd/testing/render_fixture.h"
#include "icd_testdata/chosen_comp.h"

// Tests unsized descriptor arrays with lengths from the sets, partly written, and descriptors written after
// they were bound.
namespace {

using namespace cutaway::icd::testing;

struct DescriptorIndexing : Renderer {
  static constexpr uint32_t kMost = 8;  // buffers of the array
  static constexpr VkDescriptorType kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                    kUniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  VkPhysicalDeviceDescriptorIndexingFeatures indexing{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES};
  VkPhysicalDeviceRobustness2FeaturesEXT nulls{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
                                               &indexing};
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE, other = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
  Buffer out;

  void SetUp() override {
    version = VK_API_VERSION_1_2;
    indexing.shaderStorageBufferArrayNonUniformIndexing = indexing.runtimeDescriptorArray = VK_TRUE;
    indexing.descriptorBindingStorageBufferUpdateAfterBind = VK_TRUE;
    indexing.descriptorBindingUniformBufferUpdateAfterBind = VK_TRUE;
    indexing.descriptorBindingPartiallyBound = indexing.descriptorBindingUpdateUnusedWhilePending = VK_TRUE;
    indexing.descriptorBindingVariableDescriptorCount = VK_TRUE;
    nulls.nullDescriptor = VK_TRUE;
    extensions.push_back(VK_EXT_ROBUSTNESS_2_EXTENSION_NAME);
    more_features = &nulls;
    Renderer::SetUp();
    out = make_buffer(256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    std::memset(out.mapped, 0, 256);
  }

  VkDescriptorSetLayoutCreateInfo layout_info() const {
    static constexpr VkDescriptorSetLayoutBinding kBindings[3] = {
        {0, kStorage, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
        {1, kUniform, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
        {2, kStorage, kMost, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}};
    static constexpr VkDescriptorBindingFlags kFlags[3] = {
        0, VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT,
        VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT | VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT |
            VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT |
            VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT};
    static constexpr VkDescriptorSetLayoutBindingFlagsCreateInfo kMore{
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, nullptr, 3, kFlags};
    return {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, &kMore,
            VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT, 3, kBindings};
  }

  // Two sets with `length` buffers in their arrays, from a pool without spare capacity, and the program that
  // reads them.
  void make(uint32_t length = kMost) {
    const VkDescriptorSetLayoutCreateInfo info = layout_info();
    ok(vkCreateDescriptorSetLayout(device, &info, nullptr, &set_layout));
    at_end([this] { vkDestroyDescriptorSetLayout(device, set_layout, nullptr); });
    const VkDescriptorPoolSize sizes[2] = {{kStorage, 2 * (1 + length)}, {kUniform, 2}};
    const VkDescriptorPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                               nullptr,
                                               VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT,
                                               2,
                                               2,
                                               sizes};
    VkDescriptorPool descriptors = VK_NULL_HANDLE;
    ok(vkCreateDescriptorPool(device, &pool_info, nullptr, &descriptors));
    at_end([this, descriptors] { vkDestroyDescriptorPool(device, descriptors, nullptr); });
    const VkDescriptorSetVariableDescriptorCountAllocateInfo lengths{
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO, nullptr, 1, &length};
    const VkDescriptorSetAllocateInfo allocate{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, &lengths,
                                               descriptors, 1, &set_layout};
    ok(vkAllocateDescriptorSets(device, &allocate, &set));
    ok(vkAllocateDescriptorSets(device, &allocate, &other));
    VkPipelineLayoutCreateInfo whole{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    whole.setLayoutCount = 1;
    whole.pSetLayouts = &set_layout;
    ok(vkCreatePipelineLayout(device, &whole, nullptr, &layout));
    at_end([this] { vkDestroyPipelineLayout(device, layout, nullptr); });
    VkComputePipelineCreateInfo compute{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    compute.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    compute.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    compute.stage.module = make_shader(chosen_comp);
    compute.stage.pName = "main";
    compute.layout = layout;
    ok(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &compute, nullptr, &pipeline));
    at_end([this] { vkDestroyPipeline(device, pipeline, nullptr); });
    write(0, 0, out);
    write(0, 0, out, other);
  }

  void write(uint32_t binding, uint32_t element, const Buffer& buffer, VkDescriptorSet to = VK_NULL_HANDLE) {
    const VkDescriptorBufferInfo info{buffer.buffer, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstSet = to ? to : set, write.dstBinding = binding, write.dstArrayElement = element;
    write.descriptorCount = 1;
    write.descriptorType = binding == 1 ? kUniform : kStorage;
    write.pBufferInfo = &info;
    vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  }
  // Consecutive words from a value on.
  Buffer words(uint32_t first, VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT) {
    const Buffer buffer = make_buffer(16, usage);
    for (uint32_t i = 0; i < 4; i++) buffer.put(i, first + i);
    return buffer;
  }
  Buffer base(uint32_t value) { return words(value, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT); }
  // A buffer whose memory can be freed.
  struct Passing {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
  };
  Passing passing() {
    Passing made;
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = 1 << 20;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    ok(vkCreateBuffer(device, &info, nullptr, &made.buffer));
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(device, made.buffer, &requirements);
    const VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, requirements.size,
                                        0};
    ok(vkAllocateMemory(device, &allocate, nullptr, &made.memory));
    ok(vkBindBufferMemory(device, made.buffer, made.memory, 0));
    return made;
  }
  void destroy(const Passing& passing) {
    vkDestroyBuffer(device, passing.buffer, nullptr);
    vkFreeMemory(device, passing.memory, nullptr);
  }

  void dispatch(VkCommandBuffer commands, VkDescriptorSet from = VK_NULL_HANDLE) {
    if (!from) from = set;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &from, 0, nullptr);
    vkCmdDispatch(commands, 1, 1, 1);
  }
  static void end_with_barrier(VkCommandBuffer commands) {
    const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_SHADER_WRITE_BIT,
                                 VK_ACCESS_HOST_READ_BIT | VK_ACCESS_SHADER_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &memory, 0,
                         nullptr, 0, nullptr);
  }
  std::vector<uint32_t> sums(uint32_t run) const {
    std::vector<uint32_t> four;
    for (uint32_t i = 0; i < 4; i++) four.push_back(out.at<uint32_t>(2 + 4 * run + i));
    return four;
  }
  using Four = std::vector<uint32_t>;
};

TEST_F(DescriptorIndexing, WritesAfterRecordingCount) {
  make();
  write(1, 0, base(7));
  for (uint32_t i = 0; i < 4; i++) write(2, i, words(1));
  const VkCommandBuffer commands = begin();
  dispatch(commands);
  end_with_barrier(commands);
  write(1, 0, base(1000));
  for (uint32_t i = 0; i < 4; i++) write(2, i, words(10 * i));
  submit(commands);
  EXPECT_EQ(sums(0), (Four{1000, 1011, 1022, 1033}));
  // Again, for the same commands. This time the other four are read.
  write(1, 0, base(5000));
  for (uint32_t i = 4; i < 8; i++) write(2, i, words(100 * i));
  submit_again(commands);
  EXPECT_EQ(sums(1), (Four{5400, 5501, 5602, 5703}));
  EXPECT_EQ(sums(0), (Four{1000, 1011, 1022, 1033}));
}

// Constants loaded from a buffer become zeros when the buffer is null, and are loaded again.
TEST_F(DescriptorIndexing, NullBuffersReadAsZeros) {
  make();
  write(1, 0, base(1000));
  for (uint32_t i = 0; i < 8; i++) write(2, i, words(10 * i));
  const VkCommandBuffer commands = begin();
  dispatch(commands);
  end_with_barrier(commands);
  write(1, 0, {});
  submit(commands);
  EXPECT_EQ(sums(0), (Four{0, 11, 22, 33}));
  write(1, 0, base(3000));
  write(2, 5, {});
  submit_again(commands);
  EXPECT_EQ(sums(1), (Four{3040, 3000, 3062, 3073}));
}

// The tables of one set do not affect the other's.
TEST_F(DescriptorIndexing, TwoSetsInOneCommandBuffer) {
  make();
  const VkCommandBuffer commands = begin();
  dispatch(commands);
  end_with_barrier(commands);
  dispatch(commands, other);
  end_with_barrier(commands);
  write(1, 0, base(1000));
  write(1, 0, base(2000), other);
  for (uint32_t i = 0; i < 8; i++) write(2, i, words(10 * i));
  for (uint32_t i = 0; i < 8; i++) write(2, i, words(100 * i), other);
  submit(commands);
  EXPECT_EQ(sums(0), (Four{1000, 1011, 1022, 1033}));
  EXPECT_EQ(sums(1), (Four{2400, 2501, 2602, 2703}));
}

// A set's contents are read when the primary is submitted.
TEST_F(DescriptorIndexing, InSecondaryCommandBuffers) {
  make();
  const VkCommandBuffer secondary = allocate_commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  const VkCommandBufferInheritanceInfo inherited{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  const VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, 0, &inherited};
  ok(vkBeginCommandBuffer(secondary, &info));
  dispatch(secondary);
  end_with_barrier(secondary);
  dispatch(secondary);
  end_with_barrier(secondary);
  ok(vkEndCommandBuffer(secondary));
  write(1, 0, base(7));
  const VkCommandBuffer commands = begin();
  vkCmdExecuteCommands(commands, 1, &secondary);
  write(1, 0, base(2000));
  for (uint32_t i = 0; i < 8; i++) write(2, i, words(10 * i));
  submit(commands);
  EXPECT_EQ(sums(0), (Four{2000, 2011, 2022, 2033}));
  EXPECT_EQ(sums(1), (Four{2040, 2051, 2062, 2073}));
}

// The array has five buffers; one that the program does not select was never written.
TEST_F(DescriptorIndexing, SetsHaveLengthsOfTheirOwn) {
  make(5);
  write(1, 0, base(0));
  for (uint32_t i = 0; i < 4; i++) write(2, i, words(10 * i));
  const VkCommandBuffer commands = begin();
  dispatch(commands);
  end_with_barrier(commands);
  submit(commands);
  EXPECT_EQ(sums(0), (Four{0, 11, 22, 33}));
}

TEST_F(DescriptorIndexing, UnusedDescriptorsMayBeFreed) {
  make();
  write(1, 0, base(0));
  for (uint32_t i = 0; i < 4; i++) write(2, i, words(10 * i));
  const Passing early = passing(), late = passing();
  write(2, 4, {early.buffer, nullptr});
  write(2, 7, {late.buffer, nullptr});
  destroy(early);
  const VkCommandBuffer commands = begin();
  dispatch(commands);
  end_with_barrier(commands);
  destroy(late);
  submit(commands);
  EXPECT_EQ(sums(0), (Four{0, 11, 22, 33}));
}

// Two submissions wait; meanwhile the descriptors of the second are written, and unused ones freed.
TEST_F(DescriptorIndexing, SubmissionReadsDescriptorsWhenMade) {
  make();
  write(1, 0, base(0));
  for (uint32_t i = 0; i < 4; i++) write(2, i, words(10 * i));
  const Passing unused = passing();
  write(2, 6, {unused.buffer, nullptr});
  const VkCommandBuffer commands = begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  dispatch(commands);
  end_with_barrier(commands);
  ok(vkEndCommandBuffer(commands));

  VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr,
                                 VK_SEMAPHORE_TYPE_TIMELINE, 0};
  const VkSemaphoreCreateInfo semaphore_info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  ok(vkCreateSemaphore(device, &semaphore_info, nullptr, &semaphore));
  at_end([this, semaphore] { vkDestroySemaphore(device, semaphore, nullptr); });
  const uint64_t go = 1;
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  const VkTimelineSemaphoreSubmitInfo values{
      VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO, nullptr, 1, &go, 0, nullptr};
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO, &values, 1, &semaphore, &stage, 1, &commands};
  ok(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  for (uint32_t i = 4; i < 8; i++) write(2, i, words(100 * i));
  destroy(unused);
  ok(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  const VkSemaphoreSignalInfo signal{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, semaphore, go};
  ok(vkSignalSemaphore(device, &signal));
  ok(vkQueueWaitIdle(queue));
  EXPECT_EQ(sums(0), (Four{0, 11, 22, 33}));
  EXPECT_EQ(sums(1), (Four{400, 501, 602, 703}));
}

// Threads write descriptors that another thread's submissions do not use, and their memory is allocated and
// freed.
TEST_F(DescriptorIndexing, ThreadsWriteOneSetWhileItIsSubmitted) {
  constexpr uint32_t kRounds = 40, kWrites = 400;
  make();
  write(1, 0, base(0));
  for (uint32_t i = 0; i < 4; i++) write(2, i, words(10 * i));
  const VkCommandBuffer commands = begin();
  dispatch(commands);
  end_with_barrier(commands);
  ok(vkEndCommandBuffer(commands));
  const Buffer one = words(1), two = words(2);
  const auto rewrite = [&](uint32_t element, uint32_t elements) {
    for (uint32_t i = 0; i < kWrites; i++) write(2, element + i % elements, i % 3 ? one : two);
  };
  const auto come_and_go = [&] {
    for (uint32_t i = 0; i < kRounds; i++) {
      const Passing short_lived = passing();
      write(2, 7, {short_lived.buffer, nullptr});
      destroy(short_lived);
    }
  };
  std::thread first(rewrite, 4, 2), second(rewrite, 6, 1), third(come_and_go);
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < kRounds; i++) {
    std::memset(out.mapped, 0, 256);
    submit_again(commands);
    wrong += sums(0) != Four{0, 11, 22, 33};
  }
  for (std::thread* thread : {&first, &second, &third}) thread->join();
  EXPECT_EQ(wrong, 0u);
}

// A supported layout can be allocated in full; samplers have separate slots.
TEST_F(DescriptorIndexing, LayoutsSayNoLessThanTheyAskFor) {
  const auto most = [this](VkDescriptorType type, uint32_t asked) {
    const VkDescriptorBindingFlags flag = VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
    const VkDescriptorSetLayoutBindingFlagsCreateInfo flags{
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, nullptr, 1, &flag};
    const VkDescriptorSetLayoutBinding binding{0, type, asked, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
    const VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, &flags, 0,
                                               1, &binding};
    VkDescriptorSetVariableDescriptorCountLayoutSupport variable{
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT};
    VkDescriptorSetLayoutSupport support{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT, &variable};
    vkGetDescriptorSetLayoutSupport(device, &info, &support);
    EXPECT_TRUE(support.supported);
    return variable.maxVariableDescriptorCount;
  };
  EXPECT_EQ(most(kStorage, 1000), 1000u);
  EXPECT_EQ(most(VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 2), most(kStorage, 2));
  VkPhysicalDeviceDescriptorIndexingProperties limits{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES};
  VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &limits};
  vkGetPhysicalDeviceProperties2(physical, &all);
  for (const VkDescriptorType type : {VK_DESCRIPTOR_TYPE_SAMPLER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER})
    EXPECT_EQ(most(type, 2), limits.maxPerStageDescriptorUpdateAfterBindSamplers);
}

TEST_F(DescriptorIndexing, LayoutsSayHowLongTheirArraysMayBe) {
  const VkDescriptorSetLayoutCreateInfo info = layout_info();
  VkDescriptorSetVariableDescriptorCountLayoutSupport variable{
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT};
  VkDescriptorSetLayoutSupport support{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT, &variable};
  vkGetDescriptorSetLayoutSupport(device, &info, &support);
  EXPECT_TRUE(support.supported);
  EXPECT_GE(variable.maxVariableDescriptorCount, kMost);
  VkPhysicalDeviceDescriptorIndexingProperties limits{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES};
  VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &limits};
  vkGetPhysicalDeviceProperties2(physical, &all);
  EXPECT_LE(variable.maxVariableDescriptorCount, limits.maxPerStageUpdateAfterBindResources);
  EXPECT_GE(limits.maxPerStageDescriptorUpdateAfterBindStorageBuffers,
            all.properties.limits.maxPerStageDescriptorStorageBuffers);
}

}  // namespace
