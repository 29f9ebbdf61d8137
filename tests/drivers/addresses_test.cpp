#include "barrier_fixture.h"
#include "shaders/addressed_comp.h"
#include "shaders/addressed_frag.h"

// Buffers that programs reach by address (VK_KHR_buffer_device_address).
namespace {

using namespace cutaway::icd::testing;

struct Addresses : Barriers {
  VkPhysicalDeviceBufferDeviceAddressFeatures wanted{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES, nullptr, VK_TRUE};
  void SetUp() override {
    more_features = &wanted;
    extensions.push_back(VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME);
    Barriers::SetUp();
    cutaway::machine::load_config(config, "d3d11");  // which has compute programs
  }

  struct Addressed {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceAddress address = 0;
  };
  // Bound behind the start of its memory.
  Addressed make_addressed(VkDeviceSize bytes) {
    Addressed made;
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = bytes;
    info.usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    ok(vkCreateBuffer(device, &info, nullptr, &made.buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, made.buffer, &needs);
    const VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, nullptr,
                                          VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo allocation{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags};
    allocation.allocationSize = 256 + needs.size;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    ok(vkAllocateMemory(device, &allocation, nullptr, &memory));
    at_end([this, memory] { vkFreeMemory(device, memory, nullptr); });
    ok(vkBindBufferMemory(device, made.buffer, memory, 256));
    at_end([this, made] { vkDestroyBuffer(device, made.buffer, nullptr); });
    made.address = address_of(made.buffer);
    return made;
  }
  VkDeviceAddress address_of(VkBuffer buffer) const {
    PFN_vkGetBufferDeviceAddressKHR ask = nullptr;
    load(ask, "vkGetBufferDeviceAddressKHR");
    const VkBufferDeviceAddressInfo info{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
    return ask(device, &info);
  }

  // addressed.comp, of which each dispatch adds 28 to word 16 of a buffer.
  struct Program {
    VkPipelineLayout layout;
    VkPipeline pipeline;
  };
  Program make_program() {
    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, 8};
    VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layout_info.pushConstantRangeCount = 1, layout_info.pPushConstantRanges = &range;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    ok(vkCreatePipelineLayout(device, &layout_info, nullptr, &layout));
    at_end([this, layout] { vkDestroyPipelineLayout(device, layout, nullptr); });
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  nullptr,
                  0,
                  VK_SHADER_STAGE_COMPUTE_BIT,
                  make_shader(addressed_comp),
                  "main"};
    info.layout = layout;
    VkPipeline compute = VK_NULL_HANDLE;
    ok(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &compute));
    at_end([this, compute] { vkDestroyPipeline(device, compute, nullptr); });
    return {layout, compute};
  }
  static void dispatch(VkCommandBuffer commands, const Program& program, VkDeviceAddress address) {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, program.pipeline);
    vkCmdPushConstants(commands, program.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 8, &address);
    vkCmdDispatch(commands, 1, 1, 1);
  }
  static void wait(VkCommandBuffer commands, VkPipelineStageFlags from, VkAccessFlags source,
                   VkPipelineStageFlags to, VkAccessFlags destination) {
    const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, source, destination};
    vkCmdPipelineBarrier(commands, from, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
  }
};

