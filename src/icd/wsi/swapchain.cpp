#include "icd/wsi/swapchain.h"

#include <algorithm>
#include <memory>

#include "arch/packet.h"
#include "icd/device/limits.h"
#include "icd/device/queue.h"
#include "icd/sync/fence.h"
#include "icd/sync/semaphore.h"
#include "icd/wsi/window_pixels.h"

namespace cutaway::icd {
namespace {

// "vkCreateSwapchainKHR": images are made as if with this structure. A list of formats
// (VK_KHR_swapchain_mutable_format) leaves nothing out: views may have any that is compatible.
VkImageCreateInfo image_info(const VkSwapchainCreateInfoKHR& info) {
  VkImageCreateInfo image{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  image.flags = info.flags & VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR
                    ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT
                    : 0;
  image.imageType = VK_IMAGE_TYPE_2D;
  image.format = info.imageFormat;
  image.extent = {info.imageExtent.width, info.imageExtent.height, 1};
  image.mipLevels = 1;
  image.arrayLayers = info.imageArrayLayers;
  image.samples = VK_SAMPLE_COUNT_1_BIT;
  image.tiling = VK_IMAGE_TILING_OPTIMAL;
  image.usage = info.imageUsage;
  return image;
}

std::vector<uint32_t> present_commands(const arch::Surface& surface) {
  arch::CommandWriter writer;
  const uint32_t caches = arch::kCacheColor | arch::kCacheStorage;
  writer.words(arch::Opcode::kFlush, {&caches, 1});
  writer.packet(arch::Opcode::kWaitIdle);
  writer.packet(arch::Opcode::kPresent, surface);
  return writer.take();
}

}  // namespace

Swapchain::Swapchain(Device& device, const VkSwapchainCreateInfoKHR& info)
    : device_(device), surface_(info.surface), extent_(info.imageExtent) {
  const uint32_t count = std::max(kMinSwapchainImages, info.minImageCount);
  std::vector<uint32_t> words;
  for (uint32_t i = 0; i < count; i++) {
    images_.push_back(std::make_unique<Image>(image_info(info)));
    forget_private_data(images_.back().get());
    memory_.push_back(device.allocate(images_.back()->requirements().size));
    images_.back()->bind(device, memory_.back()->address(), memory_.back());
    handles_.push_back(handle(images_.back().get()));
    const std::vector<uint32_t> commands = present_commands(images_.back()->surface());
    command_words_ = static_cast<uint32_t>(commands.size());
    words.insert(words.end(), commands.begin(), commands.end());
  }
  commands_ = device.allocate_commands(words.size() * sizeof words[0]);
  commands_->write(0, std::span<const uint32_t>(words));
  taken_.resize(count);
}

Swapchain::~Swapchain() { device_.host_queues().wait_idle(arch::QueueKind::kGraphics); }

bool Swapchain::out_of_date() const {
  if (surface_.headless()) return false;
  const VkExtent2D now = surface_.extent();
  return now.width != extent_.width || now.height != extent_.height;
}

VkResult Swapchain::acquire(uint64_t timeout, VkSemaphore semaphore, VkFence fence, uint32_t* index) {
  if (device_.lost()) return VK_ERROR_DEVICE_LOST;
  if (out_of_date()) return VK_ERROR_OUT_OF_DATE_KHR;
  const auto free = [&] {
    return device_.host_queues().lost_unlocked() ||
           (presenting_ == 0 && std::find(taken_.begin(), taken_.end(), false) != taken_.end());
  };
  if (!device_.sync().wait(host::deadline_after(timeout), free)) return timeout ? VK_TIMEOUT : VK_NOT_READY;
  if (device_.lost()) return VK_ERROR_DEVICE_LOST;
  device_.sync().change([&] {
    // Takes images in turn, so that the next frame is not drawn to the image that the display still scans
    // out, and waits until every earlier present has been shown, so that every run uses the same images.
    while (taken_[next_ % taken_.size()]) next_++;
    *index = static_cast<uint32_t>(next_++ % taken_.size());
    taken_[*index] = true;
    if (semaphore) object(semaphore)->state()->signal(1, {});
    if (fence) object(fence)->state()->signaled = true;
  });
  return VK_SUCCESS;
}

VkResult Swapchain::present(uint32_t index, std::vector<host::SemaphorePoint> waits) {
  host::Work work;
  work.waits = std::move(waits);
  work.commands = {
      {commands_->address() + uint64_t{index} * command_words_ * sizeof(uint32_t), command_words_}};
  work.presents = true;
  device_.sync().change([&] { presenting_++; });
  work.ended = [this, index](const arch::Memory& memory) { show(index, memory); };
  device_.host_queues().push(std::move(work));
  return out_of_date() ? VK_ERROR_OUT_OF_DATE_KHR : VK_SUCCESS;
}

void Swapchain::show(uint32_t index, const arch::Memory& memory) {
  if (!surface_.headless()) {
    const size_t count = size_t{extent_.width} * extent_.height;
    const auto pixels = std::make_unique_for_overwrite<uint32_t[]>(count);
    read_window_pixels(images_[index]->surface(), memory, {pixels.get(), count});
    surface_.put(extent_.width, extent_.height, {pixels.get(), count});
  }
  device_.sync().change([&] { taken_[index] = false, presenting_--; });
}

VkResult CreateSwapchainKHR(VkDevice device, const VkSwapchainCreateInfoKHR* info,
                            const VkAllocationCallbacks*, VkSwapchainKHR* swapchain) {
  return create(swapchain, *object(device), *info);
}

void DestroySwapchainKHR(VkDevice, VkSwapchainKHR swapchain, const VkAllocationCallbacks*) {
  destroy(swapchain);
}

VkResult GetSwapchainImagesKHR(VkDevice, VkSwapchainKHR swapchain, uint32_t* count, VkImage* images) {
  return enumerate(object(swapchain)->images(), count, images);
}

VkResult AcquireNextImageKHR(VkDevice, VkSwapchainKHR swapchain, uint64_t timeout, VkSemaphore semaphore,
                             VkFence fence, uint32_t* index) {
  return guard([&] { return object(swapchain)->acquire(timeout, semaphore, fence, index); });
}

VkResult AcquireNextImage2KHR(VkDevice, const VkAcquireNextImageInfoKHR* info, uint32_t* index) {
  return guard(
      [&] { return object(info->swapchain)->acquire(info->timeout, info->semaphore, info->fence, index); });
}

VkResult QueuePresentKHR(VkQueue queue, const VkPresentInfoKHR* info) {
  return guard([&] {
    if (object(queue)->device().lost()) return VK_ERROR_DEVICE_LOST;
    if (object(queue)->kind() != arch::QueueKind::kGraphics) invalid_usage("a present in a compute queue");
    std::vector<host::SemaphorePoint> waits;
    for (uint32_t i = 0; i < info->waitSemaphoreCount; i++)
      waits.push_back({object(info->pWaitSemaphores[i])->state(), 1});
    VkResult worst = VK_SUCCESS;
    for (uint32_t i = 0; i < info->swapchainCount; i++) {
      // The queue is in order: the other presents need not wait for the first one's semaphores.
      const VkResult result = guard([&] {
        return object(info->pSwapchains[i])->present(info->pImageIndices[i], std::exchange(waits, {}));
      });
      if (info->pResults) info->pResults[i] = result;
      if (result != VK_SUCCESS && worst == VK_SUCCESS) worst = result;
    }
    return worst;
  });
}

VkResult GetDeviceGroupPresentCapabilitiesKHR(VkDevice, VkDeviceGroupPresentCapabilitiesKHR* capabilities) {
  std::fill(std::begin(capabilities->presentMask), std::end(capabilities->presentMask), 0);
  capabilities->presentMask[0] = 1;
  capabilities->modes = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
  return VK_SUCCESS;
}

VkResult GetDeviceGroupSurfacePresentModesKHR(VkDevice, VkSurfaceKHR,
                                              VkDeviceGroupPresentModeFlagsKHR* modes) {
  *modes = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
  return VK_SUCCESS;
}

}  // namespace cutaway::icd
