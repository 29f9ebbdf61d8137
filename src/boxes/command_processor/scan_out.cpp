// PRESENT, and what waits for the picture that the DAC scans out beside the work.
#include "boxes/command_processor/draw_memory.h"

namespace cutaway::boxes {

using engine::Cycle;

void CommandProcessor::display(const arch::Surface& surface) {
  CUTAWAY_CHECK(finished() && !scans_out_, "a picture is being scanned out");
  displayed_ = surface;
  scans_out_ = true;
  scan_out_work_ = kUnlisted;
  wake();
}

// All that was drawn must have ended; the driver has flushed it.
CommandProcessor::Result CommandProcessor::present(Cycle now) {
  if (!drained()) return Result::kWait;
  if (scans_out_) return wait_for_display();
  if (!present_out.ready(now)) return Result::kBlocked;
  begin_scan_out(now, arch::packet_as<arch::Surface>(stream_.payload()));
  scan_out_work_ = begin_work(now, parts::Work::Kind::kPresent);
  end_work(now, scan_out_work_);
  counters.presents++;
  return Result::kDone;
}

CommandProcessor::Result CommandProcessor::wait_for_display() {
  waits_for_display_ = true;
  return Result::kWait;
}

void CommandProcessor::begin_scan_out(Cycle now, const arch::Surface& surface) {
  present_out.send(now, {surface, origin_});
  scans_out_ = true;
  scanned_ = range_of(surface);
}

// What is left to scan out when a list of work begins, as a frame's does, is its first piece. It ends in the
// list at once, because nothing waits for it, and is prolonged when it has really ended.
bool CommandProcessor::list_scan_out(Cycle now) {
  const bool begins = displayed_.has_value();
  if (begins) {
    begin_scan_out(now, *displayed_);
    displayed_.reset();
  }
  if (work_list && (scan_out_work_ == kUnlisted || scan_out_work_ < work_list->first())) {
    scan_out_work_ = begin_work(now, parts::Work::Kind::kScanOut);
    end_work(now, scan_out_work_);
  }
  return begins;
}

bool CommandProcessor::draw_meets_scan_out() const {
  return any_written([this](const MemoryRange& range) { return range.meets(scanned_); });
}

}  // namespace cutaway::boxes
