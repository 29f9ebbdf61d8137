#pragma once

#include "arch/surface.h"
#include "boxes/command_processor/held_presents.h"
#include "boxes/command_processor/memory_use.h"
#include "structures/ring.h"

namespace cutaway::boxes {

// The pictures that have been presented and that the DAC scans out, or will, beside the packets behind their
// PRESENT and in the next submissions too. A PRESENT waits while there are as many as may be, and work waits
// that writes to the memory of one: nothing that is drawn later gets into a picture. Pictures are numbered in
// the order of their PRESENTs, and end in this order, but for those that the DAC leaves out.
class ScanOut {
 public:
  // pictures: the most at once.
  explicit ScanOut(unsigned pictures) : under_way_(pictures) {}

  bool active() const { return is_requested_ || !under_way_.empty(); }
  bool full() const { return is_requested_ || under_way_.full(); }

  // The display shows a surface again that was presented earlier. Not allowed while active().
  void request(const arch::Surface& surface) { requested_ = surface, is_requested_ = true; }
  bool is_requested() const { return is_requested_; }  // and the DAC has not been told of the surface yet
  const arch::Surface& requested() const { return requested_; }
  uint32_t next_number() const { return next_number_; }  // of the picture that begins next
  // surface: in memory. piece: of the list of work, see WorkBook.
  void begin(const arch::Surface& surface, uint32_t piece) {
    is_requested_ = false;
    under_way_.push({range_of(surface), piece, next_number_++});
  }
  // A picture waits until it can begin: not full() any more, and none waits for longer.
  HeldPresents held;
  // Addresses of later writes count from the begin of this part of memory.
  void bind(arch::Address base) { base_ = base; }
  // The piece of the oldest picture.
  uint32_t& piece() { return under_way_.front().piece; }
  // Ends the picture with this number, which is under way.
  void end(uint32_t number) {
    uint32_t i = 0;
    while (i < under_way_.size() && under_way_[i].number != number) i++;
    under_way_.erase(i);
  }

  bool torn_by(const MemoryRange& written) const {
    return any([&](const MemoryRange& picture) { return written.meets(picture); });
  }
  bool torn_by(const MemoryUse& use) const {
    return any([&](const MemoryRange& picture) { return use.writes(picture); });
  }

 private:
  template <class Test>
  bool any(const Test& test) const {
    for (uint32_t i = 0; i < under_way_.size(); i++)
      if (test(seen(under_way_[i].range))) return true;
    return held.any_range([&](const MemoryRange& range) { return test(seen(range)); });
  }

  struct Picture {
    MemoryRange range;  // in memory
    uint32_t piece = 0, number = 0;
  };
  // The range by the addresses of the bound part. That of another part is beyond all of them.
  MemoryRange seen(const MemoryRange& range) const { return {range.begin - base_, range.end - base_}; }

  bool is_requested_ = false;
  arch::Surface requested_;
  arch::Address base_ = 0;
  structures::Ring<Picture> under_way_;  // oldest first
  uint32_t next_number_ = 0;
};

}  // namespace cutaway::boxes
