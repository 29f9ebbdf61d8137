#pragma once

#include "icd/internal/internal_programs.h"
#include "icd/stream/command_stream.h"

// The driver's own draws. They change the stream's registers, programs, constants and slots; the
// application's next draw restores its own.
namespace cutaway::icd {

// Surfaces to clear: one layer of one level each.
struct ClearTargets {
  uint32_t colors = 0;  // bit i: color[i] is cleared to color_value[i]
  arch::Surface color[arch::kColorTargets];
  VkClearColorValue color_value[arch::kColorTargets];
  bool depth = false, stencil = false;
  arch::Surface depth_surface{};
  VkClearDepthStencilValue depth_value{};
};

// The kind of Vulkan access that the writes count as: attachment writes by a load operation, attachment
// writes by a clear that is a draw to Vulkan (vkCmdClearAttachments: subject to conditional rendering), or
// transfers.
enum class DrawOrigin { kRenderPass, kClearAttachments, kTransfer };

// area must lie within surfaces of width × height pixels. Clears whole tiles by packets, other areas by
// draws.
void clear_area(CommandStream& stream, const InternalPrograms& programs, const ClearTargets& targets,
                const VkRect2D& area, uint32_t width, uint32_t height, DrawOrigin origin);

// Copies texels of one layer of one level: pixel (x, y) of area takes texel (x, y) × step + offset.
struct TexelMove {
  arch::Surface source, destination;
  VkRect2D area{};
  int32_t step[2] = {1, 1}, offset[2] = {0, 0};
};
void move_texels(CommandStream& stream, const InternalPrograms& programs, const TexelMove& move);

// The same from a source with several samples: takes their mean, or sample 0 of integers (Vulkan "Resolving
// Multisample Images"). Samples are added in rising order, sRGB samples as linear values; the sum is
// multiplied by the reciprocal of their number.
void resolve_texels(CommandStream& stream, const InternalPrograms& programs, const TexelMove& move,
                    DrawOrigin origin);

// Copies sample 0 of depth, or of stencil, to the same aspect of a single-sampled attachment.
void resolve_depth_stencil(CommandStream& stream, const InternalPrograms& programs, const TexelMove& move,
                           bool stencil);

// Draws filtered samples of one layer of one level: the pixel with center (x, y) takes the source at (x, y) ×
// scale + offset, of a 3D source at the given slice, in texels of the level. Coordinates are clamped to the
// edges.
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
