#include "boxes/z_stencil/z_stencil.h"

#include <utility>

#include "boxes/z_stencil/quad_tests.h"
#include "messages/draw_state.h"
#include "structures/cache_port.h"

namespace cutaway::boxes {

using engine::Cycle;

ZStencil::ZStencil(std::string path, const ZStencilSpec& spec, structures::TileMap rasters, bool sends_dead,
                   bool tells_color)
    : Box(std::move(path)),
      quads_in(rasters.units()),
      updates_out(rasters.units()),
      quads_per_cycle_(spec.quads_per_cycle),
      compression_(spec.compression),
      prefetches_(spec.prefetches != 0),
      tells_color_(tells_color),
      rasters_(std::move(rasters)),
      tester_(spec, counters),
      turns_(rasters_.units()),
      early_(spec.queue, sends_dead, tester_, counters),
      late_(spec.late_queue, tester_, counters),
      order_(structures::DepthOrders::make(spec.write_order, spec.trackers)),
      counts_quads_(order_->counts_quads()) {}

void ZStencil::list_ports(engine::PortList& list) {
  list("quads_in", quads_in, "from each hierarchical Z: quads before shading");
  list("quads_out", quads_out, "quads that live; all of them where `interpolator.order` is \"rasterised\"");
  list("late_in", late_in, "shaded quads, in order");
  list("late_out", late_out, "shaded quads that live");
  if (tells_color_) list("ahead_out", ahead_out, "quads that go to be shaded");
  list("updates_out", updates_out, "to each hierarchical Z: the bounds of a stored tile");
  list("memory_out", memory_out, "reads and writes of the cache");
  list("memory_in", memory_in, "replies");
  list("control_in", control_in, "an order to flush or invalidate");
  list("control_out", control_out, "the order is carried out");
}

std::vector<std::string_view> ZStencil::costs_nothing() const {
  std::vector<std::string_view> work = {
      "The kind of the test",
      "Reading and writing the tags and lines of the cache, apart from the cycle of the look-up"};
  if (compression_)
    work.push_back(
        "Compressing a line, where `z_stencil.compression` is true: the coder keeps up with the port");
  if (prefetches_)
    work.push_back("Looking the lines of a quad up before shading, where `z_stencil.prefetches` is not 0");
  return work;
}

Cycle ZStencil::tick(Cycle now) {
  unsigned budget = quads_per_cycle_;  // tests that can still be made
  bool progress = structures::take_reply(now, cache(), memory_in);
  if (late_.waits_for_lines() || late_in.peek(now)) progress |= take_late(now);
  for (unsigned i = 0; i < quads_per_cycle_ && take_early(now); i++) progress = true;
  if (!late_.empty()) progress |= finish_late(now, budget);
  if (early_.to_test()) progress |= early_.test(budget);
  if (early_.done()) progress |= send_early(now);
  progress |= send_memory(now);
  if (control_in.peek(now)) progress |= control(now);
  return account(now, progress);
}

Cycle ZStencil::account(Cycle now, bool progress) {
  if (progress) {
    const structures::Cache::Packed& packed = cache().packed();
    counters.blocks_plain = packed.plain;
    counters.blocks_one = packed.one;
    counters.blocks_two = packed.two;
    return busy(now);
  }
  const Cycle until = tester_.reports().next(now);
  if (!late_.empty()) return late_.ready() ? blocked(now, late_out, until) : starved(now, memory_in, until);
  if (!early_.empty()) return early_.done() ? blocked(now, quads_out, until) : starved(now, memory_in, until);
  if (next_input(now) != kNone) return starved(now, late_in, until);  // early waits for late
  if (const unsigned missing = missing_end(now); missing != kNone)
    return starved(now, quads_in[missing], until);
  if (cache().outstanding()) return starved(now, memory_in, until);
  return idle(now, until);
}

// ---- Before shading ----

bool ZStencil::take_early(Cycle now) {
  const bool taken = !early_.waits_for_lines() && take_quad(now);
  return (early_.waits_for_lines() && early_.acquire()) || taken;
}

// Takes the next quad, or the next sample of one.
bool ZStencil::take_quad(Cycle now) {
  const unsigned input = next_input(now);
  if (input == kNone || early_.full()) return false;
  const messages::QuadMessage& next = *quads_in[input].peek(now);
  const std::optional<EarlyTests::Earlier> earlier = earlier_than(next);
  if (!earlier) return false;
  const bool late = next.state->tested_late();
  if (next.draw_end && late) late_draws_.pass(*next.state);
  const bool tests = tests_early(next) && *earlier != EarlyTests::Earlier::kUnknown;
  if (prefetches_ && late && !tests && !next.draw_end) tester_.prefetch(next);
  if (!early_.push(next, *earlier)) {
    turns_.stay(input);
    return true;
  }
  if (counts_quads_ && late && !next.draw_end) order_->passed(next.x, next.y, quads_to_shade(next));
  drop_input(now, input);
  return true;
}

// Returns nothing if the quad must wait.
std::optional<EarlyTests::Earlier> ZStencil::earlier_than(const messages::QuadMessage& quad) const {
  using Earlier = EarlyTests::Earlier;
  if (!tests_early(quad) || !order_->pending(late_draws_.size() != 0, quad.x, quad.y)) return Earlier::kDone;
  if (decides_early(*quad.state)) return std::nullopt;
  return late_draws_.keep_failed(*quad.state) ? Earlier::kFailing : Earlier::kUnknown;
}

unsigned ZStencil::next_input(Cycle now) const {
  return turns_.next([&](unsigned input) { return quads_in[input].peek(now); });
}

unsigned ZStencil::missing_end(Cycle now) const {
  return turns_.missing([&](unsigned input) { return quads_in[input].peek(now); });
}

// A draw end is one message of each rasteriser.
void ZStencil::drop_input(Cycle now, unsigned input) {
  const bool draw_end = quads_in[input].peek(now)->draw_end;
  for (unsigned other = 0; other < quads_in.size(); other++)
    if (draw_end || other == input) quads_in[other].drop(now);
  turns_.pass(input);
}

// Sends one quad; of those that end here, any number leaves.
bool ZStencil::send_early(Cycle now) {
  bool progress = false;
  for (bool sent = false; early_.done() && !sent; progress = true) {
    const bool goes_on = early_.goes_on();
    if (goes_on && !quads_out.ready(now)) break;
    if (const messages::QuadMessage& quad = early_.oldest(); counts_quads_ && quad.state->tested_late())
      order_->returned(quad.x, quad.y, early_.lost());
    if (goes_on) {
      if (const messages::QuadMessage& quad = early_.oldest(); tells_color_ && quad.mask && !quad.draw_end)
        ahead_out.send(now, {quad});
      quads_out.send(now, std::move(early_.oldest()));
      sent = true;
    }
    early_.drop();
  }
  return progress;
}

// ---- After shading ----

// Takes the next quad, or the next sample of one.
bool ZStencil::take_late(Cycle now) {
  bool progress = false;
  if (!late_.waits_for_lines()) {
    const messages::ShadedQuad* next = late_in.peek(now);
    if (late_.full()) return false;
    const bool whole = late_.push(*next);
    late_.newest() = whole ? late_in.take(now) : *next;
    progress = true;
  }
  return (late_.waits_for_lines() && late_.acquire()) || progress;
}

// Tests and sends the oldest quad. A draw end takes along what queries counted before shading: all samples of
// its draw are counted by then.
bool ZStencil::finish_late(Cycle now, unsigned& budget) {
  if (!late_out.ready(now) || !late_.ready()) return false;
  if (late_.tests()) {
    budget--;
    late_.test();
  }
  messages::ShadedQuad& oldest = late_.oldest();
  if (oldest.quad.draw_end) {
    if (oldest.quad.state->tested_late()) late_draws_.come_back(*oldest.quad.state);
    oldest.samples = early_.take_samples();
  } else if (counts_quads_ && late_.whole() && oldest.quad.state->tested_late()) {
    order_->returned(oldest.quad.x, oldest.quad.y, 1);
  }
  if (late_.goes_on()) late_out.send(now, std::move(oldest));
  late_.drop();
  return true;
}

// ---- Memory, hierarchical Z and orders ----

bool ZStencil::send_memory(Cycle now) {
  const bool sent = structures::send_request(now, cache(), memory_out);
  const bool read = tester_.reports().read_next(now, cache());
  return report(now) || sent || read;
}

// Tells the hierarchical Z that owns a tile what the tile holds.
bool ZStencil::report(Cycle now) {
  TileReports& reports = tester_.reports();
  if (reports.empty()) return false;
  auto& port = updates_out[rasters_.owner(reports.front().x, reports.front().y)];
  if (!port.ready(now)) return false;
  port.send(now, reports.pop());
  return true;
}

bool ZStencil::control(Cycle now) {
  const messages::Control* order = control_in.peek(now);
  CUTAWAY_CHECK(!order || (early_.empty() && late_.empty()), "{}: an order while quads are under way",
                path());
  const bool invalidates = order && order->kind == messages::Control::Kind::kInvalidate;
  if (!structures::obey_control(now, cache(), control_in, control_out)) return false;
  // A report would tell of bytes that the cache no longer has.
  if (invalidates) tester_.reports().forget();
  return true;
}

std::string ZStencil::why_busy() const {
  if (early_.empty() && late_.empty() && tester_.cache().idle()) return "";
  return fmt::format("{} quads before and {} after shading, {} memory accesses, {} late draws", early_.size(),
                     late_.size(), tester_.cache().outstanding(), late_draws_.size());
}

}  // namespace cutaway::boxes
