#include "icd/command/recorded_packets.h"

#include <algorithm>
#include <span>

namespace cutaway::icd {

void RecordedPackets::split(CommandStream::Packets packets, std::function<bool()> ready) {
  end(std::move(packets));
  labels_.next_part();
  ready_ = std::move(ready);
}

void RecordedPackets::end(CommandStream::Packets packets) {
  parts_.push_back({std::move(packets), std::move(ready_)});
  ready_ = nullptr;
}

std::vector<host::CommandRange> RecordedPackets::write() {
  uint64_t bytes = 0;
  for (const Part& part : parts_) bytes += std::span(part.packets.words).size_bytes();
  if (!memory_ || memory_->bytes() < bytes) memory_ = device_.allocate_commands(bytes);
  std::vector<host::CommandRange> ranges;
  uint64_t offset = 0;
  size_t marker = 0;
  for (Part& part : parts_) {
    const std::span<const uint32_t> words(part.packets.words);
    memory_->write(offset, words);
    offsets_.push_back(offset);
    ranges.push_back({.address = memory_->address() + offset,
                      .words = static_cast<uint32_t>(words.size()),
                      .ready = std::move(part.ready),
                      .left_set = std::move(part.packets.left_set)});
    for (; marker < labels_.markers().size() && labels_.markers()[marker].part == ranges.size() - 1; marker++)
      marker_offsets_.push_back(offset + labels_.markers()[marker].word * sizeof words[0]);
    offset += words.size_bytes();
  }
  parts_.clear();
  return ranges;
}

void RecordedPackets::label(LabelPlace& around, std::vector<host::CommandRange>& to, std::ptrdiff_t first) {
  const std::span<host::CommandRange> mine(to.begin() + first, to.end());
  if (labels_.empty()) {
    const uint32_t marker = around.shown ? device_.labels().marker(around.shown) : 0;
    for (host::CommandRange& range : mine) range.first_marker = range.last_marker = marker;
    return;
  }
  LabelTrail::Resolved resolved = labels_.resolve(device_.labels(), around);
  for (size_t i = 0; i < mine.size(); i++) {
    mine[i].first_marker = resolved.parts[i].first;
    mine[i].last_marker = resolved.parts[i].last;
  }
  // Other labels than at the last submission are around the packets, so that they get other ids. The queue
  // writes these when the turn of the packets comes. Packets that stand in the submission twice wait in
  // between.
  if (labelled_below_ != around.stack) {
    labelled_below_ = around.stack;
    const bool twice = std::any_of(to.begin(), to.begin() + first, [&](const host::CommandRange& range) {
      return range.address == mine[0].address;
    });
    if (twice && !mine[0].ready) mine[0].ready = [] { return true; };
    mine[0].prepare = [memory = memory_.get(), places = marker_offsets_, ids = std::move(resolved.ids)] {
      for (size_t i = 0; i < ids.size(); i++) memory->write(places[i], &ids[i], sizeof ids[i]);
    };
  }
  around = resolved.after;
}

void RecordedPackets::clear() {
  parts_.clear();
  ready_ = nullptr;
  offsets_.clear();
  labels_.clear();
  marker_offsets_.clear();
  labelled_below_.reset();
}

}  // namespace cutaway::icd