// A compute program stores colors and counts by an address, a fragment program shows them.
TEST_F(Addresses, ProgramsReachBuffersByAddress) {
  const Addressed colors = make_addressed(80);
  EXPECT_NE(colors.address, 0u);
  EXPECT_EQ(colors.address % 16, 0u);
  const Program compute = make_program();
  const Target target = make_target(kFormat);
  PipelineShape shape = colored(target.clear);
  shape.fragment = make_shader(addressed_frag);
  const VkPipeline show_it = make_pipeline(shape);
  const VkCommandBuffer commands = begin();
  begin_use(commands, {&target.image});
  vkCmdFillBuffer(commands, colors.buffer, 0, VK_WHOLE_SIZE, 0);
  wait(commands, kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
       VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
  dispatch(commands, compute, colors.address);
  wait(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, kFragmentStage,
       VK_ACCESS_SHADER_READ_BIT);
  draw(commands, target.clear, target, show_it, 0, 2, [&] {
    vkCmdPushConstants(commands, shape.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, 8, &colors.address);
  });
  const Buffer picture = show(commands, target.image);
  submit(commands);
  EXPECT_EQ(pixel(picture, 3, 3), kRed);
  EXPECT_EQ(pixel(picture, 12, 3), kRed);
  EXPECT_EQ(pixel(picture, 3, 12), kBlue);
  needed = {"FLUSH(1)"};
}

struct AliasedMemory : Addresses {
  void SetUp() override {
    features.sparseBinding = VK_TRUE;
    Addresses::SetUp();
  }
};

// The same memory at two addresses: that of a buffer, and that of a sparse one to which it is bound.
TEST_F(AliasedMemory, CachesSeeWritesAtAnotherAddress) {
  constexpr VkDeviceSize kBytes = 4096;
  const auto make = [&](VkBufferCreateFlags flags) {
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.flags = flags, info.size = kBytes, info.usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    VkBuffer buffer = VK_NULL_HANDLE;
    ok(vkCreateBuffer(device, &info, nullptr, &buffer));
    at_end([this, buffer] { vkDestroyBuffer(device, buffer, nullptr); });
    return buffer;
  };
  const VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, nullptr,
                                        VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  VkMemoryAllocateInfo allocation{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags};
  allocation.allocationSize = kBytes;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  ok(vkAllocateMemory(device, &allocation, nullptr, &memory));
  at_end([this, memory] { vkFreeMemory(device, memory, nullptr); });
  void* mapped = nullptr;
  ok(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &mapped));
  const VkBuffer plain = make(0), sparse = make(VK_BUFFER_CREATE_SPARSE_BINDING_BIT);
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, plain, &needs);
  ok(vkBindBufferMemory(device, plain, memory, 0));
  const VkSparseMemoryBind bound{0, kBytes, memory, 0, 0};
  const VkSparseBufferMemoryBindInfo of_buffer{sparse, 1, &bound};
  VkBindSparseInfo bind{VK_STRUCTURE_TYPE_BIND_SPARSE_INFO};
  bind.bufferBindCount = 1, bind.pBufferBinds = &of_buffer;
  ok(vkQueueBindSparse(queue, 1, &bind, VK_NULL_HANDLE));
  const Program program = make_program();
  const VkCommandBuffer commands = begin();
  for (const VkBuffer buffer : {plain, sparse, plain, sparse}) {
    dispatch(commands, program, address_of(buffer));
    wait(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
  }
  submit(commands);
  EXPECT_EQ(static_cast<const uint32_t*>(mapped)[16], 4 * 28u);
  needed = {"FLUSH(" + std::to_string(cutaway::arch::kCacheStorage) + ")"};
}

// Between draws of one image the color cache needs no flush; here it does.
TEST_F(AliasedMemory, DrawsSeeWritesAtAnotherAddress) {
  VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.imageType = VK_IMAGE_TYPE_2D, info.format = kFormat, info.extent = {kSide, kSide, 1};
  info.mipLevels = info.arrayLayers = 1, info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  const auto make = [&](VkImageCreateFlags flags) {
    Image made;
    made.format = kFormat, made.layers = 1;
    info.flags = flags;
    ok(vkCreateImage(device, &info, nullptr, &made.image));
    at_end([this, made] { vkDestroyImage(device, made.image, nullptr); });
    return made;
  };
  Image plain = make(0), sparse = make(VK_IMAGE_CREATE_SPARSE_BINDING_BIT);
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device, plain.image, &needs);
  vkGetImageMemoryRequirements(device, sparse.image, &needs);
  const VkDeviceMemory memory = allocate(needs);
  ok(vkBindImageMemory(device, plain.image, memory, 0));
  const VkSparseMemoryBind bound{0, needs.size, memory, 0, 0};
  const VkSparseImageOpaqueMemoryBindInfo of_image{sparse.image, 1, &bound};
  VkBindSparseInfo bind{VK_STRUCTURE_TYPE_BIND_SPARSE_INFO};
  bind.imageOpaqueBindCount = 1, bind.pImageOpaqueBinds = &of_image;
  ok(vkQueueBindSparse(queue, 1, &bind, VK_NULL_HANDLE));
  const VkRenderPass clear = make_plain_pass(kFormat, VK_ATTACHMENT_LOAD_OP_CLEAR),
                     keep = make_plain_pass(kFormat, VK_ATTACHMENT_LOAD_OP_LOAD);
  PipelineShape shape = colored(clear);
  shape.adds = true;
  const VkPipeline pipeline = make_pipeline(shape);
  const VkCommandBuffer commands = begin();
  begin_use(commands, {&plain, &sparse});
  bool first = true;
  for (Image* image : {&plain, &sparse, &plain}) {
    if (!image->view) image->view = make_view(*image, 0, 1);
    const Target target{*image, clear, keep, make_framebuffer(clear, {image->view})};
    draw(commands, std::exchange(first, false) ? clear : keep, target, pipeline, 0, 2, [&] {
      push(commands, shape.layout, {0.2f, 0, 0, 0});
    });
    wait(commands, kColorStage, kColorWrite, kColorStage, kColorWrite | VK_ACCESS_COLOR_ATTACHMENT_READ_BIT);
  }
  const Buffer picture = show(commands, plain);
  submit(commands);
  EXPECT_EQ(pixel(picture, 3, 3)[0], 3 * 51);
  needed = {"FLUSH(1)"};
}

}  // namespace
