// Fetches texels for whole groups: included after wide_footprint_kernels.h, under the same rules.
#ifndef CUTAWAY_ALU
#error "wide_fetch_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "arch/memory.h"
#include "func/texture/wide_sample.h"

namespace cutaway::func::CUTAWAY_ALU {

// A load for each lane takes half the time of the processor's gather on AMD's, and on Intel's with a guard
// against data sampling. Offsets are signed.

// Stores lanes to read each from memory: compilers would take them out of the vector, which takes longer.
CUTAWAY_INLINE void put_lanes(uint32_t (&to)[kVector], Words lanes) {
  store(to, lanes);
  asm("" : "+m"(to));
}

#ifdef __AVX2__
// Joins the vectors that make(i) gives for the lanes from i on, four of 4 bytes or two of 8.
template <int kStep, class Make>
CUTAWAY_INLINE Words join_lanes(int first, Make make) {
  const auto half = [&](int i) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(make(i)), make(i + kStep), 1);
  };
#ifdef __AVX512F__
  return (Words)_mm512_inserti64x4(_mm512_castsi256_si512(half(first)), half(first + 2 * kStep), 1);
#else
  return (Words)half(first);
#endif
}
#endif

// Words at 32-bit offsets from an address.
CUTAWAY_INLINE Words gather_words(uintptr_t base, Words offset) {
  const auto word = [&](int32_t there) {
    uint32_t value;
    __builtin_memcpy(&value, reinterpret_cast<const void*>(base + static_cast<intptr_t>(there)), 4);
    return static_cast<int>(value);
  };
#ifdef __AVX2__
  alignas(64) uint32_t at[kVector];
  put_lanes(at, offset);
  return join_lanes<4>(0, [&](int i) {
    const auto here = [&](int n) { return word(static_cast<int32_t>(at[i + n])); };
    __m128i four = _mm_cvtsi32_si128(here(0));
    four = _mm_insert_epi32(four, here(1), 1);
    four = _mm_insert_epi32(four, here(2), 2);
    return _mm_insert_epi32(four, here(3), 3);
  });
#else
  Words out;
  for (int i = 0; i < kVector; i++) out[i] = static_cast<uint32_t>(word(static_cast<int32_t>(offset[i])));
  return out;
#endif
}

// The words at each lane's index and behind it; an index counts kScale bytes.
struct Pairs {
  Words left, right;
};
template <int kScale>
CUTAWAY_INLINE Pairs gather_pairs(uintptr_t base, const uint32_t (&index)[kVector]) {
  const auto place = [&](int i) {
    return reinterpret_cast<const void*>(base +
                                         static_cast<intptr_t>(static_cast<int32_t>(index[i])) * kScale);
  };
#ifdef __AVX2__
  const auto two = [&](int i) {
    const auto here = [&](int n) { return static_cast<const double*>(place(i + n)); };
    return _mm_castpd_si128(_mm_loadh_pd(_mm_load_sd(here(0)), here(1)));
  };
  const Words low = join_lanes<2>(0, two), high = join_lanes<2>(kDoubles, two);
  return {low_words((LongWords)low, (LongWords)high), odd_words(low, high)};
#else
  Pairs out;
  for (int i = 0; i < kVector; i++) {
    uint32_t words[2];
    __builtin_memcpy(words, place(i), sizeof words);
    out.left[i] = words[0], out.right[i] = words[1];
  }
  return out;
#endif
}
template <int kScale>
CUTAWAY_INLINE Pairs gather_pairs(uintptr_t base, Words index) {
  alignas(64) uint32_t at[kVector];
  put_lanes(at, index);
  return gather_pairs<kScale>(base, at);
}

