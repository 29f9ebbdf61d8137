#pragma once

#include <string>
#include <vector>

#include "base/field.h"
#include "boxes/z_stencil/counters.h"
#include "boxes/z_stencil/tile_reports.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "func/rop/depth_stencil.h"
#include "parts/cache.h"
#include "parts/cache_port.h"
#include "parts/messages.h"
#include "parts/quad_cache.h"
#include "parts/ring.h"
#include "parts/tile_map.h"

namespace cutaway::boxes {

struct ZStencilSpec {
  bool fast_clear = true;
  bool compression = true;
  unsigned queue = 64;
  unsigned late_queue = 16;
  unsigned cache_lines = 64;
  unsigned cache_ways = 4;
  unsigned cache_pending = 64;
  unsigned line_bytes = 256;
  unsigned write_backs = 16;
  unsigned report_queue = 8;
  unsigned report_cycles = 4;
  unsigned quads_per_cycle = 1;

  template <class V>
  static void fields(V&& v) {
    using S = ZStencilSpec;
    v("fast_clear", &S::fast_clear, "", "clears of depth and stencil set block tags where these can say it");
    v("compression", &S::compression, "",
      "blocks of a surface that has block tags are written compressed, in one or two sectors of four, where "
      "they lie near few planes (func/rop/depth_block.h)");
    v("queue", &S::queue, "quads", 1u, 1024u,
      "quads waiting for their line before shading, once for each sample that is tested");
    v("late_queue", &S::late_queue, "quads", 1u, 1024u,
      "quads waiting for their line after shading, counted alike");
    v("cache_lines", &S::cache_lines, "lines", 4u, 4096u, "Z and stencil cache");
    v("cache_ways", &S::cache_ways, "lines", 2u, 64u, "of a set");
    v("cache_pending", &S::cache_pending, "lines", 1u, 4096u,
      "of which sectors may be on their way at a time");
    v("line_bytes", &S::line_bytes, "bytes", 64u, 512u, "of a line; a multiple of 64");
    v("write_backs", &S::write_backs, "sectors", 8u, 256u,
      "evicted 64-byte sectors waiting for the memory port, beside those of one line");
    v("report_queue", &S::report_queue, "lines", 0u, 1024u,
      "that tests have changed and left, waiting to be read for what hierarchical Z is told of their tiles; "
      "0: they are read when they leave the cache, and only then");
    v("report_cycles", &S::report_cycles, "cycles", 1u, 64u, "to read a line for that");
    v("quads_per_cycle", &S::quads_per_cycle, "quads", 1u, 8u,
      "taken and tested before shading per cycle, or samples of quads; after shading it is one");
  }
};

// Depth and stencil test of the tiles that the unit owns, before or after shading, one quad per cycle in all
// (ATT-3), or several before shading, with several samples per pixel one sample of a quad.
//
// Quads pass on the early side in order whether they are tested there or not, and likewise on the late side.
// A draw that is tested early waits until every earlier draw that writes late has come back.
//
// Quads come from the rasterisers in turn. The draw end of one waits for those of the others.
class ZStencil final : public engine::Box {
 public:
  // rasters: the tiles of the rasterisers, whose hierarchical Z sends quads and is told of stored depths.
  // sends_dead: quads of which the early test leaves nothing go on too, for an interpolator that keeps order;
  // not those of draws that end here.
  ZStencil(std::string path, const ZStencilSpec& spec, parts::TileMap rasters = parts::TileMap(),
           bool sends_dead = false);

  std::vector<engine::In<parts::QuadMessage>> quads_in;   // from each hierarchical Z
  engine::Out<parts::QuadMessage> quads_out;              // to the interpolator
  engine::In<parts::ShadedQuad> late_in;                  // from the reorder buffer
  engine::Out<parts::ShadedQuad> late_out;                // to color write
  std::vector<engine::Out<parts::HzUpdate>> updates_out;  // to each hierarchical Z
  engine::Out<parts::MemoryRequest> memory_out;
  engine::In<parts::MemoryReply> memory_in;
  engine::In<parts::Control> control_in;
  engine::Out<parts::ControlDone> control_out;

