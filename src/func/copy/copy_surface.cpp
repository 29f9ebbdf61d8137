#include "func/copy/copy_surface.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "func/format/numeric.h"
#include "func/format/surface_check.h"

namespace cutaway::func {
namespace {

using arch::CopyAspect;
using arch::FormatInfo;
using arch::Surface;

FormatInfo::Channel aspect_field(const FormatInfo& format, uint32_t aspect) {
  if (aspect == static_cast<uint32_t>(CopyAspect::kDepth)) return format.depth;
  if (aspect == static_cast<uint32_t>(CopyAspect::kStencil)) return format.stencil;
  return {0, static_cast<uint8_t>(format.bytes * 8)};
}

uint32_t bytes_to_line_end(arch::Address address, uint32_t line_bytes) {
  return line_bytes - static_cast<uint32_t>(address & (line_bytes - 1));
}

void check_line_bytes(uint32_t line_bytes) {
  CUTAWAY_CHECK(
      line_bytes >= 16 && line_bytes <= CopyCursor::kMaxLineBytes && (line_bytes & (line_bytes - 1)) == 0,
      "lines of {} bytes", line_bytes);
}

}  // namespace

CopyCursor::Side::Side(const Surface& from, uint32_t first_x, uint32_t first_y, uint32_t first_z,
                       uint32_t aspect)
    : surface(from), level(arch::level_layout(from, from.base_level)), x(first_x), y(first_y), z(first_z) {
  const FormatInfo& format = arch::format_info(from.format);
  bytes = format.bytes;
  field_offset = aspect_field(format, aspect).offset;
  tiled = from.tiling() == arch::Tiling::kTiled;
  volume = from.surface_type() == arch::SurfaceType::k3D;
  if (from.layers > 1) layer_pitch = arch::layer_pitch(from);
}

arch::Address CopyCursor::Side::address(uint32_t dx, uint32_t dy, uint32_t dz, uint32_t sample) const {
  const uint64_t slice = volume ? (z + dz) * level.slice_pitch + surface.base_layer * layer_pitch
                                : uint64_t{surface.base_layer + z + dz} * layer_pitch;
  const arch::Address start = surface.address + level.offset + slice;
  if (tiled)
    return start + arch::tiled_offset(x + dx, y + dy, level.row_pitch, bytes, surface.samples(),
                                      std::min(sample, surface.samples() - 1));
  return start + (y + dy) * level.row_pitch + uint64_t{x + dx} * bytes;
}

CopyCursor::CopyCursor(const arch::CopyBufferPacket& packet, uint32_t line_bytes)
    : kind_(Kind::kBytes),
      line_bytes_(line_bytes),
      source_(packet.source),
      destination_(packet.destination),
      left_(packet.bytes) {
  check_line_bytes(line_bytes);
}

CopyCursor::CopyCursor(const arch::FillBufferPacket& packet, uint32_t line_bytes)
    : kind_(Kind::kFill),
      line_bytes_(line_bytes),
      value_(packet.value),
      destination_(packet.destination),
      left_(packet.bytes) {
  check_line_bytes(line_bytes);
}

CopyCursor::CopyCursor(const arch::CopySurfacePacket& packet, uint32_t line_bytes)
    : kind_(Kind::kSurface),
      line_bytes_(line_bytes),
      samples_(packet.destination.samples()),
      from_(packet.source, packet.source_x, packet.source_y, packet.source_z, packet.aspect),
      to_(packet.destination, packet.destination_x, packet.destination_y, packet.destination_z,
          packet.aspect),
      width_(packet.width),
      height_(packet.height),
      depth_(packet.depth) {
  check_line_bytes(line_bytes);
  one_aspect_ = packet.aspect != static_cast<uint32_t>(CopyAspect::kAll);
  field_bits_ = aspect_field(arch::format_info(packet.destination.format), packet.aspect).bits;
  unit_ = one_aspect_ ? 1 : from_.bytes;
  sectors_ = from_.tiled || to_.tiled;
  const Side& guide = to_.tiled ? to_ : from_;
  phase_x_ = static_cast<uint8_t>(guide.x % arch::kSectorSize);
  phase_y_ = static_cast<uint8_t>(guide.y % arch::kSectorSize);
  same_sectors_ = !one_aspect_ && from_.tiled && to_.tiled && (from_.x - to_.x) % arch::kSectorSize == 0 &&
                  (from_.y - to_.y) % arch::kSectorSize == 0;
  if (!width_ || !height_ || !depth_) kind_ = Kind::kEnd;
  start_block();
}

void CopyCursor::start_block() {
  const auto end = [](uint32_t first, uint32_t phase, uint32_t size) {
    return std::min(size, first + arch::kSectorSize - (first + phase) % arch::kSectorSize);
  };
  block_right_ = sectors_ ? end(block_x_, phase_x_, width_) : width_;
  block_low_ = sectors_ ? end(block_y_, phase_y_, height_) : block_y_ + 1;
  position_ = block_x_ * unit_;
  y_ = block_y_;
}

void CopyCursor::next_block() {
  block_x_ = block_right_;
  if (block_x_ == width_) {
    block_x_ = 0;
    block_y_ = block_low_;
  }
  if (block_y_ == height_) {
    block_y_ = 0;
    if (++sample_ == samples_) {
      sample_ = 0;
      if (++z_ == depth_) kind_ = Kind::kEnd;
    }
  }
  start_block();
}

// Number of contiguous units from here, at most to the end of the line. `part`: units of element x that have
// been copied.
uint32_t CopyCursor::contiguous(const Side& side, arch::Address address, uint32_t x, uint32_t part) const {
  const uint32_t line = bytes_to_line_end(address, line_bytes_) / (one_aspect_ ? side.bytes : 1);
  if (!side.tiled) return line;
  const uint32_t in_sector = arch::kSectorSize - (side.x + x) % arch::kSectorSize;
  return std::min(line, in_sector * unit_ - part);
}

// True at the start of a block that is a sector at both ends and lies within one line.
bool CopyCursor::whole_sector(arch::Address source, arch::Address destination) const {
  constexpr uint32_t kSize = arch::kSectorSize;
  const uint32_t bytes = kSize * kSize * from_.bytes;
  return same_sectors_ && position_ == block_x_ * unit_ && y_ == block_y_ &&
         block_right_ - block_x_ == kSize && block_low_ - block_y_ == kSize &&
         bytes <= bytes_to_line_end(source, line_bytes_) &&
         bytes <= bytes_to_line_end(destination, line_bytes_);
}

bool CopyCursor::next_surface(CopyChunk& chunk) {
  const uint32_t x = position_ / unit_, part = position_ % unit_;
  chunk.source = from_.address(x, y_, z_, sample_) + part;
  chunk.destination = to_.address(x, y_, z_, sample_) + part;
  chunk.reads_destination = one_aspect_ && field_bits_ != to_.bytes * 8;
  if (whole_sector(chunk.source, chunk.destination)) {
    chunk.source_bytes = chunk.destination_bytes = arch::kSectorSize * arch::kSectorSize * from_.bytes;
    next_block();
    return true;
  }
  const uint32_t units = std::min({block_right_ * unit_ - position_, contiguous(from_, chunk.source, x, part),
                                   contiguous(to_, chunk.destination, x, part)});
  chunk.source_bytes = units * (one_aspect_ ? from_.bytes : 1);
  chunk.destination_bytes = units * (one_aspect_ ? to_.bytes : 1);
  position_ += units;
  if (position_ == block_right_ * unit_) {
    position_ = block_x_ * unit_;
    if (++y_ == block_low_) next_block();
  }
  return true;
}

bool CopyCursor::next(CopyChunk& chunk) {
  if (kind_ == Kind::kEnd) return false;
  if (kind_ == Kind::kSurface) return next_surface(chunk);
  if (kind_ == Kind::kQueries) return next_query(chunk);
  if (left_ == 0) {
    kind_ = Kind::kEnd;
    return false;
  }
  uint32_t bytes = bytes_to_line_end(destination_, line_bytes_);
  if (kind_ == Kind::kBytes) bytes = std::min(bytes, bytes_to_line_end(source_, line_bytes_));
  bytes = static_cast<uint32_t>(std::min<uint64_t>(bytes, left_));
  chunk = {source_, destination_, kind_ == Kind::kBytes ? bytes : 0, bytes, false};
  if (kind_ == Kind::kBytes) source_ += bytes;
  destination_ += bytes;
  left_ -= bytes;
  return true;
}

void CopyCursor::finish(const CopyChunk& chunk, const std::byte* source, std::byte* destination) const {
  if (queries_.queries) return finish_query(chunk, source, destination);
  if (chunk.source_bytes == 0) {
    for (uint32_t i = 0; i < chunk.destination_bytes; i += 4) std::memcpy(destination + i, &value_, 4);
    return;
  }
  if (!one_aspect_) {
    std::memcpy(destination, source, chunk.destination_bytes);
    return;
  }
  const uint64_t mask = low_mask(field_bits_);
  for (uint32_t i = 0; i * to_.bytes < chunk.destination_bytes; i++) {
    uint64_t read = 0, element = 0;
    std::memcpy(&read, source + i * from_.bytes, from_.bytes);
    if (chunk.reads_destination) std::memcpy(&element, destination + i * to_.bytes, to_.bytes);
    element = (element & ~(mask << to_.field_offset)) | (read >> from_.field_offset & mask)
                                                            << to_.field_offset;
    std::memcpy(destination + i * to_.bytes, &element, to_.bytes);
  }
}

namespace {

const char* side_error(const Surface& surface, uint32_t x, uint32_t y, uint32_t z,
                       const arch::CopySurfacePacket& packet) {
  if (const char* error = surface_error(surface)) return error;
  if (is_buffer(surface.surface_type())) return "a buffer is copied as a linear 2D surface";
  const FormatInfo& format = arch::format_info(surface.format);
  const arch::LevelLayout level = arch::level_layout(surface, surface.base_level);
  const uint64_t columns = (level.width + format.block_width - 1) / format.block_width;
  const uint64_t rows = (level.height + format.block_height - 1) / format.block_height;
  const uint64_t slices =
      surface.surface_type() == arch::SurfaceType::k3D ? level.depth : surface.layers - surface.base_layer;
  if (uint64_t{x} + packet.width > columns || uint64_t{y} + packet.height > rows ||
      uint64_t{z} + packet.depth > slices)
    return "the region is not within the surface";
  const bool aligned =
      (surface.address | surface.row_pitch | surface.slice_pitch) % std::max<uint32_t>(format.bytes, 1) == 0;
  if (packet.aspect != static_cast<uint32_t>(CopyAspect::kAll) && !aligned)
    return "the address or pitch is not a multiple of the element";
  return nullptr;
}

}  // namespace

const char* copy_error(const arch::CopySurfacePacket& packet) {
  const Surface &source = packet.source, &destination = packet.destination;
  if (packet.aspect > static_cast<uint32_t>(CopyAspect::kStencil)) return "unknown aspect";
  if (const char* error = side_error(source, packet.source_x, packet.source_y, packet.source_z, packet))
    return error;
  if (const char* error =
          side_error(destination, packet.destination_x, packet.destination_y, packet.destination_z, packet))
    return error;
  const auto source_field = aspect_field(arch::format_info(source.format), packet.aspect);
  const auto destination_field = aspect_field(arch::format_info(destination.format), packet.aspect);
  if (source_field.bits == 0 || source_field.bits != destination_field.bits)
    return "the elements differ in size";
  if (source.samples() != destination.samples() && source.samples() != 1 && destination.samples() != 1)
    return "the surfaces differ in samples";
  return nullptr;
}

const char* copy_error(const arch::CopyBufferPacket& packet) {
  const uint64_t source = packet.source, destination = packet.destination, bytes = packet.bytes;
  if (source + bytes < source || destination + bytes < destination) return "the range wraps around";
  if (source < destination + bytes && destination < source + bytes) return "the ranges overlap";
  return nullptr;
}

const char* copy_error(const arch::FillBufferPacket& packet) {
  const uint64_t destination = packet.destination, bytes = packet.bytes;
  if (destination % 4 || bytes % 4) return "address or size is not a multiple of 4";
  if (destination + bytes < destination) return "the range wraps around";
  return nullptr;
}

}  // namespace cutaway::func
