#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "func/texture/buffer_load.h"
#include "func/texture/quad_footprint.h"
#include "func/texture/sample.h"
#include "messages/draw_state.h"
#include "messages/messages.h"
#include "structures/cache.h"
#include "structures/cache_banks.h"
#include "structures/cache_port.h"
#include "structures/interleave.h"
#include "structures/ring.h"

namespace cutaway::boxes {

struct TextureUnitSpec {
  static constexpr unsigned kMostStepSamples = 2;

  unsigned queue = 32;
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

  // Bytes that a cache asks for at least.
  unsigned grain() const { return fetch_bytes < load_bytes ? fetch_bytes : load_bytes; }

  template <class V>
  static void fields(V&& v) {
    using S = TextureUnitSpec;
    v("queue", &S::queue, "quads", 1u, 256u, "texture instructions of quads inside the unit");
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
  }
};

struct TextureUnitCounters {
  uint64_t quads = 0, steps = 0, bilinear_samples = 0, texels = 0, cache_hits = 0, cache_merged = 0,
           cache_misses = 0, bank_conflicts = 0;

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
  }
};

// Executes texture instructions of quads in order, in bilinear steps. A step takes one or two bilinear
// samples of several fragments of the quad. It is looked up, and its missing sectors are requested, long
// before it is filtered, so that misses of many steps overlap (Igehy et al. 1998).
class TextureUnit final : public engine::Box {
 public:
  // slices: of the second-level texture cache, with the addresses of each; a single one: that slice, or
  // memory itself. number: index among the texture units.
  TextureUnit(std::string path, const TextureUnitSpec& spec, const structures::Interleave& slices = {},
              uint32_t number = 0);

  engine::In<messages::TextureMessage> jobs_in;                  // from the shader unit
  engine::Out<messages::TextureMessage> jobs_out;                // back to it
  std::vector<engine::Out<messages::MemoryRequest>> memory_out;  // by slice
  engine::Inputs<messages::MemoryReply> memory_in;
  engine::In<messages::Control> control_in;
  engine::Out<messages::ControlDone> control_out;

  TextureUnitCounters counters;

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  static constexpr uint32_t kMaxLines = 16;  // per step; one sample has 4
  static constexpr uint32_t kMaxReads = func::kQuadLanes * TextureUnitSpec::kMostStepSamples;

  struct Job {
    messages::PoolRef<messages::TextureJob> job;
    const func::TextureView* view = nullptr;  // and the sampler: not of a load
    const arch::Sampler* sampler = nullptr;
    func::TexturePlan plan;
    func::BufferLoad load;
    bool is_load = false;
    std::array<func::TexelAccumulator, func::kQuadLanes> accumulators;
    func::QuadResult result;
    std::array<uint8_t, func::kQuadLanes> samples{};  // by lane; of a load: 1 if it reads
    std::array<uint8_t, func::kQuadLanes> next{};     // by lane: the sample to look up next
    uint32_t sample = 0, waiting = 0;                 // the lowest of these, and the lanes that wait for it
    uint32_t samples_left = 0;                        // samples not filtered yet
    bool looked_up = false;                           // all samples are looked up
    engine::Cycle ready = 0;  // cycle in which the result leaves, once samples_left is 0
  };
  // Sample k of a lane. Of a filtered sample: where its texels begin, in a line of the step at an offset.
  struct Read {
    uint8_t lane = 0, k = 0;
    std::array<uint8_t, 4> line{};
    std::array<uint16_t, 4> offset{};
  };
  // The lines that a step reads, in the order in which its samples touch them. There is room for one sample
  // too many.
  struct Lines {
    uint32_t count = 0;
    std::array<uint16_t, kMaxLines + 4> grains;
    std::array<uint8_t, kMaxLines + 4> readers;  // number of samples that read each line
  };
  // Samples of some lanes of a quad, in filter order, and the lines that they read.
  struct Step {
    uint32_t job = 0;  // sequence number
    uint32_t sample = 0;
    uint32_t reads = 0, pinned = 0;
    std::array<Read, kMaxReads> read;
    Lines lines;
    std::array<arch::Address, kMaxLines + 4> address;
    std::array<uint32_t, kMaxLines> line;  // of the cache
    // The texels of the lanes, from sample `sample` on: of all together, or of each.
    bool by_quad = false;
    func::QuadFootprint quad[TextureUnitSpec::kMostStepSamples];
    func::Footprint footprint[TextureUnitSpec::kMostStepSamples][func::kQuadLanes];

