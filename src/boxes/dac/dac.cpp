#include "boxes/dac/dac.h"

#include <algorithm>
#include <cstring>

namespace cutaway::boxes {

using engine::Cycle;
using engine::kAsleep;
using messages::kSectorBytes;

Dac::Dac(std::string path, const DacSpec& spec, double mhz, bool tells_host)
    : Box(std::move(path)),
      refresh_(spec.refresh_hz, spec.blanking, mhz),
      mode_(spec.present_mode),
      replaces_(refresh_.on() && replaces(mode_)),
      tells_host_(tells_host),
      tiles_(spec.sectors + 1),
      reads_(spec.sectors) {}

void Dac::list_ports(engine::PortList& list) {
  list("presents_in", presents_in, "the surface to show");
  list("done_out", done_out, "the surface has been scanned out");
  if (tells_host_) list("shown_out", shown_out, "the picture of a submission is on the screen");
  list("memory_out", memory_out, "reads of sectors");
  list("memory_in", memory_in, "replies");
}

std::vector<std::string_view> Dac::costs_nothing() const {
  return {"Converting pixels to 8 bits",
          "Refreshing the screen with a picture that it has shown before: it reads each picture once"};
}

Cycle Dac::tick(Cycle now) {
  bool progress = take_reply(now);
  const bool cuts = mode_ == PresentMode::kImmediate;  // before the row that is due is asked for
  if (replaces_ && cuts) progress |= replace(now);
  progress |= finish(now);
  progress |= ask(now);
  if (replaces_ && !cuts) progress |= replace(now);
  progress |= begin(now);
  if (progress) return busy(now);
  const Cycle due = active_ ? next_due(now) : place_ && place_->due > now ? place_->due : kAsleep;
  if (replaces_ && presents_in.peek(now)) return blocked(now, done_out, due);
  if (!active_) {
    if (!next(now)) return idle(now);
    return due != kAsleep ? busy(now, due) : blocked(now, shown_out);
  }
  if (!reads_.empty()) return starved(now, memory_in, due);
  if (due != kAsleep) return busy(now, due);
  return tiles_.empty() ? blocked(now, done_out) : blocked(now, memory_out);
}

// When the screen takes the next row, or has taken the last one; kAsleep if nothing waits for that.
Cycle Dac::next_due(Cycle now) const {
  if (!refresh_.on()) return kAsleep;
  Cycle due = now;
  if (row_ == rows()) due = place_ && place_->retrace == begun_ ? place_->due : refresh_.picture_end(begun_);
  else if (row_ == end_) due = now;
  else if (column_ == 0) due = refresh_.row_due(begun_, row_, rows());
  return due > now ? due : kAsleep;
}

// Takes a new picture, which waits for the screen. The one that waited is left out.
bool Dac::replace(Cycle now) {
  if (!presents_in.peek(now) || (waiting_ && !done_out.ready(now))) return false;
  if (waiting_) {
    leave_out(waiting_->context);
    done_out.send(now, {waiting_->number, true});
  }
  waiting_ = presents_in.take(now);
  if (mode_ == PresentMode::kImmediate) cut(now);
  return true;
}

// Ends the picture on the screen before the row with which the one that waits begins. Rows of the former that
// were due before are read, however late. A row that has come to the latter, which could not begin yet, goes
// to the picture that replaces it.
void Dac::cut(Cycle now) {
  place_ = place_of_next(place_ ? std::min(now, place_->due) : now, *waiting_);
  if (!active_) return;
  const Refresh::Place next = refresh_.next_row(place_->due, rows());
  end_ = next.retrace == begun_ ? next.row : rows();
}

void Dac::leave_out(arch::ContextId context) {
  counters.left_out++;
  if (active_) left_out_.push_back(context);
  else if (on_picture) on_picture({}, {}, context);
}

// The picture to show next, or nullptr.
const messages::PresentCommand* Dac::next(Cycle now) {
  if (replaces_) return waiting_ ? &*waiting_ : nullptr;
  return presents_in.peek(now);
}

Refresh::Place Dac::place_of_next(Cycle now, const messages::PresentCommand& command) const {
  if (!refresh_.on()) return {now, 0, now};
  const uint32_t rows = func::scanout_rows(func::make_texture_view(command.surface));
  return next_place(mode_, refresh_, now, rows, begun_);
}

bool Dac::begin(Cycle now) {
  if (active_ || !next(now)) return false;
  if (!place_) place_ = place_of_next(now, *next(now));
  if (place_->due > now) {
    if (waits_since_) return false;
    waits_since_ = now;
    return true;
  }
  if (tells_host_ && !shown_out.ready(now)) return false;
  if (waits_since_) counters.retrace_cycles += now - waits_since_;
  waits_since_ = 0;
  begun_ = place_->retrace;
  row_ = first_ = place_->row;
  place_.reset();
  const messages::PresentCommand command = *next(now);
  if (replaces_) waiting_.reset();
  else presents_in.drop(now);
  active_ = true;
  origin_ = command.origin;
  context_ = command.context;
  number_ = command.number;
  if (tells_host_) shown_out.send(now, {command.origin.submission, context_});
  column_ = 0;
  view_ = func::make_texture_view(command.surface);
  end_ = rows();
  if (screen_.width != view_.level[0].width || screen_.height != view_.level[0].height)
    screen_ = func::make_picture(view_);
  return true;
}

// Starts the next tile, row by row. Returns false at the end of the picture.
bool Dac::next_tile() {
  if (row_ == end_) return false;
  Tile& tile = tiles_.push();
  tile.plan = func::plan_scanout(view_, column_, row_);
  tile.bytes.resize(tile.plan.bytes());
  tile.number = next_number_++;
  tile.missing = 0;
  segment_ = inside_ = 0;
  if (++column_ == func::scanout_columns(view_)) column_ = 0, row_++;
  return true;
}

bool Dac::ask(Cycle now) {
  if (!active_ || reads_.full() || !memory_out.ready(now)) return false;
  if (tiles_.empty() || segment_ == tiles_.back().plan.segments) {
    if (tiles_.full() || next_due(now) != kAsleep || !next_tile()) return false;
  }
  Tile& tile = tiles_.back();
  const arch::Address address = tile.plan.address[segment_] + inside_;
  Read& read = reads_.push();
  read.tag = next_tag_++;
  read.tile = tile.number;
  read.offset = segment_ * tile.plan.segment_bytes + inside_;
  read.skip = static_cast<uint32_t>(address % kSectorBytes);
  read.bytes = std::min(kSectorBytes - read.skip, tile.plan.segment_bytes - inside_);
  memory_out.send(now, {.address = address - read.skip, .tag = read.tag, .origin = origin_});
  tile.missing++;
  counters.bytes += read.bytes;
  inside_ += read.bytes;
  if (inside_ == tile.plan.segment_bytes) segment_++, inside_ = 0;
  return true;
}

bool Dac::take_reply(Cycle now) {
  const messages::MemoryReply* reply = memory_in.peek(now);
  if (!reply) return false;
  Read& read = reads_[reply->tag - reads_.front().tag];  // tags count the reads
  Tile& tile = tiles_[read.tile - tiles_.front().number];
  std::memcpy(tile.bytes.data() + read.offset, reply->data.data() + read.skip, read.bytes);
  tile.missing--;
  read.bytes = 0;
  while (!reads_.empty() && reads_.front().bytes == 0) reads_.drop();
  memory_in.drop(now);
  return true;
}

bool Dac::finish(Cycle now) {
  bool progress = false;
  const auto whole = [&] {
    const bool asked = tiles_.size() > 1 || segment_ == tiles_.front().plan.segments;
    return asked && tiles_.front().missing == 0;
  };
  while (!tiles_.empty() && whole()) {
    func::finish_scanout(view_, tiles_.front().plan, tiles_.front().bytes.data(), screen_);
    tiles_.drop();
    progress = true;
  }
  if (!active_ || !tiles_.empty() || row_ < end_ || next_due(now) != kAsleep || !done_out.ready(now))
    return progress;
  active_ = false;
  counters.frames++;
  counters.torn += first_ > 0;
  if (on_picture) {
    const uint32_t end = std::min(end_ * arch::kTileSize, screen_.height);
    on_picture(arch::Picture(screen_), {first_ * arch::kTileSize, end}, context_);
    for (const arch::ContextId context : left_out_) on_picture({}, {}, context);
  }
  left_out_.clear();
  done_out.send(now, {number_, false});
  return true;
}

std::string Dac::why_busy() const {
  if (active_) return fmt::format("scanning out row {} of tiles, {} reads under way", row_, reads_.size());
  return waits_since_ || waiting_ ? "a picture waits for the screen" : "";
}

}  // namespace cutaway::boxes
