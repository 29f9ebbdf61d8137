#include "boxes/command_processor/display_link.h"

#include "boxes/command_processor/command_processor.h"

namespace cutaway::boxes {

using engine::Cycle;

bool DisplayLink::step(Cycle now) {
  const bool listed = parts_.scan_out.active() && list_scan_out(now);
  return show_held(now) || listed;
}

// Tells the DAC of a surface that display() has given.
bool DisplayLink::list_scan_out(Cycle now) {
  const bool begins = parts_.scan_out.is_requested();
  if (begins) show(now, {0, parts_.scan_out.requested(), parts_.book.origin(), WorkBook::kUnlisted});
  WorkBook& book = parts_.book;
  if (book.list_scan_out(now, parts_.scan_out.piece())) box_.works_for(book.current());
  return begins;
}

void DisplayLink::show(Cycle now, const HeldPresents::Held& picture) {
  box_.present_out.send(now,
                        {picture.surface, picture.origin, picture.context, parts_.scan_out.next_number()});
  parts_.scan_out.begin(picture.surface, picture.piece);
}

PacketResult DisplayLink::present(Cycle now, std::span<const uint32_t> packet) {
  ScanOut& scan_out = parts_.scan_out;
  const arch::ContextId context = box_.contexts().bound();
  const bool waits = scan_out.full() || scan_out.held.any(), holds = box_.contexts().turns.on();
  if (waits && (!holds || scan_out.held.holds(context))) return PacketResult::kWaitForDisplay;
  if (!waits && !box_.present_out.ready(now)) return PacketResult::kWait;
  WorkBook& book = parts_.book;
  HeldPresents::Held picture{context, arch::packet_as<arch::Surface>(packet), book.origin(), 0};
  if (holds) picture.surface.address = arch::place_in(context, picture.surface.address);
  picture.piece = book.begin_present(now);
  if (waits) scan_out.held.push(picture);
  else show(now, picture);
  box_.works_for(book.current());
  return PacketResult::kDone;
}

// Tells the DAC of the picture that has waited for longest, and ends its submission if that has been
// executed.
bool DisplayLink::show_held(Cycle now) {
  ScanOut& scan_out = parts_.scan_out;
  if (!scan_out.held.any() || scan_out.full() || !box_.present_out.ready(now)) return false;
  const HeldPresents::Held picture = scan_out.held.pop();
  show(now, picture);
  CommandQueue& queue = box_.queue(parts_.queue);
  if (const uint64_t submission = box_.contexts().turns.end_held(picture.context))
    queue.note_ended(submission, picture.context);
  if (!box_.contexts().turns.any()) queue.state = CommandQueue::State::kIdle;
  return true;
}

}  // namespace cutaway::boxes
