#pragma once

#include <cstdint>
#include <span>

#include "icd/object.h"

namespace cutaway::icd {

// The window behind a VkSurfaceKHR (one of vk_icd.h's structures), or nothing for a headless surface.
class SurfaceView {
 public:
  explicit SurfaceView(VkSurfaceKHR surface);

  bool headless() const { return !connection_; }

  // Queries the window system each time. Headless: {UINT32_MAX, UINT32_MAX}, "the swapchain decides".
  // ApiError VK_ERROR_SURFACE_LOST_KHR: the window is gone.
  VkExtent2D extent() const;
  bool can_show() const;  // true-color window with 8 bits a channel

  // Draws rows of 32-bit pixels (B, G, R, x) into the upper left corner; returns when the server has drawn
  // them. Ignores a window that is gone.
  void put(uint32_t width, uint32_t height, std::span<const uint32_t> pixels) const;

 private:
  xcb_connection_t* connection_ = nullptr;
  xcb_window_t window_ = 0;
};

}  // namespace cutaway::icd
