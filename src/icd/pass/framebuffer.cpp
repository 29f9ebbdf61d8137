#include "icd/pass/framebuffer.h"

namespace cutaway::icd {

Framebuffer::Framebuffer(const VkFramebufferCreateInfo& info)
    : imageless_(info.flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT),
      width_(info.width),
      height_(info.height),
      layers_(info.layers) {
  if (imageless_) return;
  for (uint32_t i = 0; i < info.attachmentCount; i++) views_.push_back(object(info.pAttachments[i]));
}

VkResult CreateFramebuffer(VkDevice, const VkFramebufferCreateInfo* info, const VkAllocationCallbacks*,
                           VkFramebuffer* framebuffer) {
  return create(framebuffer, *info);
}

void DestroyFramebuffer(VkDevice, VkFramebuffer framebuffer, const VkAllocationCallbacks*) {
  destroy(framebuffer);
}

}  // namespace cutaway::icd
