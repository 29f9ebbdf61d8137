#include "icd/testing/resource_fixture.h"

// bufferDeviceAddressCaptureReplay: memory lies where a recording had it.
namespace {

using namespace cutaway::icd::testing;

struct CaptureAddress : Resources {
  VkPhysicalDeviceBufferDeviceAddressFeatures wanted{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES, nullptr, VK_TRUE, VK_TRUE};
  void SetUp() override {
    version = VK_API_VERSION_1_3;
    more_features = &wanted;
    Resources::SetUp();
  }

  VkResult allocate(VkDeviceSize bytes, uint64_t at, VkDeviceMemory& memory) {
    VkMemoryOpaqueCaptureAddressAllocateInfo place{
        VK_STRUCTURE_TYPE_MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO, nullptr, at};
    VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, &place};
    flags.flags =
        VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT | VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT;
    const VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags, bytes, 0};
    return vkAllocateMemory(device, &info, nullptr, &memory);
  }
  uint64_t address_of(VkDeviceMemory memory) const {
    const VkDeviceMemoryOpaqueCaptureAddressInfo info{
        VK_STRUCTURE_TYPE_DEVICE_MEMORY_OPAQUE_CAPTURE_ADDRESS_INFO, nullptr, memory};
    return vkGetDeviceMemoryOpaqueCaptureAddress(device, &info);
  }
  VkBuffer create(VkDeviceSize bytes, uint64_t at) const {
    VkBufferOpaqueCaptureAddressCreateInfo place{VK_STRUCTURE_TYPE_BUFFER_OPAQUE_CAPTURE_ADDRESS_CREATE_INFO,
                                                 nullptr, at};
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, &place};
    info.flags = VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT;
    info.size = bytes, info.usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    VkBuffer buffer = VK_NULL_HANDLE;
    ok(vkCreateBuffer(device, &info, nullptr, &buffer));
    return buffer;
  }
  VkDeviceAddress address_of(VkBuffer buffer, bool recorded) const {
    const VkBufferDeviceAddressInfo info{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
    return recorded ? vkGetBufferOpaqueCaptureAddress(device, &info)
                    : vkGetBufferDeviceAddress(device, &info);
  }
};

// A recording, then its replay: other memory was allocated before.
TEST_F(CaptureAddress, MemoryAndBuffersLieWhereTheyWereRecorded) {
  VkDeviceMemory recorded[2] = {}, replayed[2] = {};
  uint64_t places[2] = {}, in_memory = 0;
  for (int i = 0; i < 2; i++) {
    ok(allocate(100000, 0, recorded[i]));
    places[i] = address_of(recorded[i]);
  }
  VkBuffer buffer = create(256, 0);
  ok(vkBindBufferMemory(device, buffer, recorded[1], 512));
  in_memory = address_of(buffer, true);
  EXPECT_EQ(in_memory, address_of(buffer, false));
  EXPECT_EQ(in_memory, places[1] + 512);
  vkDestroyBuffer(device, buffer, nullptr);
  for (const VkDeviceMemory memory : recorded) vkFreeMemory(device, memory, nullptr);

  for (int i = 0; i < 20; i++) make_buffer(300000, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  for (const int i : {1, 0}) {
    ASSERT_EQ(allocate(100000, places[i], replayed[i]), VK_SUCCESS);
    EXPECT_EQ(address_of(replayed[i]), places[i]);
  }
  buffer = create(256, in_memory);
  ASSERT_EQ(vkBindBufferMemory(device, buffer, replayed[1], 512), VK_SUCCESS);
  EXPECT_EQ(address_of(buffer, false), in_memory);
  vkDestroyBuffer(device, buffer, nullptr);
  for (const VkDeviceMemory memory : replayed) vkFreeMemory(device, memory, nullptr);
}

struct SparseCaptureAddress : CaptureAddress {
  void SetUp() override {
    features.sparseBinding = VK_TRUE;
    CaptureAddress::SetUp();
  }
};

TEST_F(SparseCaptureAddress, SparseBuffersLieWhereTheyWereRecorded) {
  const auto create_sparse = [&](uint64_t at, VkBuffer& buffer) {
    VkBufferOpaqueCaptureAddressCreateInfo place{VK_STRUCTURE_TYPE_BUFFER_OPAQUE_CAPTURE_ADDRESS_CREATE_INFO,
                                                 nullptr, at};
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, &place};
    info.flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT;
    info.size = 100000, info.usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    return vkCreateBuffer(device, &info, nullptr, &buffer);
  };
  VkBuffer first = VK_NULL_HANDLE, second = VK_NULL_HANDLE, other = VK_NULL_HANDLE;
  ok(create_sparse(0, first));
  const uint64_t place = address_of(first, true);
  EXPECT_EQ(place % 65536, 0u);
  EXPECT_EQ(place, address_of(first, false));
  EXPECT_EQ(create_sparse(place, second), VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
  vkDestroyBuffer(device, first, nullptr);
  make_buffer(300000, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  ok(create_sparse(place, second));
  EXPECT_EQ(address_of(second, false), place);
  EXPECT_EQ(create_sparse(place + 4096, other), VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
  vkDestroyBuffer(device, second, nullptr);
}

TEST_F(CaptureAddress, AddressesThatAreTakenOrFarAreRefused) {
  VkDeviceMemory first = VK_NULL_HANDLE, second = VK_NULL_HANDLE;
  ok(allocate(4096, 0, first));
  EXPECT_EQ(allocate(4096, address_of(first), second), VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
  EXPECT_EQ(allocate(4096, 0x7f0012340000, second), VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
  VkBuffer buffer = create(256, address_of(first) + 512);
  EXPECT_EQ(vkBindBufferMemory(device, buffer, first, 256), VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
  vkDestroyBuffer(device, buffer, nullptr);
  vkFreeMemory(device, first, nullptr);
}

}  // namespace
