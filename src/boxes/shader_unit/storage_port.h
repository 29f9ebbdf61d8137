#pragma once

#include <cstdint>
#include <vector>

#include "boxes/shader_unit/group.h"
#include "boxes/shader_unit/shader_unit_counters.h"
#include "boxes/shader_unit/shader_unit_spec.h"
#include "boxes/shader_unit/storage_access.h"
#include "boxes/shader_unit/storage_l1.h"
#include "structures/interleave.h"
#include "structures/ring.h"

namespace cutaway::boxes {

// The storage cache, as shader units see it.
struct StorageSlices {
  unsigned slices = 0;
  unsigned line_bytes = 64;
  structures::Interleave interleave;
};

// Loads, stores and atomics of buffers and images: cuts them into transactions, looks up in a first level
// what that may have, says what leaves for which slice of the storage cache, and gathers the answers. Knows
// no ports: a box sends what send() returns, and hands in what slices answer.
class StoragePort {
 public:
  static constexpr uint32_t kNone = ~0u;

  // groups: places of the unit, numbered from 0. slices.slices: 0 if no program stores. Of the instructions
  // of a group, shader.loads_under_way loads are under way, with numbers from 0, and one with number
  // blocking() that the group waits for.
  StoragePort(const ShaderUnitSpec& spec, const StorageSlices& slices, uint32_t groups,
              messages::Pool<messages::StorageJob>& jobs, UnitStorageCounters& counters);

  // The next instruction of the group begins, with number `load`. Its transactions can leave from cycle
  // `leaves` on; those of an atomic not before all that the group has stored is done, which the atomic tells
  // others of.
  void begin(const Group& group, uint32_t load, engine::Cycle leaves);
  uint32_t blocking() const { return numbers_ - 1; }

  // True if transactions wait to leave; if the next one can leave in cycle `now`.
  bool waiting() const { return !order_.empty(); }
  bool due(engine::Cycle now) const { return waiting() && leaves() <= now; }
  // The instruction that is next, by group and number, and the cycle from which on its transactions can
  // leave.
  uint32_t group() const { return order_.front() / numbers_; }
  uint32_t load() const { return order_.front() % numbers_; }
  engine::Cycle leaves() const { return next().leaves; }
  // True if it has nothing to send any more. Else the slice that its next transaction goes to.
  bool all_sent() const { return next().access->sent_all(); }
  uint32_t slice() const;

  // Sends the next transaction, unless all are. has_room: its slice takes one. kStalled: it stays, and
  // nothing has changed; kKept: the first level answers it; kLeaves: the job is for the slice.
  enum class Way : uint8_t { kStalled, kKept, kLeaves };
  struct Sent {
    Way way = Way::kStalled;
    messages::PoolRef<messages::StorageJob> job;  // kLeaves
  };
  Sent send(engine::Cycle now, const messages::Origin& origin, bool has_room);
  // All transactions of the instruction that is next have left, so that another one is next. True if it
  // waits for no answer, and complete() follows.
  bool finish_sending();

  // The source of the answer that is taken in cycle `now`, in turn: a slice for which has_answer(slice) is
  // true, or first_level(); kNone if there is none.
  template <class HasAnswer>
  uint32_t choose_answer(engine::Cycle now, const HasAnswer& has_answer);
  uint32_t first_level() const { return slices_.slices; }
  // True if the first level owes answers.
  bool has_hits() const { return !l1_answers_.empty(); }
  // The answer of the first level, if that was chosen.
  messages::PoolRef<messages::StorageJob> take_hit() { return l1_answers_.pop().job; }
  // An answer of a slice has been taken: the first level keeps what it brings.
  void receive(engine::Cycle now, uint32_t slice, const messages::StorageJob& job);
  // The progress of a group by an answer. kStored: all that it stored is done. kComplete: the instruction has
  // all that it asked for, and complete() follows.
  enum class Progress : uint8_t { kMore, kStored, kComplete };
  Progress answer(const messages::StorageJob& job);
  // An instruction of the group, `op` in `lanes`, ends: writes its result, if it has one. Returns whether it
  // waited for an answer.
  bool complete(Group& group, uint32_t load, const func::MicroOp& op, uint64_t lanes);

  bool has_l1() const { return static_cast<bool>(l1_); }
  // The first level forgets all that it has, at a barrier of buffers and images or by order.
  void forget();

  // Transactions of the group that store and are not done.
  uint32_t stores_under_way(uint32_t group) const { return stores_[group]; }
  // The first cycle after `now` in which the first level answers; engine::kAsleep if it owes no answer.
  engine::Cycle next_hit(engine::Cycle now) const;
  // The slice that has most of the unit's transactions, and how many.
  uint32_t busiest_slice() const;
  uint32_t under_way(uint32_t slice) const { return under_way_[slice]; }

 private:
  struct UnderWay {
    messages::PoolRef<StorageAccess> access;  // null: no instruction is under way
    engine::Cycle leaves = 0;
  };
  struct Hit {
    engine::Cycle ready = 0;
    messages::PoolRef<messages::StorageJob> job;
  };
  StorageL1::Outcome look_up(engine::Cycle now, const messages::PoolRef<messages::StorageJob>& job,
                             bool may_leave);
  UnderWay& of(RequestName name) { return under_way_of_[size_t{name.group} * numbers_ + name.load]; }
  const UnderWay& next() const { return under_way_of_[order_.front()]; }
  void queue(uint32_t group, uint32_t load);

  StorageSlices slices_;
  uint32_t l1_latency_;
  messages::Pool<messages::StorageJob>& jobs_;
  UnitStorageCounters& counters_;
  messages::Pool<StorageAccess> accesses_;
  uint32_t numbers_;                    // of instructions of a group
  std::vector<UnderWay> under_way_of_;  // group x numbers + number
  std::vector<uint32_t> stores_;        // by group: transactions under way that it does not wait for
  structures::Ring<uint32_t> order_;    // those of under_way_of_ with transactions to send, oldest first
  std::vector<uint32_t> under_way_;     // transactions, by slice
  StorageL1 l1_;
  structures::Ring<Hit> l1_answers_;  // in time
  uint32_t turn_ = 0;                 // the source that is asked first for an answer
};

template <class HasAnswer>
uint32_t StoragePort::choose_answer(engine::Cycle now, const HasAnswer& has_answer) {
  const uint32_t count = slices_.slices + (has_l1() ? 1 : 0);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t from = (turn_ + i) % count;
    const bool is_there =
        from == first_level() ? !l1_answers_.empty() && l1_answers_.front().ready <= now : has_answer(from);
    if (!is_there) continue;
    turn_ = (from + 1) % count;
    return from;
  }
  return kNone;
}

}  // namespace cutaway::boxes
