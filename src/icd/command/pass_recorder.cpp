#include "icd/command/pass_recorder.h"

#include <algorithm>
#include <bit>

#include "icd/command/clear_targets.h"
#include "icd/pass/framebuffer.h"
#include "icd/resource/image_view.h"

namespace cutaway::icd {

void PassRecorder::begin(const VkRenderPassBeginInfo& info) {
  pass_ = object(info.renderPass);
  const Framebuffer& framebuffer = *object(info.framebuffer);
  width_ = framebuffer.width(), height_ = framebuffer.height(), layers_ = framebuffer.layers();
  views_.clear();
  if (framebuffer.imageless()) {
    const auto* given = find_struct<VkRenderPassAttachmentBeginInfo>(
        info.pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
    for (uint32_t i = 0; given && i < given->attachmentCount; i++)
      views_.push_back(object(given->pAttachments[i]));
  } else {
    views_.assign(framebuffer.views().begin(), framebuffer.views().end());
  }
  clear_values_.assign(info.pClearValues, info.pClearValues + info.clearValueCount);
  area_ = info.renderArea;
  begin_pass();
}

// "Dynamic render pass instances": draws lie within the render area and within each attachment.
void PassRecorder::begin(std::shared_ptr<const Rendering> rendering) {
  rendering_ = std::move(rendering);
  pass_ = &rendering_->pass;
  views_ = rendering_->views;
  clear_values_ = rendering_->clear_values;
  area_ = rendering_->area;
  width_ = static_cast<uint32_t>(area_.offset.x) + area_.extent.width;
  height_ = static_cast<uint32_t>(area_.offset.y) + area_.extent.height;
  layers_ = rendering_->layers;
  begin_pass();
}

void PassRecorder::begin_pass() {
  views_.resize(pass_->attachments().size());
  // "each element of pAttachments must have dimensions at least as large as the framebuffer": what is drawn
  // ends where a smaller one does.
  for (const ImageView* view : views_)
    if (view) {
      width_ = std::min(width_, view->extent().width), height_ = std::min(height_, view->extent().height);
      view->draw_to(device_);
    }
  used_.assign(views_.size(), 0);
  clear_values_.resize(views_.size());
  begin_subpass(0);
}

// "Load Operations": VK_ATTACHMENT_LOAD_OP_CLEAR happens in the first subpass that uses an attachment, with
// multiview in the first that uses it in a view. Attachments that no subpass uses stay as they are.
void PassRecorder::clear_on_load(uint32_t subpass) {
  const RenderPass::Subpass& shape = pass_->subpasses()[subpass];
  for_each_drawn_layer(layers_, [&](uint32_t layer) { clear_on_load(subpass, layer); });
  for (uint32_t i = 0; i < views_.size(); i++)
    if (shape.touches(i)) used_[i] |= view_mask_ ? view_mask_ : ~0u;
  // An input attachment is read through another cache than the one that the clear went through.
  if (!shape.inputs.empty())
    stream_.barrier(
        {VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT,
         VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
         VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
         VK_ACCESS_INPUT_ATTACHMENT_READ_BIT});
}

namespace {

struct ClearedAspects {
  bool color_or_depth, stencil;
};

// A resolve overwrites the color and the aspects that it resolves; another aspect of its attachment is loaded
// ("VkSubpassDescriptionDepthStencilResolve": VK_RESOLVE_MODE_NONE).
ClearedAspects cleared_on_load(const RenderPass::Attachment& attachment, const RenderPass::Subpass& subpass,
                               uint32_t index) {
  const bool uses = subpass.uses(index), keeps = subpass.depth_resolve == index;
  return {attachment.load == VK_ATTACHMENT_LOAD_OP_CLEAR && (uses || (keeps && !subpass.resolves_depth)),
          attachment.stencil_load == VK_ATTACHMENT_LOAD_OP_CLEAR &&
              (uses || (keeps && !subpass.resolves_stencil))};
}

// Clears to zero an aspect whose contents nobody keeps together with the other one: block tags then hold
// whole blocks, and no test reads the rest of a block from memory.
void clear_beside(const RenderPass::Attachment& attachment, ClearTargets& targets) {
  const arch::FormatInfo& format = arch::format_info(targets.depth_surface.format);
  if (!targets.depth && format.has_depth() && attachment.load == VK_ATTACHMENT_LOAD_OP_DONT_CARE)
    targets.depth = true, targets.depth_value.depth = 0;
  if (!targets.stencil && format.has_stencil() && attachment.stencil_load == VK_ATTACHMENT_LOAD_OP_DONT_CARE)
    targets.stencil = true, targets.depth_value.stencil = 0;
}

}  // namespace

// Clears a layer of the attachments by one draw for those that can be cleared together.
void PassRecorder::clear_on_load(uint32_t subpass, uint32_t layer) {
  ClearTargets targets;
  const uint32_t view = view_mask_ ? 1u << layer : ~0u;
  for (uint32_t i = 0; i < views_.size(); i++) {
    const RenderPass::Attachment& attachment = pass_->attachments()[i];
    if (!views_[i] || layer >= views_[i]->range().layerCount) continue;
    if (used_[i] & view) continue;
    const VkClearValue& value = clear_values_[i];
    const auto [clears, clears_stencil] = cleared_on_load(attachment, pass_->subpasses()[subpass], i);
    const bool color = views_[i]->range().aspectMask & VK_IMAGE_ASPECT_COLOR_BIT;
    if (!clears && (color || !clears_stencil)) continue;
    // A subpass may use more attachments than a draw has targets, and input attachments of other samples.
    if ((color ? targets.colors == kAllColorTargets : targets.depth || targets.stencil) ||
        (!empty(targets) && samples_of(targets) != views_[i]->surface().samples())) {
      driver_.clear(targets, area_, width_, height_, DrawOrigin::kRenderPass);
      targets = {};
    }
    if (color)
      add_color(views_[i]->surface(), layer, static_cast<uint32_t>(std::popcount(targets.colors)),
                value.color, targets);
    else add_depth_stencil(views_[i]->surface(), layer, clears, clears_stencil, value.depthStencil, targets);
    if (!color && pass_->subpasses()[subpass].uses(i)) clear_beside(attachment, targets);
  }
  if (!empty(targets)) driver_.clear(targets, area_, width_, height_, DrawOrigin::kRenderPass);
}

void PassRecorder::begin_subpass(uint32_t index) {
  subpass_ = index;
  const RenderPass::Subpass& subpass = pass_->subpasses()[index];
  view_mask_ = subpass.view_mask;
  stream_.barrier(pass_->barrier_before(index));
  clear_on_load(index);
  Targets targets{};
  targets.width = width_, targets.height = height_, targets.layers = layers_;
  targets.multiview = view_mask_ != 0;
  for (size_t i = 0; i < subpass.colors.size(); i++)
    if (subpass.colors[i] != VK_ATTACHMENT_UNUSED && views_[subpass.colors[i]])
      targets.color[i] = views_[subpass.colors[i]]->surface();
  if (subpass.depth_stencil != VK_ATTACHMENT_UNUSED && views_[subpass.depth_stencil])
    targets.depth = views_[subpass.depth_stencil]->surface();
  targets.reads_depth = subpass.reads(subpass.depth_stencil);
  state_.set_targets(targets);
}

// "Render Pass Resolve Operations": resolves within the render area when the subpass ends.
void PassRecorder::resolve_attachments() {
  const RenderPass::Subpass& subpass = pass_->subpasses()[subpass_];
  resolve_depth(subpass);
  bool any = false;
  for (size_t i = 0; i < subpass.resolves.size(); i++) {
    const uint32_t from = subpass.colors[i], to = subpass.resolves[i];
    if (from == VK_ATTACHMENT_UNUSED || to == VK_ATTACHMENT_UNUSED || !views_[from] || !views_[to]) continue;
    if (!any)
      stream_.barrier({VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                       VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_INPUT_ATTACHMENT_READ_BIT});
    any = true;
    for_each_drawn_layer(layers_, [&](uint32_t layer) {
      TexelMove move;
      move.source = layer_of(views_[from]->surface(), layer);
      move.source.swizzle = arch::kSwizzleIdentity;
      move.destination = layer_of(views_[to]->surface(), layer);
      move.area = area_;
      driver_.resolve(move, DrawOrigin::kRenderPass);
    });
  }
}

// Resolves sample 0 of depth, of stencil or of both ("Render Pass Resolve Operations"). To Vulkan that writes
// color attachments: a barrier for those makes it visible.
void PassRecorder::resolve_depth(const RenderPass::Subpass& subpass) {
  const uint32_t from = subpass.depth_stencil, to = subpass.depth_resolve;
  if (from == VK_ATTACHMENT_UNUSED || to == VK_ATTACHMENT_UNUSED || !views_[from] || !views_[to]) return;
  stream_.barrier({VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                   VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, VK_ACCESS_INPUT_ATTACHMENT_READ_BIT});
  const VkImageAspectFlags aspects = views_[to]->range().aspectMask & views_[from]->range().aspectMask;
  for_each_drawn_layer(layers_, [&](uint32_t layer) {
    TexelMove move;
    move.source = layer_of(views_[from]->surface(), layer);
    move.source.swizzle = arch::kSwizzleIdentity;
    move.destination = layer_of(views_[to]->surface(), layer);
    move.area = area_;
    if (subpass.resolves_depth && (aspects & VK_IMAGE_ASPECT_DEPTH_BIT))
      driver_.resolve_depth_stencil(move, false);
    if (subpass.resolves_stencil && (aspects & VK_IMAGE_ASPECT_STENCIL_BIT))
      driver_.resolve_depth_stencil(move, true);
  });
  stream_.barrier({VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                   VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, VK_ACCESS_COLOR_ATTACHMENT_READ_BIT});
}

void PassRecorder::next_subpass() {
  resolve_attachments();
  begin_subpass(subpass_ + 1);
}

void PassRecorder::end() {
  resolve_attachments();
  stream_.barrier(pass_->barrier_at_end());
  reset();
  state_.set_targets({});
}

void PassRecorder::reset() {
  pass_ = nullptr;
  rendering_.reset();
  view_mask_ = 0;
}

void PassRecorder::clear_attachments(uint32_t count, const VkClearAttachment* attachments, uint32_t rects,
                                     const VkClearRect* rect) {
  const Targets& bound = state_.targets();
  for (uint32_t r = 0; r < rects; r++)
    // "If the render pass instance [...] uses multiview, [...] the attachments are cleared in each view."
    for_each_drawn_layer(rect[r].layerCount, [&](uint32_t k) {
      const uint32_t layer = rect[r].baseArrayLayer + k;
      ClearTargets targets;
      for (uint32_t i = 0; i < count; i++) {
        const VkClearAttachment& attachment = attachments[i];
        if (attachment.aspectMask & VK_IMAGE_ASPECT_COLOR_BIT) {
          const uint32_t index = attachment.colorAttachment;
          if (index < arch::kColorTargets && bound.color[index].format)
            add_color(bound.color[index], layer, index, attachment.clearValue.color, targets);
        } else if (bound.depth.format) {
          add_depth_stencil(bound.depth, layer, attachment.aspectMask & VK_IMAGE_ASPECT_DEPTH_BIT,
                            attachment.aspectMask & VK_IMAGE_ASPECT_STENCIL_BIT,
                            attachment.clearValue.depthStencil, targets);
        }
      }
      if (!empty(targets))
        driver_.clear(targets, rect[r].rect, width_, height_, DrawOrigin::kClearAttachments);
    });
}

}  // namespace cutaway::icd
