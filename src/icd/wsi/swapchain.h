#pragma once

#include <memory>
#include <vector>

#include "icd/device/device.h"
#include "icd/resource/image.h"
#include "icd/wsi/surface.h"

namespace cutaway::icd {

// Images that take turns in a window. They are ordinary tiled images; presenting one is a submission that
// brings its colors to memory and has the DAC scan it out (PRESENT), after which the host shows the same
// texels in the window.
class Swapchain {
 public:
  Swapchain(Device& device, const VkSwapchainCreateInfoKHR& info);
  ~Swapchain();

  const std::vector<VkImage>& images() const { return handles_; }
  const Image& image(uint32_t index) const { return *images_[index]; }

  // VK_TIMEOUT or VK_NOT_READY: none is free. Signals at once: what is free has been shown.
  VkResult acquire(uint64_t timeout, VkSemaphore semaphore, VkFence fence, uint32_t* index);
  // The image is shown when all work before it, and `waits`, have ended.
  VkResult present(uint32_t index, std::vector<host::SemaphorePoint> waits);

 private:
  void show(uint32_t index, const arch::Memory& memory);
  bool out_of_date() const;

  Device& device_;
  const SurfaceView surface_;
  const VkExtent2D extent_;
  std::vector<std::unique_ptr<Image>> images_;
  std::vector<VkImage> handles_;
  std::vector<std::shared_ptr<host::Allocation>> memory_;
  std::unique_ptr<host::Allocation> commands_;  // what presents image i, one after the other
  uint32_t command_words_ = 0;                  // of one image
  uint32_t next_ = 0;                           // image: the one after that acquired last
  std::vector<bool> taken_;  // acquired or waiting to be shown; guarded by the device's sync()
  uint32_t presenting_ = 0;  // presents that have not been shown yet
};

}  // namespace cutaway::icd