  ZStencilCounters counters;

  parts::Cache& cache() { return cache_; }  // for fault injection

  void list_ports(engine::PortList& list) override {
    list("quads_in", quads_in, "from each hierarchical Z: quads before shading");
    list("quads_out", quads_out, "quads that live; all of them where `interpolator.order` is \"rasterised\"");
    list("late_in", late_in, "shaded quads, in order");
    list("late_out", late_out, "shaded quads that live");
    list("updates_out", updates_out, "to each hierarchical Z: the bounds of a stored tile");
    list("memory_out", memory_out, "reads and writes of the cache");
    list("memory_in", memory_in, "replies");
    list("control_in", control_in, "an order to flush or invalidate");
    list("control_out", control_out, "the order is carried out");
  }
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;
  const engine::Port* source_of(const engine::Port& out) const override {
    if (&out == &late_out && late_.empty()) return &late_in;
    if (&out == &quads_out && early_.empty()) return &quads_in[turn_];
    return nullptr;
  }

 private:
  // What is tested of a quad: all of it, or one sample; the last of these stands for the quad afterwards.
  struct Test {
    parts::QuadAccess access;
    bool tests = false, last = true;
    bool fetches = true;  // the test needs the stored values
    uint8_t sample = 0;

    bool can_be_made(const parts::Cache& cache) const {
      return access.acquired() && (!fetches || access.ready(cache));
    }
  };
  struct Early : Test {
    parts::QuadMessage quad;
  };
  struct Late : Test {
    parts::ShadedQuad quad;
  };
  // Of a quad whose samples are tested one after the other.
  struct Split {
    func::QuadSamples left = 0;  // that have no entry yet
    func::QuadSamples passed = 0;
  };
  parts::Packing packing_of(const parts::QuadMessage& quad, bool early) const;
  bool send_memory(engine::Cycle now);
  bool finish_late(engine::Cycle now, unsigned& alu);
  bool test_early(unsigned& alu);
  bool send_early(engine::Cycle now);
  bool take_late(engine::Cycle now);
  bool take_early(engine::Cycle now);
  unsigned next_input(engine::Cycle now) const;
  unsigned missing_end(engine::Cycle now) const;
  void take_input(engine::Cycle now, unsigned input, parts::QuadMessage& quad);
  bool control(engine::Cycle now);
  static uint8_t next_sample(Split& split, func::QuadSamples alive, bool& last);
  static void note_passed(Split& split, parts::QuadMessage& quad, uint32_t sample, bool last, uint32_t pass);
  void test(Late& late);
  void test(Early& early);
  func::DepthResult make(Test& test, const parts::QuadMessage& quad, uint32_t mask, const float* z,
                         const uint32_t* stencil_reference, func::DepthPhase phase);
  void end_test(parts::QuadMessage& quad);
  static void count_killed(const parts::QuadMessage& quad, uint32_t sample, uint32_t mask,
                           const func::DepthResult& result, bool late);
  engine::Cycle account(engine::Cycle now, bool progress);

  static constexpr unsigned kNone = ~0u;

  ZStencilSpec spec_;
  parts::TileMap rasters_;
  bool sends_dead_;
  parts::Cache cache_;
  TileReports reports_;
  parts::Ring<Early> early_;
  parts::Ring<Late> late_;
  bool early_waits_ = false, late_waits_ = false;  // the newest entry still has a line to pin
  unsigned turn_ = 0;  // the rasteriser whose quad is taken first, or is being taken
  Split early_split_, late_split_;
  uint32_t early_tested_ = 0;  // oldest entries that wait for nothing but room behind them
  uint64_t samples_ = 0;       // counted before shading, not yet reported with a draw end
  uint32_t late_draws_ = 0;    // draws whose quads write after shading and have not come back
};

}  // namespace cutaway::boxes