    const func::Footprint& footprint_of(const Read& of) const { return footprint[of.k - sample][of.lane]; }
    const func::FootprintShape& shape_of(const Read& of) const {
      return by_quad ? quad[of.k - sample].shape[of.lane] : footprint_of(of);
    }
  };

  bool send_request(engine::Cycle now);
  bool take_reply(engine::Cycle now);
  const engine::Port& waits_for() const;
  bool take(engine::Cycle now);
  bool can_look_up() const { return waits_ || looking_up_ < jobs_.size(); }
  bool look_up();
  bool can_filter() const { return !steps_.empty() && there(steps_.front()); }
  void filter(engine::Cycle now);
  bool has_result(engine::Cycle now) const {
    return !jobs_.empty() && jobs_.front().looked_up && !jobs_.front().samples_left &&
           jobs_.front().ready <= now;
  }
  bool reply(engine::Cycle now);
  bool control(engine::Cycle now);
  void plan(engine::Cycle now, Job& job);
  static void find_next_sample(Job& job);
  void make_step(Job& job, uint32_t number, Step& step) const;
  void find_texels(const Job& job, Step& step) const;
  bool fill_step(const Job& job, uint32_t samples, Step& step) const;
  bool fill_from_lines(const Job& job, uint32_t samples, Step& step) const;
  struct OfLine {
    arch::Address start = 0;
    uint32_t grains = 0;
    std::array<std::array<uint16_t, 4>, func::kQuadLanes> offset{};  // [lane][texel]
  };
  bool in_one_line(const func::QuadFootprint& quad, OfLine& line) const;
  bool add_sample(const Job& job, uint32_t lane, uint32_t k, Step& step) const;
  bool add_from_lines(const func::QuadFootprint& quad, Read& read, Step& step) const;
  bool add_any_sample(const Job& job, Read& read, Step& step) const;
  uint32_t touch_sample(const Job& job, Read& read, Step& step) const;
  uint32_t touch_texels(const func::Footprint& footprint, Read& read, Step& step) const;
  uint32_t touch_elements(const func::Footprint& footprint, uint32_t bytes, Read& read, Step& step) const;
  uint32_t touch(arch::Address address, uint32_t bytes, uint32_t fetch, Step& step) const;
  static uint32_t find_line(arch::Address start, const Step& step);
  static uint32_t line_of(arch::Address start, Step& step);
  bool pin(Step& step, const messages::TextureJob& job);
  void note_line(arch::Address address, const messages::TextureJob& job);
  bool there(const Step& step) const {
    if (step.pinned < step.lines.count) return false;
    for (uint32_t i = 0; i < step.lines.count; i++)
      if (!cache_.settled(step.line[i], step.lines.grains[i])) return false;
    return true;
  }
  void finish_load(Job& job, const Step& step, const Read& read) const;
  void filter_texels(Job& job, const Step& step);
  uint32_t find_bytes(const Job& job, const Step& step, const Read& read, const std::byte* const line[],
                      func::FetchedSample& sample, std::byte* split) const;
  const std::byte* bytes_at(const Step& step, arch::Address address) const;

  TextureUnitSpec spec_;
  structures::Interleave slices_;
  Divisor line_, grain_;  // bytes of a line, of a grain
  // The grains that a texel needs, by where it begins in its line, in units of the least `fetch_bytes`.
  static constexpr uint32_t kLeastFetch = 32, kMostLineBytes = 512;
  std::array<uint16_t, kMostLineBytes / kLeastFetch> grains_at_{};
  structures::Cache cache_;
  structures::CacheBanks banks_;
  uint32_t number_;
  // The lines last recorded in messages::TouchedLines, by line number modulo the size: saves most look-ups.
  static constexpr uint32_t kNoted = 1024;
  struct Noted {
    arch::Address address = 0;
    uint32_t work = ~0u;
  };
  std::vector<Noted> noted_;
  unsigned reply_turn_ = 0;  // slice to try first
  structures::Ring<Job> jobs_;
  structures::Ring<Step> steps_;
  uint32_t first_job_ = 0;   // sequence number of the front
  uint32_t looking_up_ = 0;  // index of the job being looked up
  bool waits_ = false;       // the newest step has a line to pin
};

}  // namespace cutaway::boxes
