// A compositor: each frame lays the pictures of windows, with their shadows, side by side on a screen, and
// presents it. The surfaces are named "window 1", "window 2", ... and hold one color here, since the program
// runs alone. `cutaway simulate --window NAME` shows another program's pictures in one of them
// (docs/contexts.md).
//
//   compositor [--screen WxH] [--frames N] WxH...
//
//   --screen  size of the screen; default: 640x360
//   --frames  default: 4
//   WxH       size of each window's surface

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "drawing.h"
#include "resources.h"
#include "window.frag.h"
#include "window.vert.h"

namespace {

using headless::Context;
using headless::Image;

constexpr VkFormat kFormat = VK_FORMAT_B8G8R8A8_UNORM;  // of windows and of the screen
constexpr VkPipelineStageFlags kAllStages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
constexpr headless::ImageState kFresh{kAllStages, 0, VK_IMAGE_LAYOUT_UNDEFINED},
    kCopied{kAllStages, VK_ACCESS_TRANSFER_WRITE_BIT, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL},
    kSampled{kAllStages, VK_ACCESS_SHADER_READ_BIT, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
    kPresented{kAllStages, 0, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR};

struct Options {
  VkExtent2D screen{640, 360};
  uint32_t frames = 4;
  std::vector<VkExtent2D> windows;
};

[[noreturn]] void usage(const char* program) {
  std::fprintf(stderr, "usage: %s [--screen WxH] [--frames N] WxH...\n", program);
  std::exit(2);
}

bool parse_size(const char* text, VkExtent2D& size) {
  char rest = 0;
  return std::sscanf(text, "%5ux%5u%c", &size.width, &size.height, &rest) == 2 && size.width && size.height;
}

Options parse(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; i++) {
    const std::string_view option = arguments[i];
    const bool more = i + 1 < count;
    VkExtent2D size{};
    if (option == "--screen" && more) {
      if (!parse_size(arguments[++i], options.screen)) usage(arguments[0]);
    } else if (option == "--frames" && more) {
      options.frames = static_cast<uint32_t>(std::strtoul(arguments[++i], nullptr, 10));
    } else if (parse_size(arguments[i], size)) {
      options.windows.push_back(size);
    } else {
      usage(arguments[0]);
    }
  }
  if (options.windows.empty() || !options.frames) usage(arguments[0]);
  return options;
}

void name_image(const Context& context, VkImage image, const std::string& name) {
  const auto set_name = reinterpret_cast<PFN_vkSetDebugUtilsObjectNameEXT>(
      vkGetInstanceProcAddr(context.instance(), "vkSetDebugUtilsObjectNameEXT"));
  VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
  info.objectType = VK_OBJECT_TYPE_IMAGE;
  info.objectHandle = reinterpret_cast<uint64_t>(image);
  info.pObjectName = name.c_str();
  HEADLESS_CHECK(set_name(context.device(), &info));
}

// The surfaces that hold the windows' pictures, each of one color.
std::vector<Image> make_windows(const Context& context, const std::vector<VkExtent2D>& sizes) {
  std::vector<Image> windows;
  const VkCommandBuffer commands = context.begin();
  for (const VkExtent2D& size : sizes) {
    windows.push_back(context.make_image(kFormat, size.width, size.height, 1,
                                         VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT));
    const VkImage image = windows.back().image;
    name_image(context, image, "window " + std::to_string(windows.size()));
    image_barrier(commands, image, kFresh, kCopied);
    const float shade = 0.3f * static_cast<float>(windows.size());
    const VkClearColorValue color{{0.2f, std::fmod(shade, 1.0f), 0.6f, 1}};
    const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1, &all);
    image_barrier(commands, image, kCopied, kSampled);
  }
  context.submit_and_wait(commands);
  return windows;
}

