// A program that asks for every feature of Vulkan 1.0 that the device has and uses none of them: it clears a
// picture and writes it to a file. Recordings of it need the features of the driver that they were made on.
//
//   all_features OUTPUT.ppm

#include "headless.h"

namespace {

VkPhysicalDeviceFeatures all_features() {
  headless::print_device = false;
  const headless::Context context;
  VkPhysicalDeviceFeatures features;
  vkGetPhysicalDeviceFeatures(context.physical_device(), &features);
  return features;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s OUTPUT.ppm\n", arguments[0]);
    return 2;
  }
  constexpr uint32_t kSide = 16;
  const headless::Context context({}, all_features());
  const headless::Image image = context.make_image(
      VK_FORMAT_R8G8B8A8_UNORM, kSide, kSide, 1,
      VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
  const headless::Buffer pixels = context.make_buffer(kSide * kSide * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const VkCommandBuffer commands = context.begin();
  headless::to_general(commands, image, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
  const VkClearColorValue color{{0, 1, 0, 1}};
  const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vkCmdClearColorImage(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &all);
  headless::full_barrier(commands);
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {kSide, kSide, 1};
  vkCmdCopyImageToBuffer(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, pixels.buffer, 1, &region);
  headless::full_barrier(commands);
  context.submit_and_wait(commands);
  headless::write_ppm(arguments[1], kSide, kSide, static_cast<const uint8_t*>(pixels.mapped));
  context.destroy(image);
  context.destroy(pixels);
  return 0;
}
