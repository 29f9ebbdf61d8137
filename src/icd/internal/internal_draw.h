#pragma once

#include "icd/internal/internal_programs.h"
#include "icd/stream/command_stream.h"

// The driver's own draws. They change registers, programs, constants and slots of the stream; the next draw
// of the application sets its own again.
namespace cutaway::icd {

// Surfaces to clear, one layer of one level each.
struct ClearTargets {
  uint32_t colors = 0;  // bit i: color[i] is cleared to color_value[i]
  arch::Surface color[arch::kColorTargets];
  VkClearColorValue color_value[arch::kColorTargets];
  bool depth = false, stencil = false;
  arch::Surface depth_surface{};
  VkClearDepthStencilValue depth_value{};
};

// To which of Vulkan's accesses the writes belong: attachments by a load operation or by a clear that is a
// draw to Vulkan (vkCmdClearAttachments: subject to conditional rendering), transfers.
enum class DrawOrigin { kRenderPass, kClearAttachments, kTransfer };

// area lies within surfaces of width × height pixels. Whole tiles are cleared by packets, other areas by
// draws.
void clear_area(CommandStream& stream, const InternalPrograms& programs, const ClearTargets& targets,
                const VkRect2D& area, uint32_t width, uint32_t height, DrawOrigin origin);

// Texels of one layer of one level, each to one pixel: pixel (x, y)
// of area takes texel (x, y) × step + offset.
struct TexelMove {
  arch::Surface source, destination;
  VkRect2D area{};
  int32_t step[2] = {1, 1}, offset[2] = {0, 0};
};
void move_texels(CommandStream& stream, const InternalPrograms& programs, const TexelMove& move);

// The same from a source of several samples: their mean, of integers sample 0 (Vulkan "Resolving
// Multisample Images"). The samples are added in rising order, sRGB ones as linear values, and the sum is
// multiplied by one over their number.
void resolve_texels(CommandStream& stream, const InternalPrograms& programs, const TexelMove& move,
                    DrawOrigin origin);

// Sample 0 of depth, or of stencil, to the same aspect of a surface of one sample: an attachment's.
void resolve_depth_stencil(CommandStream& stream, const InternalPrograms& programs, const TexelMove& move,
                           bool stencil);

// Filtered samples of one layer of one level, each to one pixel: the pixel with center (x, y) takes the
// source at (x, y) × scale + offset, of a 3D source at that slice, in texels of the level. Beyond its edges
// the source goes on as its last texels.
struct TexelScale {
  enum class Aspect { kColor, kDepth, kStencil };
  Aspect aspect = Aspect::kColor;
  arch::Surface source, destination;
  VkRect2D area{};
  float scale[2] = {1, 1}, offset[2] = {0, 0}, slice = 0.5f;
  arch::Filter filter = arch::Filter::kNearest;
};
void scale_texels(CommandStream& stream, const InternalPrograms& programs, const TexelScale& blit);

}  // namespace cutaway::icd
