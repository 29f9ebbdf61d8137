#include "boxes/command_processor/context_switcher.h"

#include "boxes/command_processor/command_processor.h"

namespace cutaway::boxes {

using engine::Cycle;
using messages::Control;

ContextTurns::Announced ContextSwitcher::announced() const {
  ContextTurns::Announced last{};
  for (arch::ContextId context = 0; context < last.size(); context++)
    last[context] = box_.host_link.announced(context);
  return last;
}

ContextSwitcher::Result ContextSwitcher::step(Cycle now) {
  if (!switches()) {
    if (!turns.choose(now, announced())) return Result::kWait;
    if (turns.running() == bound_) return Result::kChosen;
    begin_switch(now);
    return Result::kProgress;
  }
  if (!take_step(now)) return Result::kWait;
  list_step(now);
  return switches() ? Result::kProgress : Result::kChosen;
}

void ContextSwitcher::begin_switch(Cycle now) {
  before_ = switch_.counters;
  switch_.begin(now);
  if (messages::WorkList* const list = parts_.book.list())
    list->turns().begin_switch(now, bound_, turns.running());
}

// Lists the terms of the switch, one of whose steps has ended; with the last step it ends, too.
void ContextSwitcher::list_step(Cycle now) const {
  messages::WorkList* const list = parts_.book.list();
  if (!list) return;
  const ContextSwitchCounters& sums = switch_.counters;
  list->turns().count_switch(sums.flush_cycles - before_.flush_cycles,
                             sums.invalidate_cycles - before_.invalidate_cycles,
                             sums.bind_cycles - before_.bind_cycles);
  if (!switches()) list->turns().end_switch(now);
}

// Takes the next step of a switch when the last one has been answered.
bool ContextSwitcher::take_step(Cycle now) {
  using Step = ContextSwitch::Step;
  if (parts_.cache_orders.under_way()) return false;
  switch (switch_.step()) {
    case Step::kBegins:
      parts_.versions.drained();
      order_caches(Control::Kind::kFlush);
      break;
    case Step::kFlushes:
      parts_.cache_orders.depth.written({0, ~arch::Address{0}});
      order_caches(Control::Kind::kInvalidate);
      break;
    case Step::kInvalidates:
      if (!box_.bind_out.ready(now)) return false;
      box_.bind_out.send(now, {arch::context_base(turns.running())});
      break;
    case Step::kBinds:
      if (!box_.bound_in.peek(now)) return false;
      box_.bound_in.drop(now);
      bound_ = turns.running();
      parts_.watch.settled(arch::kCacheAll, arch::kCacheAll);
      parts_.scan_out.bind(arch::context_base(bound_));
      break;
    case Step::kNone:
      return false;
  }
  switch_.next(now);
  return true;
}

// Gives an order to all caches.
void ContextSwitcher::order_caches(Control::Kind kind) {
  uint32_t caches = arch::kCacheAll;
  if (kind == Control::Kind::kInvalidate) caches &= ~box_.skip_invalidate;
  parts_.cache_orders.begin({.kind = kind, .origin = parts_.book.origin(), .clear = nullptr}, caches,
                            CacheOrders::Then::kPacketGoesOn);
}

}  // namespace cutaway::boxes
