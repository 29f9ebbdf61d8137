#include "icd/command/clear_targets.h"
#include "icd/command/command_buffer.h"
#include "icd/internal/clear_copies.h"
#include "icd/internal/shared_exponent.h"
#include "icd/resource/image.h"

// Render passes and clears.
namespace cutaway::icd {
namespace {

// Calls with every layer of every level of the ranges of an image; of a 3D image with every slice.
template <class Visit>
void for_each_layer(const Image& image, uint32_t ranges, const VkImageSubresourceRange* range,
                    Visit&& visit) {
  const bool volume = image.type() == VK_IMAGE_TYPE_3D;
  for (uint32_t i = 0; i < ranges; i++)
    for (uint32_t l = 0; l < image.level_count(range[i]); l++) {
      const uint32_t level = range[i].baseMipLevel + l;
      const uint32_t layers = volume ? image.level_layers(level) : image.layer_count(range[i]);
      for (uint32_t k = 0; k < layers; k++) {
        arch::Surface surface = image.surface();
        surface.base_level = level;
        surface.base_layer = range[i].baseArrayLayer;
        visit(range[i].aspectMask, surface, k, image.level_extent(level));
      }
    }
}

// A color that nothing can be drawn in is cleared as the bits of its texels.
void clear_as_bits(arch::Surface& surface, VkClearColorValue& value) {
  if (arch_format(VK_FORMAT_E5B9G9R9_UFLOAT_PACK32) != static_cast<arch::Format>(surface.format)) return;
  surface.format = static_cast<uint32_t>(arch_format(VK_FORMAT_R32_UINT));
  value.uint32[0] = to_shared_exponent(value.float32);
}

}  // namespace

void CmdBeginRenderPass(VkCommandBuffer commands, const VkRenderPassBeginInfo* info, VkSubpassContents) {
  object(commands)->record([&] { object(commands)->pass().begin(*info); });
}

void CmdBeginRenderPass2(VkCommandBuffer commands, const VkRenderPassBeginInfo* info,
                         const VkSubpassBeginInfo*) {
  object(commands)->record([&] { object(commands)->pass().begin(*info); });
}

void CmdNextSubpass(VkCommandBuffer commands, VkSubpassContents) {
  object(commands)->record([&] { object(commands)->pass().next_subpass(); });
}

void CmdNextSubpass2(VkCommandBuffer commands, const VkSubpassBeginInfo*, const VkSubpassEndInfo*) {
  object(commands)->record([&] { object(commands)->pass().next_subpass(); });
}

void CmdEndRenderPass(VkCommandBuffer commands) {
  object(commands)->record([&] { object(commands)->pass().end(); });
}

void CmdEndRenderPass2(VkCommandBuffer commands, const VkSubpassEndInfo*) {
  object(commands)->record([&] { object(commands)->pass().end(); });
}

void CmdClearAttachments(VkCommandBuffer commands, uint32_t count, const VkClearAttachment* attachments,
                         uint32_t rects, const VkClearRect* rect) {
  object(commands)->record(
      [&] { object(commands)->pass().clear_attachments(count, attachments, rects, rect); });
}

void CmdClearColorImage(VkCommandBuffer commands, VkImage image, VkImageLayout,
                        const VkClearColorValue* value, uint32_t ranges,
                        const VkImageSubresourceRange* range) {
  CommandBuffer& buffer = *object(commands);
  buffer.record([&] {
    for_each_layer(
        *object(image), ranges, range,
        [&](VkImageAspectFlags, arch::Surface surface, uint32_t layer, VkExtent3D extent) {
          VkClearColorValue color = *value;
          clear_as_bits(surface, color);
          if (buffer.queue() == arch::QueueKind::kCompute && surface.tiling() == arch::Tiling::kLinear)
            return clear_by_copies(buffer.stream(), layer_of(surface, layer), color, extent);
          ClearTargets targets;
          add_color(surface, layer, 0, color, targets);
          buffer.driver_draws().clear(targets, {{0, 0}, {extent.width, extent.height}}, extent.width,
                                      extent.height, DrawOrigin::kTransfer);
        });
  });
}

void CmdClearDepthStencilImage(VkCommandBuffer commands, VkImage image, VkImageLayout,
                               const VkClearDepthStencilValue* value, uint32_t ranges,
                               const VkImageSubresourceRange* range) {
  CommandBuffer& buffer = *object(commands);
  buffer.record([&] {
    for_each_layer(
        *object(image), ranges, range,
        [&](VkImageAspectFlags aspects, const arch::Surface& surface, uint32_t layer, VkExtent3D extent) {
          ClearTargets targets;
          add_depth_stencil(surface, layer, aspects & VK_IMAGE_ASPECT_DEPTH_BIT,
                            aspects & VK_IMAGE_ASPECT_STENCIL_BIT, *value, targets);
          buffer.driver_draws().clear(targets, {{0, 0}, {extent.width, extent.height}}, extent.width,
                                      extent.height, DrawOrigin::kTransfer);
        });
  });
}

}  // namespace cutaway::icd
