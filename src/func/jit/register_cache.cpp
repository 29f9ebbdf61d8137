#include "func/jit/register_cache.h"

#include <algorithm>

#include "base/error.h"

namespace cutaway::func::jit {

RegisterCache::RegisterCache(Assembler& out, Vectors& vectors, uint32_t width, bool masked)
    : out_(out),
      vectors_(vectors),
      width_(width),
      masked_(masked),
      slots_(static_cast<size_t>(vectors.registers())) {}

Xbyak::Address RegisterCache::home(Word word) const {
  const size_t bytes = sizeof(uint32_t) * word.component;
  switch (word.file) {
    case isa::File::kInput:
      return out_.ptr[kInputs + bytes * width_];
    case isa::File::kTemporary:
      return out_.ptr[kTemporaries + bytes * width_];
    case isa::File::kOutput:
      return out_.ptr[kOutputs + bytes * width_];
    default:
      return out_.ptr[kConstants + bytes];
  }
}

void RegisterCache::canonicalize(Vector value) {
  if (!is_raw(value)) return;
  vectors_.canonicalize(value);
  set_raw(value, false);
}

void RegisterCache::store(Word word, Place& place) {
  if (!place.changed) return;
  const Vector value = vectors_.at(place.slot);
  canonicalize(value);
  out_.vmovups(home(word), value);
  place.changed = false;
}

void RegisterCache::detach(Word word, Place& place) {
  if (place.slot < 0) return;
  std::erase(slots_[static_cast<size_t>(place.slot)].words, word);
  place = {};
}

int RegisterCache::free_slot() {
  int oldest = -1;
  for (int n = 0; n < vectors_.registers(); ++n) {
    const Slot& slot = slots_[static_cast<size_t>(n)];
    if (slot.pinned) continue;
    if (slot.words.empty()) return n;
    if (oldest < 0 || slot.used < slots_[static_cast<size_t>(oldest)].used) oldest = n;
  }
  CUTAWAY_CHECK(oldest >= 0, "an instruction needs more vector registers than there are");
  const std::vector<Word> words = slots_[static_cast<size_t>(oldest)].words;
  for (const Word word : words) {
    Place& place = places_[word];
    store(word, place);
    detach(word, place);
  }
  return oldest;
}

Vector RegisterCache::take() {
  const int n = free_slot();
  slots_[static_cast<size_t>(n)] = {.pinned = true, .used = ++clock_};
  return vectors_.at(n);
}

Vector RegisterCache::read(Word word) {
  Place& place = places_[word];
  if (place.slot < 0) {
    const Vector value = take();
    if (word.file == isa::File::kConstant) out_.vbroadcastss(value, home(word));
    else out_.vmovups(value, home(word));
    place.slot = value.getIdx();
    slots_[index(value)].words.push_back(word);
    set_raw(value, false);
  }
  Slot& slot = slots_[static_cast<size_t>(place.slot)];
  slot.pinned = true;
  slot.used = ++clock_;
  return vectors_.at(place.slot);
}

void RegisterCache::unpin_all_but(const std::vector<Vector>& values) {
  for (Slot& slot : slots_) slot.pinned = false;
  for (const Vector& value : values) slots_[index(value)].pinned = true;
}

void RegisterCache::write(Word word, Vector value) {
  if (masked_) {
    const Vector old = read(word);
    canonicalize(value);  // the other lanes may be no floats
    vectors_.merge(old, value);
  } else {
    Place& place = places_[word];
    detach(word, place);
    place.slot = value.getIdx();
    slots_[index(value)].words.push_back(word);
  }
  places_[word].changed = true;
}

void RegisterCache::flush(const LiveWords& live) {
  for (auto& [word, place] : places_) {
    const bool dead =
        word.file == isa::File::kTemporary && word.component < live.size() && !live[word.component];
    if (!dead) store(word, place);
  }
}

}  // namespace cutaway::func::jit
