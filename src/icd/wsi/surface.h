#pragma once

#include <cstdint>
#include <span>

#include "icd/object.h"

namespace cutaway::icd {

// A window or, without a window system, nothing: what a VkSurfaceKHR, one of vk_icd.h's structures, shows.
class SurfaceView {
 public:
  explicit SurfaceView(VkSurfaceKHR surface);

  bool headless() const { return !connection_; }

  // Asks the window system each time. Headless: {UINT32_MAX, UINT32_MAX}, "the swapchain decides".
  // ApiError VK_ERROR_SURFACE_LOST_KHR: the window is gone.
  VkExtent2D extent() const;
  bool can_show() const;  // a window of true color with 8 bits a channel

  // Puts rows of 32-bit pixels (B, G, R, x) into the upper left corner; ends when the server has drawn them.
  // A window that has gone meanwhile is no error.
  void put(uint32_t width, uint32_t height, std::span<const uint32_t> pixels) const;

 private:
  xcb_connection_t* connection_ = nullptr;
  xcb_window_t window_ = 0;
};

}  // namespace cutaway::icd
