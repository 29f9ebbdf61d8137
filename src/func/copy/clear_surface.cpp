#include "func/copy/clear_surface.h"

#include <bit>
#include <cstring>

#include "func/format/numeric.h"
#include "func/format/texel.h"
#include "func/rop/depth_stencil.h"
#include "func/rop/exported_fragment.h"
#include "func/rop/target_view.h"

namespace cutaway::func {
namespace {

using arch::CopyAspect;

// Bits of an element that belong to an aspect.
uint64_t element_mask(const arch::FormatInfo& format, CopyAspect aspect) {
  const auto field = aspect == CopyAspect::kDepth ? format.depth : format.stencil;
  return aspect == CopyAspect::kAll ? ~0ull : low_mask(field.bits) << field.offset;
}

ClearValue make_value(const arch::ClearPacket& packet) {
  const arch::FormatInfo& format = arch::format_info(packet.surface.format);
  uint32_t components[4];
  std::memcpy(components, packet.value, sizeof components);
  if (format.has_depth()) components[0] = std::bit_cast<uint32_t>(exported_depth(0, 1, packet.value[0]));
  else if (format.has_stencil()) components[0] = packet.value[1];
  std::byte element[kMaxTexelBytes] = {};
  encode_texel(format, components, element);
  const uint64_t written = element_mask(format, static_cast<CopyAspect>(packet.aspect));
  ClearValue value;
  for (uint32_t i = 0; i < kClearBytes; i++) {
    const uint32_t byte = i % format.bytes;
    value.bytes[i] = element[byte];
    if (byte >= 8 || (written >> 8 * byte & 0xff)) value.mask |= 1ull << i;
  }
  return value;
}

}  // namespace

void ClearValue::apply(std::byte* to) const {
  if (whole()) {
    std::memcpy(to, bytes.data(), kClearBytes);
    return;
  }
  constexpr uint64_t kEach = 0x0101010101010101, kOwn = 0x8040201008040201;  // in byte i: bit i
  for (uint32_t i = 0; i < kClearBytes; i += 8) {
    const uint64_t own = (mask >> i & 0xff) * kEach & kOwn;  // byte i has bit i of the mask
    const uint64_t written = ((own | (own + kEach * 0x7f)) >> 7 & kEach) * 0xff;  // as a whole byte
    uint64_t old, value;
    std::memcpy(&old, to + i, 8);
    std::memcpy(&value, &bytes[i], 8);
    value = (old & ~written) | (value & written);
    std::memcpy(to + i, &value, 8);
  }
}

float stored_clear_depth(const arch::ClearPacket& packet) {
  const ClearValue value = make_value(packet);
  const arch::FormatInfo& format = arch::format_info(packet.surface.format);
  uint64_t element = 0;
  std::memcpy(&element, value.bytes.data(), format.bytes);
  return static_cast<float>(stored_depth(format, element));
}

ClearCursor::ClearCursor(const arch::ClearPacket& packet)
    : surface_(packet.surface), value_(make_value(packet)), layers_left_(packet.surface.layer_count) {
  const arch::LevelLayout level = arch::level_layout(surface_, surface_.base_level);
  const uint64_t tile = uint64_t{arch::kTileSize} * arch::kTileSize *
                        arch::format_info(surface_.format).bytes * surface_.samples();
  const auto tiles = [](uint32_t pixels) { return (pixels + arch::kTileSize - 1) / arch::kTileSize; };
  row_pitch_ = level.row_pitch;
  offset_ = packet.x / arch::kTileSize * tile;
  row_bytes_ = tiles(packet.width) * tile;
  first_row_ = packet.y / arch::kTileSize;
  rows_ = tiles(packet.height);
  layer_.bytes = level.slice_pitch;
  start_layer();
}

void ClearCursor::start_layer() {
  layer_.address = make_target_view(surface_).base;
  row_ = 0;
}

bool ClearCursor::next(ClearRun& run) {
  if (!layers_left_) return false;
  if (row_ == rows_) {
    if (!--layers_left_) return false;
    surface_.base_layer++;
    start_layer();
  }
  run.address = layer_.address + (first_row_ + row_) * row_pitch_ + offset_;
  // Rows of tiles that are cleared completely are contiguous.
  const uint32_t rows = row_bytes_ == row_pitch_ ? rows_ : 1;
  run.bytes = row_bytes_ * rows;
  row_ += rows;
  return true;
}

}  // namespace cutaway::func
