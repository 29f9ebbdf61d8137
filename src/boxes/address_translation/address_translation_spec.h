#pragma once

#include "base/field.h"
#include "structures/replacement/replacement.h"

namespace cutaway::boxes {

// Sizes of pages: those of G80 (OUT-G80-18).
enum class PageSize : uint8_t { kNone, k4, k64 };
constexpr EnumName<PageSize> kPageSizeNames[] = {
    {PageSize::kNone, "none"}, {PageSize::k4, "4KB"}, {PageSize::k64, "64KB"}};

struct AddressTranslationSpec {
  PageSize pages = PageSize::kNone;
  unsigned entries = 16;
  unsigned ways = 16;
  structures::ReplacementName replacement = "lru";
  unsigned latency = 1;
  unsigned l2_entries = 128;
  unsigned l2_ways = 8;
  structures::ReplacementName l2_replacement = "lru";
  unsigned l2_latency = 10;
  unsigned walks = 4;

  bool present() const { return pages != PageSize::kNone; }
  uint64_t page_bytes() const {  // 0: no pages
    return pages == PageSize::k4 ? 0x1000 : pages == PageSize::k64 ? 0x10000 : 0;
  }

  template <class V>
  static void fields(V&& v) {
    using S = AddressTranslationSpec;
    v("pages", &S::pages, kPageSizeNames,
      "size of a page; none: addresses are not translated, and there is no such unit");
    v("entries", &S::entries, "pages", 1u, 4096u,
      "pages that the first level holds for each group of memory clients");
    v("ways", &S::ways, "pages", 1u, structures::kMostWays, "pages of a set of the first level");
    v("replacement", &S::replacement, structures::kReplacementMeaning);
    v("latency", &S::latency, "cycles", 1u, 64u,
      "cycles from a look-up that finds its page to the memory controller");
    v("l2_entries", &S::l2_entries, "pages", 1u, 65536u, "pages that the second level holds for all groups");
    v("l2_ways", &S::l2_ways, "pages", 1u, structures::kMostWays, "pages of a set of the second level");
    v("l2_replacement", &S::l2_replacement, structures::kReplacementMeaning);
    v("l2_latency", &S::l2_latency, "cycles", 1u, 1000u,
      "cycles from a miss of the first level to the answer of the second, which takes one look-up a cycle");
    v("walks", &S::walks, "walks", 1u, 64u, "walks of the page table at once");
  }
};

}  // namespace cutaway::boxes
