#include "boxes/command_processor/memory_watch.h"

#include <algorithm>

#include "arch/packet.h"

namespace cutaway::boxes {
namespace {

constexpr uint32_t kReadCaches = arch::kCacheAll & ~(arch::kCacheColor | arch::kCacheDepth);

bool covers(uint32_t caches, uint32_t needed) { return (caches & needed) == needed; }

// Equal for views of one image in one format.
uint64_t layout_of(const arch::Surface& surface) {
  return uint64_t{surface.format} | uint64_t{surface.width} << 16 | uint64_t{surface.height} << 32 |
         uint64_t{surface.type & 0xffff00} << 40;
}

}  // namespace

// Calls act() for each range that a draw uses, until it returns true.
template <class Act>
bool MemoryWatch::any_of_draw(const arch::Registers& registers, const MemoryUse& use, const Act& act) {
  const auto target = [&](const arch::Surface& surface, Path path) {
    return exists(surface) && act(Entry{range_of(surface).in_lines(), path, layout_of(surface)});
  };
  if (target(registers.depth.surface, Path::kDepth)) return true;
  size_t written_targets = 0;  // use.written begins with them
  for (const arch::ColorTarget& color : registers.color.target) {
    written_targets += exists(color.surface) && color.write_mask;
    if (target(color.surface, Path::kColor)) return true;
  }
  const auto rest = [&](const std::vector<MemoryRange>& ranges, size_t first, Path path) {
    return std::any_of(ranges.begin() + static_cast<std::ptrdiff_t>(first), ranges.end(),
                       [&](const MemoryRange& memory) {
                         return act(Entry{memory.in_lines(), path});
                       });
  };
  return rest(use.read, 0, Path::kRead) || rest(use.written, written_targets, Path::kStored);
}

bool MemoryWatch::conflicts(const Entry& next) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& before) {
    if (!before.memory.meets(next.memory)) return false;
    if (before.path != next.path || before.path == Path::kStored) return true;
    return before.path != Path::kRead && (before.memory != next.memory || before.layout != next.layout);
  });
}

bool MemoryWatch::draw_needs_barrier(const arch::Registers& registers, const MemoryUse& use,
                                     uint32_t invalidates) const {
  if (full_ || (overwritten_ && invalidates)) return true;
  return any_of_draw(registers, use, [this](const Entry& next) { return conflicts(next); });
}

bool MemoryWatch::load_needs_barrier(const MemoryRange& read) const {
  return full_ || conflicts({read.in_lines(), Path::kRead});
}

void MemoryWatch::add_draw(const arch::Registers& registers, const MemoryUse& use) {
  if (on()) any_of_draw(registers, use, [this](const Entry& entry) { return !add(entry); });
}

void MemoryWatch::add_dispatch(const MemoryUse& use) {
  if (!on()) return;
  for (const MemoryRange& memory : use.read) add({memory.in_lines(), Path::kRead});
  for (const MemoryRange& memory : use.written) add({memory.in_lines(), Path::kStored});
}

// False: there is no room.
bool MemoryWatch::add(const Entry& entry) {
  const auto known = [&](const Entry& other) {
    return other.memory == entry.memory && other.path == entry.path && other.layout == entry.layout;
  };
  if (full_ || std::any_of(entries_.begin(), entries_.end(), known)) return !full_;
  full_ = entries_.size() == capacity_;
  if (!full_) entries_.push_back(entry);
  return !full_;
}

void MemoryWatch::overwritten(const MemoryRange& memory) {
  const MemoryRange lines = memory.in_lines();
  overwritten_ |= full_ || std::any_of(entries_.begin(), entries_.end(),
                                       [&](const Entry& entry) { return entry.memory.meets(lines); });
}

void MemoryWatch::settled(uint32_t flushed, uint32_t invalidated) {
  if (covers(invalidated, arch::kCacheAll)) overwritten_ = false;
  const auto ended = [&](const Entry& entry) {
    const auto written_by = [&](uint32_t cache) {
      return covers(flushed, cache) && covers(invalidated, cache);
    };
    switch (entry.path) {
      case Path::kRead:
        return covers(invalidated, kReadCaches);
      case Path::kColor:
        return written_by(arch::kCacheColor);
      case Path::kDepth:
        return written_by(arch::kCacheDepth);
      case Path::kStored:
        return written_by(arch::kCacheStorage);
    }
    return false;
  };
  std::erase_if(entries_, ended);
  constexpr uint32_t kWritten = arch::kCacheColor | arch::kCacheDepth | arch::kCacheStorage;
  if (covers(flushed, kWritten) && covers(invalidated, arch::kCacheAll)) full_ = false;
}

}  // namespace cutaway::boxes
