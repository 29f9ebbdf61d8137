#pragma once

#include <vector>

#include "icd/object.h"
#include "icd/pipeline/pipeline_state.h"
#include "icd/stream/cache_tracker.h"

namespace cutaway::icd {

// Both forms of creation, and vkCmdBeginRendering, end in this one.
class RenderPass {
 public:
  struct Attachment {
    VkFormat format = VK_FORMAT_UNDEFINED;
    VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
    VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_DONT_CARE, stencil_load = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  };
  struct Subpass {
    std::vector<uint32_t> colors;    // attachments by color reference, or VK_ATTACHMENT_UNUSED
    std::vector<uint32_t> resolves;  // where colors are resolved to, or empty, or VK_ATTACHMENT_UNUSED
    std::vector<uint32_t> inputs;    // by input reference
    uint32_t depth_stencil = VK_ATTACHMENT_UNUSED;
    uint32_t depth_resolve = VK_ATTACHMENT_UNUSED;  // where sample 0 of that goes
    bool resolves_depth = false, resolves_stencil = false;
    uint32_t view_mask = 0;  // bit per view; 0: no multiview

    bool reads(uint32_t attachment) const;    // as an input
    bool uses(uint32_t attachment) const;     // as what it draws to or reads
    bool touches(uint32_t attachment) const;  // that, or resolves to
  };
  struct Dependency {
    uint32_t source = VK_SUBPASS_EXTERNAL, destination = VK_SUBPASS_EXTERNAL;
    CacheTracker::Barrier barrier;
  };

  RenderPass() = default;  // without a subpass
  explicit RenderPass(const VkRenderPassCreateInfo& info);
  explicit RenderPass(const VkRenderPassCreateInfo2& info);
  // Of one subpass that depends on nothing by itself.
  RenderPass(std::vector<Attachment> attachments, Subpass subpass);

  const std::vector<Attachment>& attachments() const { return attachments_; }
  const std::vector<Subpass>& subpasses() const { return subpasses_; }
  SubpassShape shape(uint32_t subpass) const;

  // What lies before a subpass: its dependencies on others and on what is outside.
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
