#include "icd/pass/render_pass.h"

#include <algorithm>

#include "icd/device/limits.h"
#include "icd/device/offer.h"
#include "icd/resource/image.h"
#include "icd/sync/dependency.h"

namespace cutaway::icd {
namespace {

constexpr VkAccessFlags kAttachmentAccess =
    VK_ACCESS_INPUT_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_READ_BIT |
    VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
    VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
constexpr VkPipelineStageFlags kAttachmentStages = VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                                                   VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT |
                                                   VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;

void merge(const CacheTracker::Barrier& from, CacheTracker::Barrier& into) {
  into.source_stages |= from.source_stages;
  into.destination_stages |= from.destination_stages;
  into.source |= from.source;
  into.destination |= from.destination;
}

bool names(const std::vector<uint32_t>& references, uint32_t attachment) {
  return std::find(references.begin(), references.end(), attachment) != references.end();
}

// VkRenderPassCreateInfo and VkRenderPassCreateInfo2 differ in the types of their members, not in their
// names.
template <class Info>
void read_attachments(const Info& info, std::vector<RenderPass::Attachment>& attachments) {
  for (uint32_t i = 0; i < info.attachmentCount; i++) {
    const auto& from = info.pAttachments[i];
    if (!(kSampleCounts & from.samples))
      unsupported("a render pass attachment of {} samples", static_cast<int>(from.samples));
    attachments.push_back({from.format, from.samples, from.loadOp, from.stencilLoadOp});
  }
}

void read_depth_resolve(const VkSubpassDescription&, RenderPass::Subpass&) {}

// "VkSubpassDescriptionDepthStencilResolve"
void read_depth_resolve(const VkSubpassDescription2& from, RenderPass::Subpass& to) {
  const auto* resolve = find_struct<VkSubpassDescriptionDepthStencilResolve>(
      from.pNext, VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE);
  if (!resolve || !resolve->pDepthStencilResolveAttachment) return;
  to.depth_resolve = resolve->pDepthStencilResolveAttachment->attachment;
  to.resolves_depth = resolve->depthResolveMode != VK_RESOLVE_MODE_NONE;
  to.resolves_stencil = resolve->stencilResolveMode != VK_RESOLVE_MODE_NONE;
}

template <class Info>
void read_subpasses(const Info& info, std::vector<RenderPass::Subpass>& subpasses) {
  for (uint32_t i = 0; i < info.subpassCount; i++) {
    const auto& from = info.pSubpasses[i];
    if (from.pipelineBindPoint != VK_PIPELINE_BIND_POINT_GRAPHICS)
      invalid_usage("a subpass that is not graphics");
    if (from.colorAttachmentCount > offer().programs.color_targets)
      invalid_usage("a subpass with {} color attachments of {}", from.colorAttachmentCount,
                    offer().programs.color_targets);
    RenderPass::Subpass subpass;
    for (uint32_t k = 0; k < from.colorAttachmentCount; k++) {
      subpass.colors.push_back(from.pColorAttachments[k].attachment);
      if (from.pResolveAttachments) subpass.resolves.push_back(from.pResolveAttachments[k].attachment);
    }
    for (uint32_t k = 0; k < from.inputAttachmentCount; k++)
      subpass.inputs.push_back(from.pInputAttachments[k].attachment);
    if (from.pDepthStencilAttachment) subpass.depth_stencil = from.pDepthStencilAttachment->attachment;
    read_depth_resolve(from, subpass);
    subpasses.push_back(std::move(subpass));
  }
}

template <class Dependency>
RenderPass::Dependency read_dependency(const Dependency& from) {
  return {from.srcSubpass,
          from.dstSubpass,
          {from.srcStageMask, from.dstStageMask, from.srcAccessMask, from.dstAccessMask}};
}

}  // namespace

RenderPass::RenderPass(const VkRenderPassCreateInfo& info) {
  read_attachments(info, attachments_);
  read_subpasses(info, subpasses_);
  if (const auto* views = find_struct<VkRenderPassMultiviewCreateInfo>(
          info.pNext, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO))
    for (uint32_t i = 0; i < std::min(views->subpassCount, info.subpassCount); i++)
      subpasses_[i].view_mask = views->pViewMasks[i];
  for (uint32_t i = 0; i < info.dependencyCount; i++)
    dependencies_.push_back(read_dependency(info.pDependencies[i]));
}

RenderPass::RenderPass(const VkRenderPassCreateInfo2& info) {
  read_attachments(info, attachments_);
  read_subpasses(info, subpasses_);
  for (uint32_t i = 0; i < info.subpassCount; i++) subpasses_[i].view_mask = info.pSubpasses[i].viewMask;
  for (uint32_t i = 0; i < info.dependencyCount; i++) {
    dependencies_.push_back(read_dependency(info.pDependencies[i]));
    // "VkSubpassDependency2": if its chain has a VkMemoryBarrier2, the masks come from there.
    if (const auto* memory =
            find_struct<VkMemoryBarrier2>(info.pDependencies[i].pNext, VK_STRUCTURE_TYPE_MEMORY_BARRIER_2))
      dependencies_.back().barrier = barrier_of(*memory);
  }
}

RenderPass::RenderPass(std::vector<Attachment> attachments, Subpass subpass)
    : attachments_(std::move(attachments)), subpasses_{std::move(subpass)}, implicit_dependencies_(false) {}

SubpassShape RenderPass::shape(uint32_t index) const {
  const Subpass& subpass = subpasses_[index];
  SubpassShape shape;
  shape.color_count = static_cast<uint32_t>(subpass.colors.size());
  for (uint32_t i = 0; i < shape.color_count; i++)
    if (subpass.colors[i] != VK_ATTACHMENT_UNUSED) shape.color_used |= 1u << i;
  if (subpass.depth_stencil != VK_ATTACHMENT_UNUSED) {
    const VkImageAspectFlags aspects = format_aspects(attachments_[subpass.depth_stencil].format);
    shape.depth = aspects & VK_IMAGE_ASPECT_DEPTH_BIT;
    shape.stencil = aspects & VK_IMAGE_ASPECT_STENCIL_BIT;
  }
  return shape;
}

bool RenderPass::Subpass::reads(uint32_t attachment) const {
  return attachment != VK_ATTACHMENT_UNUSED && names(inputs, attachment);
}

bool RenderPass::Subpass::uses(uint32_t attachment) const {
  return depth_stencil == attachment || names(colors, attachment) || names(inputs, attachment);
}

bool RenderPass::Subpass::touches(uint32_t attachment) const {
  return uses(attachment) || names(resolves, attachment) || depth_resolve == attachment;
}

bool RenderPass::first_use(uint32_t attachment, uint32_t subpass) const {
  return subpasses_[subpass].touches(attachment) &&
         std::none_of(subpasses_.begin(), subpasses_.begin() + subpass,
                      [attachment](const Subpass& earlier) { return earlier.touches(attachment); });
}

CacheTracker::Barrier RenderPass::barrier_before(uint32_t subpass) const {
  CacheTracker::Barrier barrier;
  if (!implicit_dependencies_) return barrier;
  for (const Dependency& dependency : dependencies_)
    if (dependency.destination == subpass && dependency.source != subpass) merge(dependency.barrier, barrier);
  // "If there is no subpass dependency from VK_SUBPASS_EXTERNAL to the first subpass that uses an attachment,
  // then an implicit subpass dependency exists": it makes earlier writes visible to every attachment access.
  bool first = subpass == 0;
  for (uint32_t i = 0; i < attachments_.size(); i++) first |= first_use(i, subpass);
  if (first) {
    barrier.destination_stages |= kAttachmentStages;
    barrier.destination |= kAttachmentAccess;
  }
  return barrier;
}

CacheTracker::Barrier RenderPass::barrier_at_end() const {
  if (!implicit_dependencies_) return {};
  // The implicit dependency at the end makes attachment writes available, but not visible.
  CacheTracker::Barrier barrier{kAttachmentStages, 0, kAttachmentAccess, 0};
  for (const Dependency& dependency : dependencies_)
    if (dependency.destination == VK_SUBPASS_EXTERNAL) merge(dependency.barrier, barrier);
  if (!barrier.destination_stages) barrier.destination_stages = kAttachmentStages;
  return barrier;
}

VkResult CreateRenderPass(VkDevice, const VkRenderPassCreateInfo* info, const VkAllocationCallbacks*,
                          VkRenderPass* render_pass) {
  return create(render_pass, *info);
}

VkResult CreateRenderPass2(VkDevice, const VkRenderPassCreateInfo2* info, const VkAllocationCallbacks*,
                           VkRenderPass* render_pass) {
  return create(render_pass, *info);
}

void DestroyRenderPass(VkDevice, VkRenderPass render_pass, const VkAllocationCallbacks*) {
  destroy(render_pass);
}

void GetRenderAreaGranularity(VkDevice, VkRenderPass, VkExtent2D* granularity) { *granularity = {1, 1}; }

}  // namespace cutaway::icd
