#include "icd/testing/render_fixture.h"

// Tests what extensions let programs say of the images of a swapchain: formats of their views, and regions
// that changed.
namespace swapchain_views_test {
namespace {

using namespace cutaway::icd::testing;

struct SwapchainViews : Renderer {
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  VkSwapchainKHR swapchain = VK_NULL_HANDLE;
  std::vector<VkImage> images;

  void SetUp() override {
    for (const char* name : {VK_KHR_SWAPCHAIN_EXTENSION_NAME, VK_KHR_SWAPCHAIN_MUTABLE_FORMAT_EXTENSION_NAME,
                             VK_KHR_INCREMENTAL_PRESENT_EXTENSION_NAME, VK_KHR_MAINTENANCE2_EXTENSION_NAME,
                             VK_KHR_IMAGE_FORMAT_LIST_EXTENSION_NAME})
      extensions.push_back(name);
    Renderer::SetUp();
    const VkHeadlessSurfaceCreateInfoEXT info{VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
    const auto make = reinterpret_cast<PFN_vkCreateHeadlessSurfaceEXT>(
        vkGetInstanceProcAddr(instance, "vkCreateHeadlessSurfaceEXT"));
    ok(make(instance, &info, nullptr, &surface));
    at_end([this] { vkDestroySurfaceKHR(instance, surface, nullptr); });
    make_swapchain();
  }
  // Makes one of kFormat, whose views may also be SRGB.
  void make_swapchain() {
    VkBool32 supported = VK_FALSE;
    ok(vkGetPhysicalDeviceSurfaceSupportKHR(physical, 0, surface, &supported));
    VkSurfaceCapabilitiesKHR capabilities;
    ok(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(physical, surface, &capabilities));
    uint32_t count = 0;
    ok(vkGetPhysicalDeviceSurfaceFormatsKHR(physical, surface, &count, nullptr));
    std::vector<VkSurfaceFormatKHR> formats(count);
    ok(vkGetPhysicalDeviceSurfaceFormatsKHR(physical, surface, &count, formats.data()));
    ok(vkGetPhysicalDeviceSurfacePresentModesKHR(physical, surface, &count, nullptr));
    std::vector<VkPresentModeKHR> modes(count);
    ok(vkGetPhysicalDeviceSurfacePresentModesKHR(physical, surface, &count, modes.data()));
    const VkFormat views[2] = {kFormat, VK_FORMAT_R8G8B8A8_SRGB};
    const VkImageFormatListCreateInfo list{VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO, nullptr, 2,
                                           views};
    VkSwapchainCreateInfoKHR info{VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR, &list};
    info.flags = VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR;
    info.surface = surface;
    info.minImageCount = 2;
    info.imageFormat = kFormat;
    info.imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;
    info.imageExtent = {kSide, kSide};
    info.imageArrayLayers = 1;
    info.imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    info.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
    info.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
    info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
    ok(vkCreateSwapchainKHR(device, &info, nullptr, &swapchain));
    at_end([this] { vkDestroySwapchainKHR(device, swapchain, nullptr); });
    ok(vkGetSwapchainImagesKHR(device, swapchain, &count, nullptr));
    images.resize(count);
    ok(vkGetSwapchainImagesKHR(device, swapchain, &count, images.data()));
  }
  uint32_t acquire() {
    const VkFenceCreateInfo info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence fence = VK_NULL_HANDLE;
    ok(vkCreateFence(device, &info, nullptr, &fence));
    uint32_t index = 0;
    ok(vkAcquireNextImageKHR(device, swapchain, UINT64_MAX, VK_NULL_HANDLE, fence, &index));
    ok(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
    vkDestroyFence(device, fence, nullptr);
    return index;
  }
  static void to_present(VkCommandBuffer commands, VkImage image) {
    VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
    barrier.srcAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
    barrier.oldLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    barrier.newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0,
                         nullptr, 0, nullptr, 1, &barrier);
  }
  VkResult present(uint32_t index, const void* more) {
    VkPresentInfoKHR info{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR, more};
    info.swapchainCount = 1, info.pSwapchains = &swapchain, info.pImageIndices = &index;
    return vkQueuePresentKHR(queue, &info);
  }
  // A pass of one target of a format, which is cleared.
  VkRenderPass make_pass_of(VkFormat format) {
    VkAttachmentDescription attachment{};
    attachment.format = format, attachment.samples = VK_SAMPLE_COUNT_1_BIT;
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR, attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    attachment.finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    const VkAttachmentReference color{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass{};
    subpass.colorAttachmentCount = 1, subpass.pColorAttachments = &color;
    VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    info.attachmentCount = info.subpassCount = info.dependencyCount = 1;
    info.pAttachments = &attachment, info.pSubpasses = &subpass, info.pDependencies = &kColorToCopies;
    return make_pass(info);
  }
};

// Colors are encoded by the view's format, and presented as they are.
TEST_F(SwapchainViews, MayBeOfAnotherFormat) {
  for (const auto& [format, stored] :
       {std::pair<VkFormat, uint8_t>{VK_FORMAT_R8G8B8A8_SRGB, 188}, {kFormat, 128}}) {
    const uint32_t index = acquire();
    Image image;
    image.image = images[index], image.format = format;
    const VkRenderPass pass = make_pass_of(format);
    const VkFramebuffer framebuffer = make_framebuffer(pass, {make_view(image, 0, 1)});
    const VkCommandBuffer commands = begin();
    run_pass(commands, pass, framebuffer, [](VkCommandBuffer) {}, VK_NULL_HANDLE,
             {clear_color(0.5f, 0.5f, 0.5f)});
    const Buffer seen = read_back(commands, image);
    to_present(commands, image.image);
    submit(commands);
    EXPECT_EQ(pixel(seen, 3, 5), (Color{stored, stored, stored, 255}));
    ok(present(index, nullptr));
  }
}

// Regions are a hint; without, the whole image has changed.
TEST_F(SwapchainViews, PresentsMayNameRegions) {
  const VkRectLayerKHR rectangle{{2, 3}, {4, 5}, 0};
  const VkPresentRegionKHR some{1, &rectangle};
  for (const VkPresentRegionKHR* region : {&some, static_cast<const VkPresentRegionKHR*>(nullptr)}) {
    const uint32_t index = acquire();
    Image image;
    image.image = images[index];
    const VkRenderPass pass = make_pass_of(kFormat);
    const VkFramebuffer framebuffer = make_framebuffer(pass, {make_view(image, 0, 1)});
    const VkCommandBuffer commands = begin();
    run_pass(commands, pass, framebuffer, [](VkCommandBuffer) {}, VK_NULL_HANDLE, {clear_color(1, 0, 0)});
    to_present(commands, image.image);
    submit(commands);
    const VkPresentRegionsKHR regions{VK_STRUCTURE_TYPE_PRESENT_REGIONS_KHR, nullptr, 1, region};
    ok(present(index, region ? &regions : nullptr));
    ok(vkQueueWaitIdle(queue));
  }
}

}  // namespace
}  // namespace swapchain_views_test
