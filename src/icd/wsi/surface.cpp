#include "icd/wsi/surface.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>

#include "arch/gpu.h"
#include "icd/device/limits.h"
#include "icd/device/offer.h"

namespace cutaway::icd {
namespace {

struct Free {
  void operator()(void* reply) const { std::free(reply); }
};
template <class Reply>
using ReplyPointer = std::unique_ptr<Reply, Free>;

ReplyPointer<xcb_get_geometry_reply_t> geometry(xcb_connection_t* connection, xcb_window_t window) {
  xcb_generic_error_t* error = nullptr;
  ReplyPointer<xcb_get_geometry_reply_t> reply(
      xcb_get_geometry_reply(connection, xcb_get_geometry(connection, window), &error));
  std::free(error);
  return reply;
}

// The connection below a program's Xlib. The Xlib function is looked up at run time, so that programs without
// Xlib do not need it.
xcb_connection_t* connection_of(Display* display) {
  using Get = xcb_connection_t* (*)(Display*);
  static const auto get = [] {
    void* library = dlopen("libX11-xcb.so.1", RTLD_NOW | RTLD_LOCAL);
    return library ? reinterpret_cast<Get>(dlsym(library, "XGetXCBConnection")) : nullptr;
  }();
  if (!get) unsupported("a window of Xlib without libX11-xcb.so.1");
  return get(display);
}

}  // namespace

SurfaceView::SurfaceView(VkSurfaceKHR surface) {
  const auto* base = reinterpret_cast<const VkIcdSurfaceBase*>(surface);
  if (base->platform == VK_ICD_WSI_PLATFORM_HEADLESS) return;
  if (base->platform == VK_ICD_WSI_PLATFORM_XLIB) {
    const auto* xlib = reinterpret_cast<const VkIcdSurfaceXlib*>(surface);
    connection_ = connection_of(xlib->dpy);
    window_ = static_cast<xcb_window_t>(xlib->window);
    return;
  }
  if (base->platform != VK_ICD_WSI_PLATFORM_XCB)
    unsupported("a window of platform {}", static_cast<int>(base->platform));
  const auto* xcb = reinterpret_cast<const VkIcdSurfaceXcb*>(surface);
  connection_ = xcb->connection;
  window_ = xcb->window;
}

VkExtent2D SurfaceView::extent() const {
  if (headless()) return {UINT32_MAX, UINT32_MAX};
  const auto reply = geometry(connection_, window_);
  if (!reply) throw ApiError{VK_ERROR_SURFACE_LOST_KHR};
  return {reply->width, reply->height};
}

bool SurfaceView::can_show() const {
  if (headless()) return true;
  const auto reply = geometry(connection_, window_);
  return reply && (reply->depth == 24 || reply->depth == 32);
}

void SurfaceView::put(uint32_t width, uint32_t height, std::span<const uint32_t> pixels) const {
  if (headless()) return;
  const auto reply = geometry(connection_, window_);
  if (!reply) return;
  // Requests errors and discards them: an error that reached the application's own handler would end it.
  const xcb_gcontext_t gc = xcb_generate_id(connection_);
  xcb_discard_reply(connection_, xcb_create_gc_checked(connection_, gc, window_, 0, nullptr).sequence);
  const uint64_t row_bytes = uint64_t{width} * sizeof pixels[0];
  // The protocol counts requests in words; a PutImage header is smaller than kHeadBytes.
  constexpr uint64_t kWordBytes = 4, kHeadBytes = 64;
  const uint64_t request_bytes =
      uint64_t{xcb_get_maximum_request_length(connection_)} * kWordBytes - kHeadBytes;
  const auto band = static_cast<uint32_t>(std::max<uint64_t>(1, request_bytes / row_bytes));
  for (uint32_t y = 0; y < height; y += band) {
    const uint32_t rows = std::min(band, height - y);
    const auto cookie = xcb_put_image_checked(connection_, XCB_IMAGE_FORMAT_Z_PIXMAP, window_, gc,
                                              static_cast<uint16_t>(width), static_cast<uint16_t>(rows), 0,
                                              static_cast<int16_t>(y), 0, reply->depth,
                                              static_cast<uint32_t>(rows * row_bytes),
                                              reinterpret_cast<const uint8_t*>(&pixels[size_t{y} * width]));
    xcb_discard_reply(connection_, cookie.sequence);
  }
  std::free(xcb_request_check(connection_, xcb_free_gc_checked(connection_, gc)));
}

namespace {

// A surface made by the driver: any of the structures that a loader would make (vk_icd.h).
union IcdSurface {
  VkIcdSurfaceBase base;
  VkIcdSurfaceXcb xcb;
  VkIcdSurfaceXlib xlib;
  VkIcdSurfaceHeadless headless;
};

VkResult give(VkSurfaceKHR* surface, const IcdSurface& made) {
  *surface = VK_NULL_HANDLE;
  return guard([&] { *surface = reinterpret_cast<VkSurfaceKHR>(new IcdSurface(made)); });
}

}  // namespace

VkResult CreateXcbSurfaceKHR(VkInstance, const VkXcbSurfaceCreateInfoKHR* info, const VkAllocationCallbacks*,
                             VkSurfaceKHR* surface) {
  return give(surface, {.xcb = {{VK_ICD_WSI_PLATFORM_XCB}, info->connection, info->window}});
}

VkResult CreateXlibSurfaceKHR(VkInstance, const VkXlibSurfaceCreateInfoKHR* info,
                              const VkAllocationCallbacks*, VkSurfaceKHR* surface) {
  return give(surface, {.xlib = {{VK_ICD_WSI_PLATFORM_XLIB}, info->dpy, info->window}});
}

VkResult CreateHeadlessSurfaceEXT(VkInstance, const VkHeadlessSurfaceCreateInfoEXT*,
                                  const VkAllocationCallbacks*, VkSurfaceKHR* surface) {
  return give(surface, {.headless = {{VK_ICD_WSI_PLATFORM_HEADLESS}}});
}

void DestroySurfaceKHR(VkInstance, VkSurfaceKHR surface, const VkAllocationCallbacks*) {
  delete reinterpret_cast<IcdSurface*>(surface);
}

namespace {

// Queues of the other family reach no display.
constexpr uint32_t kPresentingFamily = static_cast<uint32_t>(arch::QueueKind::kGraphics);

}  // namespace

VkBool32 GetPhysicalDeviceXcbPresentationSupportKHR(VkPhysicalDevice, uint32_t family, xcb_connection_t*,
                                                    xcb_visualid_t) {
  return family == kPresentingFamily;
}

VkBool32 GetPhysicalDeviceXlibPresentationSupportKHR(VkPhysicalDevice, uint32_t family, Display*, VisualID) {
  return family == kPresentingFamily;
}

VkResult GetPhysicalDeviceSurfaceSupportKHR(VkPhysicalDevice, uint32_t family, VkSurfaceKHR surface,
                                            VkBool32* supported) {
  return guard([&] { *supported = family == kPresentingFamily && SurfaceView(surface).can_show(); });
}

VkResult GetPhysicalDeviceSurfaceCapabilitiesKHR(VkPhysicalDevice, VkSurfaceKHR surface,
                                                 VkSurfaceCapabilitiesKHR* capabilities) {
  return guard([&] {
    const SurfaceView view(surface);
    VkSurfaceCapabilitiesKHR& c = *capabilities;
    c = {};
    c.minImageCount = kMinSwapchainImages;
    c.maxImageCount = kMaxSwapchainImages;
    c.currentExtent = view.extent();
    const VkExtent2D largest{offer().images.size, offer().images.size};
    // "VkSurfaceCapabilitiesKHR": with a window the swapchain must have its size.
    c.minImageExtent = view.headless() ? VkExtent2D{1, 1} : c.currentExtent;
    c.maxImageExtent = view.headless() ? largest : c.currentExtent;
    c.maxImageArrayLayers = 1;
    c.supportedTransforms = c.currentTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
    c.supportedCompositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR;
    c.supportedUsageFlags = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                            VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                            VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
  });
}

VkResult GetPhysicalDeviceSurfaceCapabilities2KHR(VkPhysicalDevice device,
                                                  const VkPhysicalDeviceSurfaceInfo2KHR* info,
                                                  VkSurfaceCapabilities2KHR* capabilities) {
  return GetPhysicalDeviceSurfaceCapabilitiesKHR(device, info->surface, &capabilities->surfaceCapabilities);
}

namespace {

constexpr std::array kSurfaceFormats{
    VkSurfaceFormatKHR{VK_FORMAT_B8G8R8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
    VkSurfaceFormatKHR{VK_FORMAT_B8G8R8A8_SRGB, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
    VkSurfaceFormatKHR{VK_FORMAT_R8G8B8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
    VkSurfaceFormatKHR{VK_FORMAT_R8G8B8A8_SRGB, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
};

}  // namespace

VkResult GetPhysicalDeviceSurfaceFormatsKHR(VkPhysicalDevice, VkSurfaceKHR, uint32_t* count,
                                            VkSurfaceFormatKHR* formats) {
  return enumerate(kSurfaceFormats, count, formats);
}

VkResult GetPhysicalDeviceSurfaceFormats2KHR(VkPhysicalDevice, const VkPhysicalDeviceSurfaceInfo2KHR*,
                                             uint32_t* count, VkSurfaceFormat2KHR* formats) {
  const auto size = static_cast<uint32_t>(kSurfaceFormats.size());
  const uint32_t given = formats ? std::min(*count, size) : 0;
  for (uint32_t i = 0; i < given; i++) formats[i].surfaceFormat = kSurfaceFormats[i];
  *count = formats ? given : size;
  return formats && given < size ? VK_INCOMPLETE : VK_SUCCESS;
}

VkResult GetPhysicalDeviceSurfacePresentModesKHR(VkPhysicalDevice, VkSurfaceKHR, uint32_t* count,
                                                 VkPresentModeKHR* modes) {
  return enumerate(std::array{VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_IMMEDIATE_KHR}, count, modes);
}

VkResult GetPhysicalDevicePresentRectanglesKHR(VkPhysicalDevice, VkSurfaceKHR surface, uint32_t* count,
                                               VkRect2D* rectangles) {
  return guard([&] {
    const SurfaceView view(surface);
    const VkExtent2D extent = view.headless() ? VkExtent2D{0, 0} : view.extent();
    return enumerate(std::array{VkRect2D{{0, 0}, extent}}, count, rectangles);
  });
}

}  // namespace cutaway::icd
