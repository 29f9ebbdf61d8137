#include <vector>

#include "icd/entry_points.h"

// VK_KHR_copy_commands2: the copies, blits and resolves of version 1.0 with all that they take in a structure
// that can be extended. No extension of theirs is offered, so each is the old command.
namespace cutaway::icd {
namespace {

VkBufferCopy old_form(const VkBufferCopy2& r) { return {r.srcOffset, r.dstOffset, r.size}; }
VkImageCopy old_form(const VkImageCopy2& r) {
  return {r.srcSubresource, r.srcOffset, r.dstSubresource, r.dstOffset, r.extent};
}
VkImageResolve old_form(const VkImageResolve2& r) {
  return {r.srcSubresource, r.srcOffset, r.dstSubresource, r.dstOffset, r.extent};
}
VkBufferImageCopy old_form(const VkBufferImageCopy2& r) {
  return {r.bufferOffset,     r.bufferRowLength, r.bufferImageHeight,
          r.imageSubresource, r.imageOffset,     r.imageExtent};
}
VkImageBlit old_form(const VkImageBlit2& r) {
  return {r.srcSubresource,
          {r.srcOffsets[0], r.srcOffsets[1]},
          r.dstSubresource,
          {r.dstOffsets[0], r.dstOffsets[1]}};
}

template <class Info>
auto old_regions(const Info& info) {
  std::vector<decltype(old_form(*info.pRegions))> regions;
  for (uint32_t i = 0; i < info.regionCount; i++) regions.push_back(old_form(info.pRegions[i]));
  return regions;
}

}  // namespace

void CmdCopyBuffer2(VkCommandBuffer commands, const VkCopyBufferInfo2* info) {
  CmdCopyBuffer(commands, info->srcBuffer, info->dstBuffer, info->regionCount, old_regions(*info).data());
}

void CmdCopyImage2(VkCommandBuffer commands, const VkCopyImageInfo2* info) {
  CmdCopyImage(commands, info->srcImage, info->srcImageLayout, info->dstImage, info->dstImageLayout,
               info->regionCount, old_regions(*info).data());
}

void CmdCopyBufferToImage2(VkCommandBuffer commands, const VkCopyBufferToImageInfo2* info) {
  CmdCopyBufferToImage(commands, info->srcBuffer, info->dstImage, info->dstImageLayout, info->regionCount,
                       old_regions(*info).data());
}

void CmdCopyImageToBuffer2(VkCommandBuffer commands, const VkCopyImageToBufferInfo2* info) {
  CmdCopyImageToBuffer(commands, info->srcImage, info->srcImageLayout, info->dstBuffer, info->regionCount,
                       old_regions(*info).data());
}

void CmdBlitImage2(VkCommandBuffer commands, const VkBlitImageInfo2* info) {
  CmdBlitImage(commands, info->srcImage, info->srcImageLayout, info->dstImage, info->dstImageLayout,
               info->regionCount, old_regions(*info).data(), info->filter);
}

void CmdResolveImage2(VkCommandBuffer commands, const VkResolveImageInfo2* info) {
  CmdResolveImage(commands, info->srcImage, info->srcImageLayout, info->dstImage, info->dstImageLayout,
                  info->regionCount, old_regions(*info).data());
}

}  // namespace cutaway::icd
