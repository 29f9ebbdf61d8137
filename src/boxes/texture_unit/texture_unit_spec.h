#pragma once

#include <cstdint>

#include "base/counter.h"
#include "base/field.h"
#include "structures/cache.h"
#include "structures/cache_banks.h"

namespace cutaway::boxes {

// When texels of BC blocks and sRGB formats are decoded (DX-4).
enum class TextureDecode : uint8_t {
  kOnRead,  // the cache holds them as memory does
  kOnFill   // the cache holds them decoded
};
inline constexpr EnumName<TextureDecode> kTextureDecodeNames[] = {{TextureDecode::kOnRead, "read"},
                                                                  {TextureDecode::kOnFill, "fill"}};

struct TextureUnitSpec {
  static constexpr unsigned kMostStepSamples = 2;

  unsigned queue = 32;
  unsigned request_words = 0, result_words = 0;
  unsigned step_queue = 64;
  unsigned steps_per_cycle = 1;
  unsigned step_fragments = 4;
  unsigned step_samples = 1;
  unsigned step_lines = 4;
  unsigned filter_latency = 4;
  unsigned cache_lines = 64;
  unsigned cache_ways = 4;
  unsigned cache_mshrs = 64;
  unsigned cache_banks = 0;
  structures::ReplacementName cache_replacement = "lru";
  unsigned line_bytes = 256;
  unsigned fetch_bytes = 64;
  unsigned load_bytes = 64;
  TextureDecode decode = TextureDecode::kOnRead;

  // Bytes that a cache asks for at least.
  unsigned grain() const { return fetch_bytes < load_bytes ? fetch_bytes : load_bytes; }

  template <class V>
  static void fields(V&& v) {
    using S = TextureUnitSpec;
    v("queue", &S::queue, "quads", 1u, 256u, "texture instructions of quads inside the unit");
    v("request_words", &S::request_words, "words", 0u, 16u,
      "words of each thread that come from the shader unit in a cycle: coordinates, layer, reference, level or "
      "gradients of a texture instruction, the address of a buffer load; 0: a quad's all at once");
    v("result_words", &S::result_words, "words", 0u, 4u,
      "components of each thread's result that go back in a cycle; 0: a quad's all at once");
    v("step_queue", &S::step_queue, "steps", 1u, 1024u, "bilinear steps between cache look-up and filter");
    v("steps_per_cycle", &S::steps_per_cycle, "steps", 1u, 16u,
      "bilinear steps looked up and filtered per cycle; trilinear and anisotropic filters take several");
    v("step_fragments", &S::step_fragments, "fragments", 1u, 4u,
      "fragments of a quad that take a bilinear sample in one step");
    v("step_samples", &S::step_samples, "samples", 1u, kMostStepSamples,
      "bilinear samples of each of these fragments in a step, in their order; with 2 these are the levels "
      "of a trilinear sample, places along an anisotropic footprint, or slices of a 3D texture; 1 is taken "
      "if all of them need more than step_lines");
    v("step_lines", &S::step_lines, "lines", 4u, 16u,
      "different cache lines that a step can read; fragments that need more take steps of their own");
    v("filter_latency", &S::filter_latency, "cycles", 1u, 64u, "cycles from the last sample to the result");
    v("cache_lines", &S::cache_lines, "lines", 4u, 4096u, "lines of the texture cache");
    v("cache_ways", &S::cache_ways, "lines", 4u, 64u, "ways: lines of a set");
    v("cache_mshrs", &S::cache_mshrs, "lines", 1u, 4096u, "MSHRs: lines that may wait for memory at a time");
    v("cache_banks", &S::cache_banks, "banks", 0u, structures::CacheBanks::kMost,
      "banks of sets; a bank looks up one line per cycle; 0: no conflicts between lines of a step");
    v("cache_replacement", &S::cache_replacement, structures::kReplacementMeaning);
    v("line_bytes", &S::line_bytes, "bytes", 64u, 512u, "bytes of a line; a multiple of 64");
    v("fetch_bytes", &S::fetch_bytes, "bytes", 32u, 64u,
      "least bytes that this and the second-level cache request on a miss of texels: sectors, or halves of "
      "them; no less than memory.access_bytes");
    v("load_bytes", &S::load_bytes, "bytes", 32u, 64u,
      "the same for words of buffers, of which neighbours may be far apart");
    v("decode", &S::decode, kTextureDecodeNames,
      "when BC blocks and sRGB texels are decoded: read, when they are filtered, so that lines hold them as "
      "memory does; fill, when they come into the cache, whose lines hold decoded texels of 2, 4 or 8 bytes");
  }
};

struct TextureUnitCounters {
  uint64_t quads = 0, steps = 0, bilinear_samples = 0, texels = 0, cache_hits = 0, cache_merged = 0,
           cache_misses = 0, bank_conflicts = 0;
  uint64_t request_cycles = 0, result_cycles = 0;

  template <class V>
  static void fields(V&& v) {
    using C = TextureUnitCounters;
    v("quads", &C::quads, "quads", "texture instructions, one per quad");
    v("steps", &C::steps, "steps", "bilinear steps");
    v("bilinear_samples", &C::bilinear_samples, "samples", "bilinear samples of fragments, and buffer loads");
    v("texels", &C::texels, "texels", "texels read for these samples");
    v("cache_hits", &C::cache_hits, "lines", "texture cache: lines found, once per sample and line",
      CounterRole::kCacheHits);
    v("cache_merged", &C::cache_merged, "lines", "lines found that wait for a sector requested before");
    v("cache_misses", &C::cache_misses, "lines", "texture cache: lines of which a sector was requested",
      CounterRole::kCacheMisses);
    v("bank_conflicts", &C::bank_conflicts, "lines",
      "look-ups delayed by a cycle because their bank had been used in it");
    v("request_cycles", &C::request_cycles, "cycles",
      "further cycles of requests that are wider than their port (request_words)");
    v("result_cycles", &C::result_cycles, "cycles",
      "further cycles of results that are wider than their port (result_words)");
  }
};

}  // namespace cutaway::boxes
