// Flushes, invalidates and clears: orders to the caches.
#include "boxes/command_processor/command_processor.h"

namespace cutaway::boxes {

using engine::Cycle;
using parts::Control;

CommandProcessor::Result CommandProcessor::control_packet(Cycle now, Control::Kind kind) {
  if (!settled()) return Result::kWait;
  uint32_t caches = stream_.payload()[0];
  if (kind == Control::Kind::kFlush) counters.flushes++;
  if (kind == Control::Kind::kInvalidate) counters.invalidates++, caches &= ~skip_invalidate;
  if (!order_caches(kind, caches)) return Result::kDone;
  held_work_ = begin_work(now, parts::Work::Kind::kControl);
  return Result::kDone;
}

// An order to all that hold these caches. False: nobody does.
bool CommandProcessor::order_caches(Control::Kind kind, uint32_t caches) {
  bool any = false;
  for (size_t i = 0; i < control.size(); i++) {
    const bool keeps = kind == Control::Kind::kInvalidate && control[i]->bounds && !depth_watch_.lost();
    control_state_[i] = (control[i]->caches & caches) != 0 && !keeps;
    any |= control_state_[i];
  }
  if (kind == Control::Kind::kInvalidate && caches & arch::kCacheDepth && depth_watch_.lost())
    depth_watch_.forgotten();
  if (!any) return false;
  control_order_ = {.kind = kind, .origin = origin_};
  state_ = State::kControl;
  return true;
}

// If something else than draws has written a depth surface, and no INVALIDATE has come since, hierarchical Z
// forgets before what comes next. Behind all draws: until they have ended it goes by what it knew.
CommandProcessor::Result CommandProcessor::forget_lost_bounds() {
  if (!depth_watch_.lost()) return Result::kDone;
  if (!settled()) return Result::kWait;
  depth_watch_.forgotten();
  for (size_t i = 0; i < control.size(); i++) {
    control_state_[i] = control[i]->bounds;
    forgets_bounds_ |= control[i]->bounds;
  }
  if (!forgets_bounds_) return Result::kDone;
  control_order_ = {.kind = Control::Kind::kInvalidate, .origin = origin_};
  state_ = State::kControl;
  worked_ = true;
  return Result::kWait;
}

// Behind all draws: first the caches of the surface, then memory, by the copy engine.
CommandProcessor::Result CommandProcessor::clear(Cycle now) {
  switch (clear_) {
    case Clear::kNone: {
      if (!drained()) return Result::kWait;
      const auto packet = arch::packet_as<arch::ClearPacket>(stream_.payload());
      if (scans_out_ && range_of(packet.surface).meets(scanned_)) return wait_for_display();
      const bool color = arch::format_info(packet.surface.format).is_color();
      if (const Result result = color ? Result::kDone : forget_lost_bounds(); result != Result::kDone)
        return result;
      color ? depth_watch_.written(range_of(packet.surface)) : depth_watch_.used(range_of(packet.surface));
      order_caches(Control::Kind::kClear, color ? arch::kCacheColor : arch::kCacheDepth);
      control_order_.clear = std::make_shared<const arch::ClearPacket>(packet);
      held_work_ = begin_work(now, parts::Work::Kind::kCopy);
      clear_ = Clear::kCaches;
      worked_ = true;
      counters.clears++;
      return Result::kWait;
    }
    case Clear::kCaches:
      return Result::kWait;
    case Clear::kCachesDone:
      if (!copy_out.ready(now)) return Result::kBlocked;
      send_copy(now);
      copies_under_way_.push_back({held_work_, {}});
      clear_ = Clear::kMemory;
      worked_ = true;
      return Result::kWait;
    case Clear::kMemory:
      if (!copies_under_way_.empty()) return Result::kWait;
      clear_ = Clear::kNone;
      return Result::kDone;
  }
  return Result::kDone;
}

bool CommandProcessor::send_control(Cycle now) {
  bool progress = false;
  for (size_t i = 0; i < control.size(); i++) {
    if (control_state_[i] != 1 || !control[i]->out.ready(now)) continue;
    control[i]->out.send(now, control_order_);
    control_state_[i] = 2;
    progress = true;
  }
  return progress;
}

}  // namespace cutaway::boxes
