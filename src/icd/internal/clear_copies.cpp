#include "icd/internal/clear_copies.h"

#include <algorithm>

#include "base/round_up.h"

namespace cutaway::icd {
namespace {

constexpr uint32_t kRows = 64;  // of the cleared memory

// Clears as many texels as a copy moves.
arch::Surface clear_strip(CommandStream& stream, const arch::Surface& surface, const VkClearColorValue& value,
                          VkExtent3D extent) {
  arch::Surface strip{};
  strip.format = surface.format;
  strip.type = arch::Surface::make_type(arch::SurfaceType::k2D, arch::Tiling::kTiled);
  strip.width = extent.width, strip.height = std::min(extent.height, kRows), strip.depth = 1;
  strip.levels = strip.level_count = strip.layers = strip.layer_count = 1;
  strip.swizzle = arch::kSwizzleIdentity;
  const arch::Address place =
      stream.uploads().reserve(arch::surface_bytes(strip) + arch::kLevelAlignment).address();
  strip.address = round_up(place, arch::kLevelAlignment);
  arch::ClearPacket packet{.surface = strip,
                           .x = 0,
                           .y = 0,
                           .width = strip.width,
                           .height = strip.height,
                           .aspect = static_cast<uint32_t>(arch::CopyAspect::kAll),
                           .value = {}};
  std::copy(std::begin(value.uint32), std::end(value.uint32), packet.value);
  stream.draw_always(arch::Opcode::kClear, packet);
  return strip;
}

}  // namespace

void clear_by_copies(CommandStream& stream, const arch::Surface& surface, const VkClearColorValue& value,
                     VkExtent3D extent) {
  const arch::Surface strip = clear_strip(stream, surface, value, extent);
  stream.caches().transfer_draw(0, arch::kCacheColor);
  stream.barrier({VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                  VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT});
  arch::CopySurfacePacket copy{};
  copy.source = strip, copy.destination = surface;
  copy.width = extent.width, copy.depth = 1;
  copy.aspect = static_cast<uint32_t>(arch::CopyAspect::kAll);
  for (uint32_t y = 0; y < extent.height; y += kRows) {
    copy.destination_y = y, copy.height = std::min(kRows, extent.height - y);
    stream.writer().packet(arch::Opcode::kCopySurface, copy);
  }
  stream.caches().copy();
}

}  // namespace cutaway::icd
