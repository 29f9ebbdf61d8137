#pragma once

#include <string>
#include <vector>

#include "boxes/texture_unit/decoded_lines.h"
#include "boxes/texture_unit/step_maker.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/draw_state.h"
#include "messages/messages.h"
#include "structures/cache.h"
#include "structures/cache_banks.h"
#include "structures/cache_port.h"
#include "structures/interleave.h"
#include "structures/ring.h"

namespace cutaway::boxes {

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
  void prefetch_steps() const;
  bool send_request(engine::Cycle now);
  bool take_reply(engine::Cycle now);
  void fill_line(const messages::MemoryReply& reply);
  const engine::Port& waits_for() const;
  bool take(engine::Cycle now);
  TextureWork& take_quad(engine::Cycle now);
  bool can_look_up() const { return waits_ || looking_up_ < works_.size(); }
  bool look_up();
  bool can_filter() {
    if (lacks_ || steps_.empty()) return false;
    lacks_ = !there(steps_.front());
    return !lacks_;
  }
  void filter(engine::Cycle now);
  bool has_result(engine::Cycle now) const {
    if (works_.empty() || output_free_ > now) return false;
    for (uint32_t n = 0; n < works_.front().request_quads; n++)
      if (!works_[n].filtered() || works_[n].ready > now) return false;
    return true;
  }
  bool reply(engine::Cycle now);
  void reply_quad(engine::Cycle now);
  engine::Cycle account(engine::Cycle now);
  engine::Cycle transfer(const TextureWork& work, uint32_t words, uint32_t width, uint64_t& further);
  bool control(engine::Cycle now);
  bool pin(TextureStep& step, const TextureWork& work);
  void note_line(arch::Address place, const messages::TextureJob& job);
  bool there(const TextureStep& step) const {
    if (step.pinned < step.lines) return false;
    for (uint32_t i = 0; i < step.lines; i++)
      if (!cache_.settled(step.line[i].in_cache, step.line[i].grains)) return false;
    return true;
  }
  void finish_load(const TextureWork& work, const TextureStep& step, const TextureStep::Read& read) const;
  void filter_texels(const TextureWork& work, const TextureStep& step);
  void filter_quads(const TextureWork& work, const TextureStep& step, const std::byte* const line[]);
  void filter_each(const TextureWork& work, const TextureStep& step, const std::byte* const line[]);
  void finish_texels(const TextureWork& work) const;
  uint32_t find_bytes(const TextureWork& work, const TextureStep& step, const TextureStep::Read& read,
                      const std::byte* const line[], func::FetchedSample& sample, std::byte* split) const;
  uint32_t gather_sources(const TextureWork& work, const TextureStep::Read& read,
                          const std::byte* const line[], func::FetchedSample& sample, std::byte* to) const;
  const std::byte* bytes_at(const TextureStep& step, arch::Address address) const;
  bool decodes() const { return spec_.decode == TextureDecode::kOnFill; }
  // Returns the address in memory of a place in the cache's lines.
  arch::Address source_of(arch::Address place) const {
    return decodes() ? DecodedPlace::source(place) : place;
  }

  TextureUnitSpec spec_;
  structures::Interleave slices_;
  Divisor line_;  // bytes of a line
  StepMaker maker_;
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
  structures::Ring<TextureWork> works_;
  structures::Ring<TextureStep> steps_;
  // Texels of the lanes of one instruction; the steps of instructions are filtered in their order.
  std::array<func::TexelAccumulator, func::kQuadLanes> accumulators_;
  uint32_t first_work_ = 0;  // sequence number of the front
  uint32_t looking_up_ = 0;  // index of the work being looked up
  bool waits_ = false;       // the newest step has a line to pin
  bool lacks_ = false;       // the oldest step lacks a line or bytes, as far as nothing has come since
  engine::Cycle input_free_ = 0, output_free_ = 0;  // all words of the last message have passed
};

}  // namespace cutaway::boxes
