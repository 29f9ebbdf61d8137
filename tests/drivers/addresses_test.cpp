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
    PFN_vkGetBufferDeviceAddressKHR address_of = nullptr;
    load(address_of, "vkGetBufferDeviceAddressKHR");
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
    const VkBufferDeviceAddressInfo ask{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, made.buffer};
    made.address = address_of(device, &ask);
    return made;
  }
};

// A compute program stores colors and counts by an address, a fragment program shows them.
TEST_F(Addresses, ProgramsReachBuffersByAddress) {
  const Addressed colors = make_addressed(80);
  EXPECT_NE(colors.address, 0u);
  EXPECT_EQ(colors.address % 16, 0u);
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

  const Target target = make_target(kFormat);
  PipelineShape shape = colored(target.clear);
  shape.fragment = make_shader(addressed_frag);
  const VkPipeline show_it = make_pipeline(shape);
  const VkCommandBuffer commands = begin();
  begin_use(commands, {&target.image});
  vkCmdFillBuffer(commands, colors.buffer, 0, VK_WHOLE_SIZE, 0);
  const auto wait = [&](VkPipelineStageFlags from, VkAccessFlags source, VkPipelineStageFlags to,
                        VkAccessFlags destination) {
    const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, source, destination};
    vkCmdPipelineBarrier(commands, from, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
  };
  wait(kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
       VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute);
  vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 8, &colors.address);
  vkCmdDispatch(commands, 1, 1, 1);
  wait(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, kFragmentStage,
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

}  // namespace
