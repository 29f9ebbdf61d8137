#include "emulator/texel_storage.h"

#include <new>
#include <sys/mman.h>

#include "base/round_up.h"

namespace cutaway::emulator {
namespace {

constexpr size_t kHugePage = size_t{2} << 20, kAlignment = 64;

std::shared_ptr<std::byte> make_chunk(size_t bytes) {
  constexpr std::align_val_t kAt{kHugePage};
  auto* const chunk = static_cast<std::byte*>(operator new(bytes, kAt));
  madvise(chunk, bytes, MADV_HUGEPAGE);  // advice: without it the chunk is as good, but slower
  return {chunk, [](std::byte* of) { operator delete(of, kAt); }};
}

}  // namespace

std::shared_ptr<uint32_t> TexelStorage::take(size_t words) {
  const size_t bytes = round_up(words * sizeof(uint32_t), kAlignment);
  if (bytes > bytes_ - used_) {
    bytes_ = round_up(bytes, kHugePage), used_ = 0;
    chunk_ = make_chunk(bytes_);
  }
  auto* const start = reinterpret_cast<uint32_t*>(chunk_.get() + used_);
  used_ += bytes;
  return {start, [chunk = chunk_](uint32_t*) {}};
}

}  // namespace cutaway::emulator
