#include "icd_testdata/query_structures.h"

#include <cstring>

#include "icd/testing/resource_fixture.h"

// Every structure of the registry that extends what a query fills, and that is core or of an advertised
// extension, is written whole.
namespace {

using namespace cutaway::icd::testing;

struct QueryStructures : Resources {
  void SetUp() override {
    version = VK_API_VERSION_1_3;
    Resources::SetUp();
  }

  // Calls ask(chain) with each structure that extends `query`, and names the members that it leaves
  // unwritten.
  template <class Ask>
  std::vector<std::string> unwritten(std::string_view query, Ask&& ask) {
    std::vector<std::string> names;
    for (const QueryStructure& structure : kQueryStructures) {
      if (structure.query != query) continue;
      asked_++;
      // A byte that keeps two different values was not written.
      const std::vector<unsigned char> first = filled(structure, 0xab, ask),
                                       second = filled(structure, 0x54, ask);
      for (const QueryMember& member : structure.members)
        for (size_t i = member.offset; i < member.offset + member.bytes; i++)
          if (first[i] == 0xab && second[i] == 0x54) {
            names.push_back(std::string(structure.name) + "::" + member.name);
            break;
          }
    }
    return names;
  }

  size_t asked_ = 0;

 private:
  template <class Ask>
  static std::vector<unsigned char> filled(const QueryStructure& structure, unsigned char value, Ask&& ask) {
    std::vector<unsigned char> bytes(structure.bytes, value);
    const VkBaseOutStructure head{structure.type, nullptr};
    std::memcpy(bytes.data(), &head, sizeof head);
    ask(bytes.data());
    VkBaseOutStructure kept;
    std::memcpy(&kept, bytes.data(), sizeof kept);
    EXPECT_EQ(kept.sType, structure.type) << structure.name;
    EXPECT_EQ(kept.pNext, nullptr) << structure.name;
    return bytes;
  }
};

const std::vector<std::string> kNone;

TEST_F(QueryStructures, AreWrittenWhole) {
  EXPECT_EQ(unwritten("VkPhysicalDeviceFeatures2",
                      [&](void* chain) {
                        VkPhysicalDeviceFeatures2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, chain};
                        vkGetPhysicalDeviceFeatures2(physical, &all);
                      }),
            kNone);
  EXPECT_EQ(
      unwritten("VkPhysicalDeviceProperties2",
                [&](void* chain) {
                  VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, chain};
                  vkGetPhysicalDeviceProperties2(physical, &all);
                }),
      kNone);
  EXPECT_EQ(unwritten("VkFormatProperties2",
                      [&](void* chain) {
                        VkFormatProperties2 all{VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, chain};
                        vkGetPhysicalDeviceFormatProperties2(physical, kFormat, &all);
                      }),
            kNone);
  EXPECT_EQ(unwritten("VkImageFormatProperties2",
                      [&](void* chain) {
                        VkPhysicalDeviceImageFormatInfo2 info{
                            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2};
                        info.format = kFormat, info.type = VK_IMAGE_TYPE_2D;
                        info.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
                        VkImageFormatProperties2 all{VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2, chain};
                        ok(vkGetPhysicalDeviceImageFormatProperties2(physical, &info, &all));
                      }),
            kNone);
  EXPECT_EQ(
      unwritten("VkDescriptorSetLayoutSupport",
                [&](void* chain) {
                  const VkDescriptorSetLayoutCreateInfo info{
                      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
                  VkDescriptorSetLayoutSupport all{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT, chain};
                  vkGetDescriptorSetLayoutSupport(device, &info, &all);
                }),
      kNone);
  EXPECT_EQ(asked_, kQueryStructures.size() - 1)
      << "a structure extends a query that this test does not make";
}

// The structure of four commands.
TEST_F(QueryStructures, OfMemoryRequirementsAreWrittenWhole) {
  const Buffer buffer = make_buffer(16, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const Image image = make_image(kFormat, VK_IMAGE_USAGE_SAMPLED_BIT);
  VkBufferCreateInfo buffer_info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  buffer_info.size = 16, buffer_info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkImageCreateInfo image_info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  image_info.imageType = VK_IMAGE_TYPE_2D, image_info.format = kFormat, image_info.extent = {4, 4, 1};
  image_info.mipLevels = image_info.arrayLayers = 1, image_info.samples = VK_SAMPLE_COUNT_1_BIT;
  image_info.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
  const auto ask = [&](auto&& call) {
    EXPECT_EQ(unwritten("VkMemoryRequirements2",
                        [&](void* chain) {
                          VkMemoryRequirements2 all{VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2, chain};
                          call(all);
                        }),
              kNone);
  };
  ask([&](VkMemoryRequirements2& all) {
    const VkBufferMemoryRequirementsInfo2 info{VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2, nullptr,
                                               buffer.buffer};
    vkGetBufferMemoryRequirements2(device, &info, &all);
  });
  ask([&](VkMemoryRequirements2& all) {
    const VkImageMemoryRequirementsInfo2 info{VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2, nullptr,
                                              image.image};
    vkGetImageMemoryRequirements2(device, &info, &all);
  });
  PFN_vkGetDeviceBufferMemoryRequirements of_buffer = nullptr;
  PFN_vkGetDeviceImageMemoryRequirements of_image = nullptr;
  load(of_buffer, "vkGetDeviceBufferMemoryRequirements");
  load(of_image, "vkGetDeviceImageMemoryRequirements");
  ask([&](VkMemoryRequirements2& all) {
    const VkDeviceBufferMemoryRequirements info{VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS, nullptr,
                                                &buffer_info};
    of_buffer(device, &info, &all);
  });
  ask([&](VkMemoryRequirements2& all) {
    const VkDeviceImageMemoryRequirements info{VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS, nullptr,
                                               &image_info};
    of_image(device, &info, &all);
  });
}

}  // namespace