// A screen without a display behind it.
class Screen {
 public:
  Screen(const Context& context, VkExtent2D size) : context_(context), size_(size) {
    const auto create = reinterpret_cast<PFN_vkCreateHeadlessSurfaceEXT>(
        vkGetInstanceProcAddr(context.instance(), "vkCreateHeadlessSurfaceEXT"));
    const VkHeadlessSurfaceCreateInfoEXT surface_info{VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
    HEADLESS_CHECK(create(context.instance(), &surface_info, nullptr, &surface_));
    VkSwapchainCreateInfoKHR info{VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR};
    info.surface = surface_;
    info.minImageCount = 3;
    info.imageFormat = kFormat;
    info.imageExtent = size;
    info.imageArrayLayers = 1;
    info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    info.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
    info.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
    info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
    HEADLESS_CHECK(vkCreateSwapchainKHR(context.device(), &info, nullptr, &swapchain_));
    uint32_t count = 0;
    HEADLESS_CHECK(vkGetSwapchainImagesKHR(context.device(), swapchain_, &count, nullptr));
    images_.resize(count);
    HEADLESS_CHECK(vkGetSwapchainImagesKHR(context.device(), swapchain_, &count, images_.data()));
    const VkFenceCreateInfo fence_info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    HEADLESS_CHECK(vkCreateFence(context.device(), &fence_info, nullptr, &acquired_));
  }
  ~Screen() {
    vkDestroyFence(context_.device(), acquired_, nullptr);
    vkDestroySwapchainKHR(context_.device(), swapchain_, nullptr);
    vkDestroySurfaceKHR(context_.instance(), surface_, nullptr);
  }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  // Presents a copy of an image of the screen's size, which is a source of copies.
  void present(VkCommandBuffer commands, VkImage from) {
    uint32_t index = 0;
    HEADLESS_CHECK(
        vkAcquireNextImageKHR(context_.device(), swapchain_, UINT64_MAX, VK_NULL_HANDLE, acquired_, &index));
    HEADLESS_CHECK(vkWaitForFences(context_.device(), 1, &acquired_, VK_TRUE, UINT64_MAX));
    HEADLESS_CHECK(vkResetFences(context_.device(), 1, &acquired_));
    VkImageCopy all{};
    all.srcSubresource = all.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    all.extent = {size_.width, size_.height, 1};
    image_barrier(commands, images_[index], kFresh, kCopied);
    vkCmdCopyImage(commands, from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, images_[index],
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &all);
    image_barrier(commands, images_[index], kCopied, kPresented);
    context_.submit_and_wait(commands);
    VkPresentInfoKHR info{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
    info.swapchainCount = 1;
    info.pSwapchains = &swapchain_;
    info.pImageIndices = &index;
    HEADLESS_CHECK(vkQueuePresentKHR(context_.queue(), &info));
  }

 private:
  const Context& context_;
  VkExtent2D size_;
  VkSurfaceKHR surface_ = VK_NULL_HANDLE;
  VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
  std::vector<VkImage> images_;
  VkFence acquired_ = VK_NULL_HANDLE;
};

// Draws windows into a picture of the screen.
class Desktop {
 public:
  Desktop(const Context& context, const Options& options, const std::vector<Image>& windows)
      : context_(context),
        resources_(context, {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}, VK_SHADER_STAGE_ALL_GRAPHICS,
                   sizeof(Push), static_cast<uint32_t>(windows.size())),
        picture_(context, options.screen.width, options.screen.height, 1, VK_FORMAT_D32_SFLOAT, 0,
                 VK_SAMPLE_COUNT_1_BIT, kFormat) {
    VkSamplerCreateInfo linear{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    linear.magFilter = linear.minFilter = VK_FILTER_LINEAR;
    linear.addressModeU = linear.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    HEADLESS_CHECK(vkCreateSampler(context.device(), &linear, nullptr, &sampler_));
    for (const Image& window : windows) sets_.push_back(resources_.make_set({{window, sampler_}}));
    const VkShaderModule vertex = context.make_shader(window_vert, sizeof window_vert),
                         fragment = context.make_shader(window_frag, sizeof window_frag);
    headless::PipelineShape shape;
    shape.stages = {{VK_SHADER_STAGE_VERTEX_BIT, vertex}, {VK_SHADER_STAGE_FRAGMENT_BIT, fragment}};
    shape.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    shape.viewport = {
        0, 0, static_cast<float>(options.screen.width), static_cast<float>(options.screen.height), 0, 1};
    shape.depth.depthTestEnable = shape.depth.depthWriteEnable = VK_FALSE;
    shape.blend = {VK_TRUE,
                   VK_BLEND_FACTOR_SRC_ALPHA,
                   VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                   VK_BLEND_OP_ADD,
                   VK_BLEND_FACTOR_ONE,
                   VK_BLEND_FACTOR_ZERO,
                   VK_BLEND_OP_ADD,
                   0xf};
    shape.layout = resources_.layout();
    pipeline_ = picture_.make_pipeline(shape);
    for (const VkShaderModule module : {vertex, fragment})
      vkDestroyShaderModule(context.device(), module, nullptr);
  }
  ~Desktop() { vkDestroySampler(context_.device(), sampler_, nullptr); }
  Desktop(const Desktop&) = delete;
  Desktop& operator=(const Desktop&) = delete;

  // Windows share the width; they move a little from frame to frame.
  void draw(VkCommandBuffer commands, uint32_t frame) const {
    picture_.record(commands, [&](VkCommandBuffer inside) {
      vkCmdBindPipeline(inside, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_.pipeline);
      const float width = 2.0f / static_cast<float>(sets_.size());
      for (uint32_t i = 0; i < sets_.size(); i++) {
        const float left = -1 + width * static_cast<float>(i) + 0.05f,
                    top = -0.8f + 0.04f * static_cast<float>(frame % 8);
        rectangle(inside, i, {{left + 0.03f, top + 0.05f, width - 0.1f, 1.3f}, {0, 0, 0, 0.4f}});
        rectangle(inside, i, {{left, top, width - 0.1f, 1.3f}, {1, 1, 1, 1}});
      }
    });
  }
  VkImage picture() const { return picture_.color().image; }

 private:
  struct Push {
    std::array<float, 4> place, tint;  // left, top, width and height in clip space
  };
  void rectangle(VkCommandBuffer commands, uint32_t window, const Push& push) const {
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_.layout, 0, 1, &sets_[window],
                            0, nullptr);
    vkCmdPushConstants(commands, pipeline_.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof push, &push);
    vkCmdDraw(commands, 4, 1, 0, 0);
  }

  const Context& context_;
  headless::Resources resources_;
  headless::Drawing picture_;
  VkSampler sampler_ = VK_NULL_HANDLE;
  std::vector<VkDescriptorSet> sets_;
  headless::Drawing::Pipeline pipeline_;
};

}  // namespace

int main(int count, char** arguments) {
  const Options options = parse(count, arguments);
  const Context context({VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME,
                         VK_EXT_DEBUG_UTILS_EXTENSION_NAME},
                        {}, VK_API_VERSION_1_0, nullptr, {VK_KHR_SWAPCHAIN_EXTENSION_NAME});
  const std::vector<Image> windows = make_windows(context, options.windows);
  {
    const Desktop desktop(context, options, windows);
    Screen screen(context, options.screen);
    for (uint32_t frame = 0; frame < options.frames; frame++) {
      const VkCommandBuffer commands = context.begin();
      desktop.draw(commands, frame);
      screen.present(commands, desktop.picture());
    }
    HEADLESS_CHECK(vkDeviceWaitIdle(context.device()));
  }
  for (const Image& window : windows) context.destroy(window);
}
