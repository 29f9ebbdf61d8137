// Fetches texels for whole groups: included after wide_footprint_kernels.h, under the same rules.
#ifndef CUTAWAY_ALU
#error "wide_fetch_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "arch/memory.h"
#include "func/texture/wide_sample.h"

namespace cutaway::func::CUTAWAY_ALU {

// Words at 32-bit offsets from an address.
CUTAWAY_INLINE Words gather_words(uintptr_t base, Words offset) {
#ifdef __AVX512F__
  return (Words)_mm512_i32gather_epi32((__m512i)offset, reinterpret_cast<const void*>(base), 1);
#elif defined(__AVX2__)
  return (Words)_mm256_i32gather_epi32(reinterpret_cast<const int*>(base), (__m256i)offset, 1);
#else
  Words out;
  for (int i = 0; i < kVector; i++) {
    uint32_t word;
    __builtin_memcpy(&word, reinterpret_cast<const void*>(base + offset[i]), 4);
    out[i] = word;
  }
  return out;
#endif
}

// Words at addresses.
CUTAWAY_INLINE HalfInts gather_words(LongWords address) {
#ifdef __AVX512F__
  return (HalfInts)_mm512_i64gather_epi32((__m512i)address, nullptr, 1);
#elif defined(__AVX2__)
  return (HalfInts)_mm256_i64gather_epi32(nullptr, (__m256i)address, 1);
#else
  HalfInts out;
  for (int i = 0; i < kDoubles; i++) {
    int32_t word;
    __builtin_memcpy(&word, reinterpret_cast<const void*>(address[i]), 4);
    out[i] = word;
  }
  return out;
#endif
}

// Addresses of pages, 0 where nothing is mapped. Other threads may replace entries meanwhile.
CUTAWAY_INLINE LongWords page_addresses(const void* entries, HalfInts page) {
#ifdef __AVX512F__
  const LongWords entry = (LongWords)_mm512_i32gather_epi64((__m256i)page, entries, 8);
#elif defined(__AVX2__)
  const LongWords entry =
      (LongWords)_mm256_i32gather_epi64(static_cast<const long long*>(entries), (__m128i)page, 8);
#else
  LongWords entry;
  for (int i = 0; i < kDoubles; i++)
    entry[i] = __atomic_load_n(static_cast<const uintptr_t*>(entries) + page[i], __ATOMIC_ACQUIRE);
#endif
  return entry & arch::Memory::Window::kPageAddress;
}
CUTAWAY_INLINE bool some_zero(LongWords a, LongWords b) {
  return mask_of(__builtin_convertvector((Longs)((a == 0) | (b == 0)), HalfInts)) != 0;
}

CUTAWAY_INLINE Words join(HalfInts low, HalfInts high) {
#ifdef __AVX512F__
  return (Words)__builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#else
  return (Words)__builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}

// Texels at `place` from the first page on, of which some lie in different pages.
CUTAWAY_INLINE bool fetch_apart(const WidePages& pages, uint32_t words, uint32_t texels, const Words place[4],
                                int lane, WideTexels& out) {
  constexpr uint32_t kInPage = arch::kPageBytes - 1;
  LongWords low{}, high{};
  Words page = ~Words{};
  for (uint32_t i = 0; i < texels; i++) {
    const Words in = place[i] & kInPage, next = place[i] >> 12;
    if (i == 0 || mask_of((Ints)(next != page))) {  // the texels of a row mostly lie in one page
      page = next;
      low = page_addresses(pages.entries, low_half<HalfInts>((Ints)page));
      high = page_addresses(pages.entries, high_half<HalfInts>((Ints)page));
      if (some_zero(low, high)) return false;
    }
    const LongWords low_place = low + __builtin_convertvector(low_half<HalfInts>((Ints)in), LongWords);
    const LongWords high_place = high + __builtin_convertvector(high_half<HalfInts>((Ints)in), LongWords);
    for (uint32_t w = 0; w < words; w++)
      store(&out.word[w][i][lane], join(gather_words(low_place + 4 * w), gather_words(high_place + 4 * w)));
  }
  return true;
}

inline bool fetch_words(const WidePages& pages, uint32_t words, uint32_t texels, uint32_t quads,
                        const WideFootprint& at, WideTexels& out) {
  static_assert(arch::kPageBytes == 1 << 12);
  for (int lane = 0; lane < (int)kWideLanes; lane += kVector) {
    const uint32_t some = quads >> lane & kAllLanes;
    if (!some) continue;
    const uint32_t first = at.offset[0][lane + __builtin_ctz(some)];
    const Ints on = lanes_of(some * 15);
    const uint32_t page = (pages.start + first) >> 12;
    Words place[4], apart{};
    for (uint32_t i = 0; i < texels; i++) {
      place[i] = (Words)choose(on, (Ints)load(&at.offset[i][lane]), (Ints)(Words{} + first)) + pages.start;
      apart |= place[i] - (page << 12);
    }
    if (mask_of((Ints)(apart >= arch::kPageBytes))) {
      if (!fetch_apart(pages, words, texels, place, lane, out)) return false;
      continue;
    }
    const uintptr_t entry =
        __atomic_load_n(static_cast<const uintptr_t*>(pages.entries) + page, __ATOMIC_ACQUIRE);
    const uintptr_t base = entry & arch::Memory::Window::kPageAddress;
    if (!base) return false;
    for (uint32_t i = 0; i < texels; i++)
      for (uint32_t w = 0; w < words; w++)
        store(&out.word[w][i][lane], gather_words(base + 4 * w, place[i] - (page << 12)));
  }
  return true;
}

}  // namespace cutaway::func::CUTAWAY_ALU
