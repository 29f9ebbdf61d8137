#include "emulator/texture_copies.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"

namespace cutaway::emulator {

using func::TexelCopy;

namespace {

// A hash of which pages a texture lies in; 0 if they are not in one window.
uint64_t hash_of_pages(const arch::Memory& memory, const func::WideTexture& texture) {
  const auto window = memory.window(texture.address, texture.bytes);
  if (!window) return 0;
  const uint64_t first = window->start() / arch::kPageBytes,
                 end = (window->start() + texture.bytes + arch::kPageBytes - 1) / arch::kPageBytes;
  uint64_t hash = 1;
  for (uint64_t i = first; i < end; i++) {
    const uint64_t page = window->entries()[i].load(std::memory_order_relaxed);
    hash = (hash ^ (page & arch::Memory::Window::kPageAddress)) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  }
  return hash | 1;
}

}  // namespace

bool TextureCopies::Key::operator==(const Key& other) const {
  return memory == other.memory && wrap_u == other.wrap_u &&
         std::memcmp(&surface, &other.surface, sizeof surface) == 0;
}

size_t TextureCopies::Hash::operator()(const Key& key) const {
  static_assert(std::has_unique_object_representations_v<arch::Surface>);
  return hash_bytes(&key.surface, sizeof key.surface, reinterpret_cast<uintptr_t>(key.memory) + key.wrap_u);
}

std::shared_ptr<const TexelCopy> TextureCopies::find(const arch::Memory& memory,
                                                     const func::TextureView& view,
                                                     const func::WideTexture& texture) {
  Key key{&memory, view.surface, texture.axis[0].wrap};
  key.surface.swizzle = 0;  // sampling applies it
  if (entries_.size() >= kMostEntries) forget();
  Entry& entry = entries_[key];
  if (entry.copy) {
    if (entry.hold.is_current(memory)) return entry.copy;
    bytes_ -= entry.bytes;
    entry = {.wait = std::min(2 * entry.wait, kLongestWait)};
  }
  if (!may_copy(memory, texture, entry)) return nullptr;
  const uint64_t bytes = TexelCopy::words(view) * sizeof(uint32_t);
  if (bytes_ + bytes > kMostBytes) {
    if (bytes < kMostBytes) forget();
    return nullptr;
  }
  auto hold = memory.hold(texture.address, texture.bytes);
  if (!hold) return nullptr;
  const auto read = [&](arch::Address address, uint32_t size, std::byte* to) {
    memory.read(address, to, size);
  };
  entry.copy = std::make_shared<TexelCopy>(view, texture, read, storage_.take(bytes / sizeof(uint32_t)));
  entry.hold = std::move(*hold);
  entry.bytes = bytes;
  bytes_ += bytes;
  return entry.copy;
}

void TextureCopies::forget() {
  entries_.clear();
  bytes_ = 0;
}

// Counts the uses in which the pages stayed the same.
bool TextureCopies::may_copy(const arch::Memory& memory, const func::WideTexture& texture, Entry& entry) {
  const uint64_t pages = hash_of_pages(memory, texture);
  entry.unchanged = pages && pages == entry.pages ? entry.unchanged + 1 : 0;
  entry.pages = pages;
  return entry.unchanged >= entry.wait;
}

}  // namespace cutaway::emulator
