#include "replay/target_watch.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "func/format/display_color.h"
#include "func/format/numeric.h"

namespace cutaway::replay {
namespace {

constexpr uint32_t kOpaque = 0xff000000;

}  // namespace

bool can_be_shown(const arch::Surface& surface) {
  const arch::FormatInfo& format = arch::format_info(surface.format);
  return func::has_display_color(format) || format.has_depth();
}

uint32_t shown_color(const arch::FormatInfo& format, func::TexelLayout layout, const std::byte* element) {
  if (!format.has_depth()) return func::display_color(format, layout, element) | kOpaque;
  uint32_t value[4];
  func::decode_texel(format, layout, element, value);
  const float from_far = std::clamp(1 - func::bits_float(value[0]), 0.0f, 1.0f);
  const uint32_t gray = func::float_to_unorm(std::sqrt(std::sqrt(from_far)), 8);
  return kOpaque | gray << 16 | gray << 8 | gray;
}

TargetWatch::TargetWatch(const arch::Surface& surface)
    : surface_(surface),
      view_(func::make_target_view(surface)),
      format_(arch::format_info(surface.format)),
      layout_(func::texel_layout(format_)),
      columns_((view_.width + arch::kTileSize - 1) / arch::kTileSize),
      rows_((view_.height + arch::kTileSize - 1) / arch::kTileSize) {
  const uint64_t bytes = view_.tiled
                             ? rows_ * view_.row_pitch
                             : (view_.height - 1) * view_.row_pitch + uint64_t{view_.width} * view_.bytes;
  before_.resize(bytes), now_.resize(bytes);
  shown_.resize(size_t{view_.width} * view_.height);
  changed_.resize(size_t{columns_} * rows_);
}

run_record::ViewedSurface TargetWatch::described() const {
  return {.address = surface_.address,
          .format = std::string(format_.name),
          .width = view_.width,
          .height = view_.height,
          .samples = view_.samples,
          .depth = format_.has_depth()};
}

bool TargetWatch::same_block(uint32_t column, uint32_t row) const {
  const uint32_t x = column * arch::kTileSize, y = row * arch::kTileSize;
  const auto same = [&](uint64_t offset, uint64_t bytes) {
    return std::memcmp(&before_[offset], &now_[offset], bytes) == 0;
  };
  if (view_.tiled)
    return same(offset_of(x, y, 0),
                uint64_t{arch::kTileSize * arch::kTileSize} * view_.bytes * view_.samples);
  const uint64_t line = uint64_t{std::min(arch::kTileSize, view_.width - x)} * view_.bytes;
  for (uint32_t i = 0; i < std::min(arch::kTileSize, view_.height - y); i++)
    if (!same(offset_of(x, y + i, 0), line)) return false;
  return true;
}

std::optional<TargetWatch::Rectangle> TargetWatch::changed_blocks() {
  Rectangle blocks{columns_, rows_, 0, 0};
  if (std::memcmp(before_.data(), now_.data(), now_.size()) == 0) return std::nullopt;
  for (uint32_t row = 0; row < rows_; row++)
    for (uint32_t column = 0; column < columns_; column++) {
      const bool changed = !same_block(column, row);
      changed_[size_t{row} * columns_ + column] = changed;
      if (!changed) continue;
      blocks.left = std::min(blocks.left, column), blocks.right = std::max(blocks.right, column + 1);
      blocks.top = std::min(blocks.top, row), blocks.bottom = row + 1;
    }
  if (blocks.left >= blocks.right) return std::nullopt;  // only what lies between rows has changed
  return Rectangle{blocks.left * arch::kTileSize, blocks.top * arch::kTileSize,
                   std::min(blocks.right * arch::kTileSize, view_.width),
                   std::min(blocks.bottom * arch::kTileSize, view_.height)};
}

uint32_t TargetWatch::color(uint32_t x, uint32_t y) const {
  if (view_.samples == 1) return shown_color(format_, layout_, &now_[offset_of(x, y, 0)]);
  uint32_t sum[3] = {};
  for (uint32_t sample = 0; sample < view_.samples; sample++) {
    const uint32_t codes = shown_color(format_, layout_, &now_[offset_of(x, y, sample)]);
    for (uint32_t c = 0; c < 3; c++) sum[c] += codes >> 8 * c & 255;
  }
  uint32_t mean = kOpaque;
  for (uint32_t c = 0; c < 3; c++) mean |= (sum[c] + view_.samples / 2) / view_.samples << 8 * c;
  return mean;
}

std::optional<run_record::ViewedChange> TargetWatch::look(const arch::Memory& memory) {
  memory.read(view_.base, now_.data(), now_.size());
  Rectangle area{0, 0, view_.width, view_.height};
  if (!seen_) {
    std::fill(changed_.begin(), changed_.end(), uint8_t{1});
  } else {
    const auto changed = changed_blocks();
    if (!changed) return std::nullopt;
    area = *changed;
  }
  // Within the blocks, the smallest rectangle with all pixels whose color differs.
  Rectangle tight{area.right, area.bottom, 0, 0};
  std::vector<uint32_t> pixels(size_t{area.right - area.left} * (area.bottom - area.top));
  size_t place = 0;
  for (uint32_t y = area.top; y < area.bottom; y++)
    for (uint32_t x = area.left; x < area.right; x++, place++) {
      if (!changed_[size_t{y / arch::kTileSize} * columns_ + x / arch::kTileSize]) continue;
      uint32_t& shown = shown_[size_t{y} * view_.width + x];
      const uint32_t now = color(x, y);
      if (seen_ && shown == now) continue;
      pixels[place] = shown = now;
      tight.left = std::min(tight.left, x), tight.right = std::max(tight.right, x + 1);
      tight.top = std::min(tight.top, y), tight.bottom = y + 1;
    }
  before_.swap(now_);
  seen_ = true;
  if (tight.left >= tight.right) return std::nullopt;
  run_record::ViewedChange change{
      .x = tight.left, .y = tight.top, .width = tight.right - tight.left, .height = tight.bottom - tight.top};
  change.rgba.resize(size_t{change.width} * change.height * 4);
  for (uint32_t y = 0; y < change.height; y++)
    std::memcpy(&change.rgba[size_t{y} * change.width * 4],
                &pixels[size_t{tight.top - area.top + y} * (area.right - area.left) + tight.left - area.left],
                size_t{change.width} * 4);
  return change;
}

}  // namespace cutaway::replay
