#include "emulator/texture_copies.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"

namespace cutaway::emulator {

using func::TexelCopy;

bool TextureCopies::Key::operator==(const Key& other) const {
  return memory == other.memory && wrap_u == other.wrap_u &&
         std::memcmp(&surface, &other.surface, sizeof surface) == 0;
}

size_t TextureCopies::Hash::operator()(const Key& key) const {
  static_assert(std::has_unique_object_representations_v<arch::Surface>);
  return hash_bytes(&key.surface, sizeof key.surface, reinterpret_cast<uintptr_t>(key.memory) + key.wrap_u);
}

TextureCopies::Found TextureCopies::find(const arch::Memory& memory, const func::TextureView& view,
                                         const func::WideTexture& texture) {
  Key key{&memory, view.surface, texture.axis[0].wrap};
  key.surface.swizzle = 0;  // sampling applies it
  if (entries_.size() >= kMostEntries) forget();
  Entry& entry = entries_[key];
  if (entry.copy && entry.hold.is_current(memory)) return {entry.copy, entry.samples};
  const uint64_t texels = TexelCopy::words(view), bytes = texels * sizeof(uint32_t);
  if (entry.copy) {  // the texture has changed
    entry.patience =
        pays(entry, texture, texels, 1) ? 0 : std::clamp<uint64_t>(2 * entry.patience, 1, kMostPatience);
    *entry.samples = 0;
    entry.copy = nullptr, entry.hold = {};
  }
  const Found without{nullptr, entry.samples};
  if (!pays(entry, texture, texels, entry.patience)) return without;
  if (!entry.storage && bytes_ + bytes > kMostBytes) {
    if (bytes < kMostBytes) forget();
    return without;
  }
  auto hold = memory.hold(texture.address, texture.bytes);
  if (!hold) return without;
  const auto read = [&](arch::Address address, uint32_t size, std::byte* to) {
    memory.read(address, to, size);
  };
  if (!entry.storage) bytes_ += bytes;
  const bool reusable = entry.storage.use_count() == 1;  // nobody has the last copy any more
  if (!reusable) entry.storage = storage_.take(texels);
  entry.copy = std::make_shared<TexelCopy>(view, texture, read, entry.storage);
  entry.hold = std::move(*hold);
  *entry.samples = 0;
  return {entry.copy, entry.samples};
}

void TextureCopies::forget() {
  entries_.clear();
  bytes_ = 0;
}

bool TextureCopies::pays(const Entry& entry, const func::WideTexture& texture, uint64_t texels,
                         uint64_t times) {
  const bool converts = texture.texel != func::WideTexel::kUnorm8;
  return *entry.samples * (converts ? kWorthOfConversion : 1) >= times * texels;
}

}  // namespace cutaway::emulator