// Copies words of texel i of a vector's lanes to out[word][i].
template <uint32_t kWords, uint32_t kTexels>
CUTAWAY_INLINE void gather_texel(uintptr_t base, Words offset, uint32_t i, Words out[kWords][kTexels]) {
  if constexpr (kWords == 1) {
    out[0][i] = gather_words(base, offset);
  } else {
    static_assert(kWords == 2);
    const Pairs pairs = gather_pairs<1>(base, offset);
    out[0][i] = pairs.left, out[1][i] = pairs.right;
  }
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

// Addresses of the pages of a vector's lanes, 0 where nothing is mapped. Other threads may replace entries
// meanwhile.
struct PageAddresses {
  LongWords low, high;  // of the first and the last lanes

  bool complete() const { return mask_of((Longs)((low == 0) | (high == 0))) == 0; }
};
CUTAWAY_INLINE LongWords gather_entries(const void* entries, HalfInts page) {
#ifdef __AVX512F__
  return (LongWords)_mm512_i32gather_epi64((__m256i)page, entries, 8);
#elif defined(__AVX2__)
  return (LongWords)_mm256_i32gather_epi64(static_cast<const long long*>(entries), (__m128i)page, 8);
#else
  LongWords entry;
  for (int i = 0; i < kDoubles; i++)
    entry[i] = __atomic_load_n(static_cast<const uintptr_t*>(entries) + page[i], __ATOMIC_ACQUIRE);
  return entry;
#endif
}
CUTAWAY_INLINE PageAddresses page_addresses(const WidePages& pages, Words page) {
  constexpr uint64_t kAddress = arch::Memory::Window::kPageAddress;
  return {gather_entries(pages.entries, low_half<HalfInts>((Ints)page)) & kAddress,
          gather_entries(pages.entries, high_half<HalfInts>((Ints)page)) & kAddress};
}

#ifdef __AVX512F__
// Some neighbouring pages, by their distance from the first one: where their bytes lie from one address on.
// They are as many as two rows of tiles of a texture of 1024 texels of 8 bytes take.
struct NearPages {
  static constexpr uint32_t kPages = 2 * kVector;
  static constexpr int32_t kNowhere = INT32_MIN;  // not mapped, or farther than an offset reaches

  uintptr_t base;
  Ints offset[2];

  CUTAWAY_INLINE Ints at(Words distance) const {
    return (Ints)_mm512_permutex2var_epi32((__m512i)offset[0], (__m512i)distance, (__m512i)offset[1]);
  }
};
CUTAWAY_INLINE NearPages near_pages(const WidePages& pages, uint32_t first) {
  const auto* const entry = static_cast<const uint64_t*>(pages.entries) + first;
  const __m512i address = _mm512_set1_epi64(static_cast<long long>(arch::Memory::Window::kPageAddress));
  const auto load_eight = [&](uint32_t i) {
    return _mm512_and_si512(_mm512_loadu_si512(entry + i), address);
  };
  const __m128i start = _mm512_castsi512_si128(load_eight(0));
  const __m512i base = _mm512_broadcastq_epi64(start);
  NearPages out{static_cast<uintptr_t>(_mm_cvtsi128_si64(start)), {}};
  CUTAWAY_UNROLL for (uint32_t i = 0; i < 2; i++) {
    const __m512i low = load_eight(i * kVector), high = load_eight(i * kVector + kDoubles);
    // Distances saturate.
    const __m256i low_offset = _mm512_cvtsepi64_epi32(_mm512_sub_epi64(low, base));
    const __m256i high_offset = _mm512_cvtsepi64_epi32(_mm512_sub_epi64(high, base));
    const Ints offset = (Ints)_mm512_inserti64x4(_mm512_castsi256_si512(low_offset), high_offset, 1);
    const uint32_t unmapped = _mm512_testn_epi64_mask(low, low) | _mm512_testn_epi64_mask(high, high)
                                                                      << kDoubles;
    const Ints far = (Ints)(offset > INT32_MAX - (int32_t)arch::kPageBytes) | lanes_of(unmapped);
    out.offset[i] = choose(far, Ints{} + NearPages::kNowhere, offset);
  }
  return out;
}
// Gathers texels that lie in a few neighbouring pages. Returns false, perhaps with some gathered, if they do
// not.
template <uint32_t kWords, uint32_t kTexels, uint32_t kMapped>
CUTAWAY_INLINE bool gather_near(const WidePages& pages, const Words place[kMapped],
                                Words out[kWords][kTexels]) {
  const uint32_t first = _mm512_reduce_min_epu32((__m512i)place[0]) >> 12;
  if (first > kWindowPages - NearPages::kPages) return false;
  const NearPages near = near_pages(pages, first);
  if (!near.base) return false;
  CUTAWAY_UNROLL for (uint32_t i = 0; i < kMapped; i++) {
    const Words distance = (place[i] >> 12) - first;
    const Ints page = near.at(distance);
    if (mask_of((Ints)(distance >= NearPages::kPages) | (Ints)(page == NearPages::kNowhere))) return false;
    const Words offset = (Words)page + (place[i] & (uint32_t)(arch::kPageBytes - 1));
    if (i < kTexels) gather_texel<kWords, kTexels>(near.base, offset, i, out);
  }
  return true;
}
#endif

CUTAWAY_INLINE Words join(HalfInts low, HalfInts high) {
#ifdef __AVX512F__
  return (Words)__builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#else
  return (Words)__builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}

// The same, wherever they lie. Returns false if a texel is not mapped.
template <uint32_t kWords, uint32_t kTexels, uint32_t kMapped>
[[gnu::noinline]] bool gather_apart(const WidePages& pages, const Words place[kMapped],
                                    Words out[kWords][kTexels]) {
  constexpr uint32_t kInPage = arch::kPageBytes - 1;
  PageAddresses address{};
  Words page = ~Words{};
  CUTAWAY_UNROLL for (uint32_t i = 0; i < kMapped; i++) {
    const Words in = place[i] & kInPage, next = place[i] >> 12;
    if (i == 0 || mask_of((Ints)(next != page))) {  // the texels of a row mostly lie in one page
      page = next;
      address = page_addresses(pages, page);
      if (!address.complete()) return false;
    }
    if (i >= kTexels) continue;
    const LongWords low = address.low + __builtin_convertvector(low_half<HalfInts>((Ints)in), LongWords);
    const LongWords high = address.high + __builtin_convertvector(high_half<HalfInts>((Ints)in), LongWords);
    CUTAWAY_UNROLL for (uint32_t w = 0; w < kWords; w++) out[w][i] =
        join(gather_words(low + 4 * w), gather_words(high + 4 * w));
  }
  return true;
}

// Copies words of the texels of a vector's lanes to out[word][texel], from the first page on at `place`.
// Returns false if one of the first kMapped texels is not mapped.
template <uint32_t kWords, uint32_t kTexels, uint32_t kMapped = kTexels>
CUTAWAY_INLINE bool gather_texels(const WidePages& pages, const Words place[kMapped],
                                  Words out[kWords][kTexels]) {
  constexpr uint32_t kInPage = arch::kPageBytes - 1;
  const uint32_t some_page = place[0][0] >> 12;
  Words apart{};
  CUTAWAY_UNROLL for (uint32_t i = 0; i < kMapped; i++) apart |= place[i] - (some_page << 12);
  if (!mask_of((Ints)(apart > kInPage))) {  // all in one page
    const uintptr_t entry =
        __atomic_load_n(static_cast<const uintptr_t*>(pages.entries) + some_page, __ATOMIC_ACQUIRE);
    const uintptr_t base = entry & arch::Memory::Window::kPageAddress;
    if (!base) return false;
    CUTAWAY_UNROLL for (uint32_t i = 0; i < kTexels; i++)
        gather_texel<kWords, kTexels>(base, place[i] & kInPage, i, out);
    return true;
  }
#ifdef __AVX512F__
  if (gather_near<kWords, kTexels, kMapped>(pages, place, out)) return true;
#endif
  return gather_apart<kWords, kTexels, kMapped>(pages, place, out);
}
// Offsets of lanes that are not on become that of one that is.
CUTAWAY_INLINE Words only_on(uint32_t on, Words offset, uint32_t of_first) {
  return (Words)choose(lanes_of(on), (Ints)offset, (Ints)(Words{} + of_first));
}

template <uint32_t kWords, uint32_t kTexels>
[[gnu::noinline]] bool fetch_some(const WidePages& pages, uint32_t quads, const WideFootprint& at,
                                  WideTexels& out) {
  for (int lane = 0; lane < (int)kWideLanes; lane += kVector) {
    const uint32_t some = quads >> lane & kAllLanes;
    if (!some) continue;
    const uint32_t first = at.offset[0][lane + __builtin_ctz(some)];
    Words place[kTexels], texel[kWords][kTexels];
    for (uint32_t i = 0; i < kTexels; i++)
      place[i] = only_on(some * 15, load(&at.offset[i][lane]), first) + pages.start;
    if (!gather_texels<kWords, kTexels>(pages, place, texel)) return false;
    for (uint32_t w = 0; w < kWords; w++)
      for (uint32_t i = 0; i < kTexels; i++) store(&out.word[w][i][lane], texel[w][i]);
  }
  return true;
}

inline bool fetch_words(const WidePages& pages, uint32_t words, uint32_t texels, uint32_t quads,
                        const WideFootprint& at, WideTexels& out) {
  static_assert(arch::kPageBytes == 1 << 12);
  if (words == 1) return (texels == 1 ? fetch_some<1, 1> : fetch_some<1, 4>)(pages, quads, at, out);
  return (texels == 1 ? fetch_some<2, 1> : fetch_some<2, 4>)(pages, quads, at, out);
}

}  // namespace cutaway::func::CUTAWAY_ALU
