#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "arch/gpu.h"
#include "boxes/command_processor/packet_place.h"
#include "command_stream/program.h"
#include "engine/domain.h"
#include "messages/draw_state.h"

namespace cutaway::boxes {

// The draws and dispatches of all queues that have left and have not ended: which units each of them is still
// in.
class DrawsUnderWay {
 public:
  struct Entry {
    uint32_t number = 0;  // no other one under way has it
    arch::QueueKind queue = arch::QueueKind::kGraphics;
    messages::DrawState* state = nullptr;
    PacketPlace packet;
    uint32_t work = 0;     // in the list of work
    uint32_t batches = 0;  // draws: not assembled yet; one counts once for each teller
    uint64_t missing = 0;  // units that have not ended it, a bit each: color write, assembly, dispatches
  };

  // driver_cycles counts the cycles in which the oldest draw is the driver's own.
  DrawsUnderWay(size_t color_units, uint64_t& driver_cycles)
      : color_units_(color_units), driver_cycles_(driver_cycles) {}

  bool empty() const { return entries_.empty(); }
  bool any(arch::QueueKind queue) const {
    return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.queue == queue; });
  }
  size_t size() const { return entries_.size(); }
  // `entry` without its missing units. A draw has at least one batch.
  void add_draw(engine::Cycle now, Entry entry);
  void add_dispatch(engine::Cycle now, Entry entry);

  // Part of the work has ended. True: it was the last part, and remove() must follow.
  bool end_in_color_unit(uint32_t number, size_t unit);
  bool assemble_batch(uint32_t number);
  bool end_dispatch(uint32_t number);
  Entry remove(engine::Cycle now, uint32_t number);

  const Entry* find(uint32_t number) const;  // null: not under way
  // A draw of the queue with this state is about to leave; null: none is.
  void expect(arch::QueueKind queue, const messages::DrawState* state) {
    expected_[static_cast<size_t>(queue)] = state;
  }
  // True if one of them, or of those that are about to leave, runs the program.
  bool run(const std::shared_ptr<const command_stream::Program>& program) const;

  // The first unit that the oldest of the queue has not ended in.
  struct Unit {
    enum class Kind : uint8_t { kColorWrite, kAssembly, kDispatch } kind;
    size_t number = 0;  // kColorWrite
  };
  Unit oldest_in(arch::QueueKind queue = arch::QueueKind::kGraphics) const;

 private:
  Entry& at(uint32_t number);
  bool end(Entry& entry, size_t unit);
  void count_driver_cycles(engine::Cycle now);

  size_t color_units_;
  uint64_t& driver_cycles_;
  std::vector<Entry> entries_;  // in order
  std::array<const messages::DrawState*, arch::kQueues> expected_{};
  engine::Cycle changed_at_ = 0;  // when one began or ended last
};

}  // namespace cutaway::boxes
