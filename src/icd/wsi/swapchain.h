#pragma once

#include <memory>
#include <vector>

#include "icd/device/device.h"
#include "icd/resource/image.h"
#include "icd/wsi/surface.h"

namespace cutaway::icd {

// Images that are shown in a window in turn. They are ordinary tiled images. Presenting one is a submission
// that flushes its colors to memory and makes the DAC scan it out (PRESENT); then the host shows the same
// texels in the window.
class Swapchain {
 public:
  Swapchain(Device& device, const VkSwapchainCreateInfoKHR& info);
  ~Swapchain();

  const std::vector<VkImage>& images() const { return handles_; }
  const Image& image(uint32_t index) const { return *images_[index]; }

  // VK_TIMEOUT or VK_NOT_READY: no image is free. Signals at once: a free image has been shown.
  VkResult acquire(uint64_t timeout, VkSemaphore semaphore, VkFence fence, uint32_t* index);
  // Shows the image, as a whole, once all earlier work and `waits` have ended: regions that changed
  // (VK_KHR_incremental_present) are a hint.
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
  std::unique_ptr<host::Allocation> commands_;  // the packets that present image i, consecutively
  uint32_t command_words_ = 0;                  // per image
  uint32_t next_ = 0;                           // the image after the last acquired one
  std::vector<bool> taken_;  // acquired or waiting to be shown; guarded by the device's sync()
  uint32_t presenting_ = 0;  // presents that have not been shown yet
};

}  // namespace cutaway::icd
