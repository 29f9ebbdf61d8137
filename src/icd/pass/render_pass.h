#pragma once

#include <vector>

#include "icd/object.h"
#include "icd/pipeline/pipeline_state.h"
#include "icd/stream/cache_tracker.h"

namespace cutaway::icd {

// A render pass, made by either form of creation or by vkCmdBeginRendering.
class RenderPass {
 public:
  struct Attachment {
    VkFormat format = VK_FORMAT_UNDEFINED;
    VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
    VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_DONT_CARE, stencil_load = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  };
  struct Subpass {
    std::vector<uint32_t> colors;    // attachments by color reference, or VK_ATTACHMENT_UNUSED
    std::vector<uint32_t> resolves;  // resolve attachments by color reference, or empty, or
                                     // VK_ATTACHMENT_UNUSED
    std::vector<uint32_t> inputs;    // by input reference
    uint32_t depth_stencil = VK_ATTACHMENT_UNUSED;
    uint32_t depth_resolve = VK_ATTACHMENT_UNUSED;  // target of sample 0 of depth and stencil
    bool resolves_depth = false, resolves_stencil = false;
    uint32_t view_mask = 0;  // bit per view; 0: no multiview

    bool reads(uint32_t attachment) const;    // as an input attachment
    bool uses(uint32_t attachment) const;     // draws to it or reads it
    bool touches(uint32_t attachment) const;  // uses it or resolves to it
  };
  struct Dependency {
    uint32_t source = VK_SUBPASS_EXTERNAL, destination = VK_SUBPASS_EXTERNAL;
    CacheTracker::Barrier barrier;
  };

  RenderPass() = default;  // without subpasses
  explicit RenderPass(const VkRenderPassCreateInfo& info);
  explicit RenderPass(const VkRenderPassCreateInfo2& info);
  // With one subpass and no dependencies of its own.
  RenderPass(std::vector<Attachment> attachments, Subpass subpass);

  const std::vector<Attachment>& attachments() const { return attachments_; }
  const std::vector<Subpass>& subpasses() const { return subpasses_; }
  SubpassShape shape(uint32_t subpass) const;

  // The barrier before a subpass: its dependencies on other subpasses and on external work.
  CacheTracker::Barrier barrier_before(uint32_t subpass) const;
  CacheTracker::Barrier barrier_at_end() const;

 private:
  bool first_use(uint32_t attachment, uint32_t subpass) const;  // no earlier subpass uses it

  std::vector<Attachment> attachments_;
  std::vector<Subpass> subpasses_;
  std::vector<Dependency> dependencies_;
  bool implicit_dependencies_ = true;
};

}  // namespace cutaway::icd
