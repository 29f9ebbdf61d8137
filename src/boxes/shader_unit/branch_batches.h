#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "func/shader/thread_group.h"

namespace cutaway::boxes {

// Groups that branch together, as if a batch of them had one program counter: what a group of the batch
// executes, all of them spend time on. A group goes on alone until it has branched, or comes to where those
// stand that had no lane for what is before it; there it waits for the others. When all stand, those that
// stand earliest in the program go on: so the two sides of an IF follow one another, and who has left a loop
// waits for those inside.
class BranchBatches {
 public:
  // groups: of the unit, numbered from 0. size: groups of a batch at most; 1: each branches alone.
  BranchBatches(uint32_t groups, uint32_t size);

  // A group comes in. It belongs to the batch of the one before, if that has not branched as a whole, has
  // room, and its groups are of the same `draw`.
  void join(uint32_t group, const void* draw);
  bool has(uint32_t group) const { return groups_[group].batch != kNone; }

  // The group stands at a place; or it has ended. Who goes on now,
  // this one among them or not; valid until the next call.
  std::span<const uint16_t> arrive(uint32_t group, func::Place place);
  std::span<const uint16_t> leave(uint32_t group);

  // Those that others of its batch, which stand elsewhere, would have taken: so many passes more for each of
  // the group's own. Over the groups that go on they add up to the groups that do not. A group of no batch:
  // 0.
  uint32_t passes_for_others(uint32_t group) const { return groups_[group].for_others; }
  uint32_t standing() const { return standing_; }  // groups that wait for others of their batch

 private:
  static constexpr uint16_t kNone = 0xffff;
  struct Member {
    uint16_t batch = kNone;
    uint16_t for_others = 0;
    bool stands = false;
    func::Place place;
  };
  struct Batch {
    std::vector<uint16_t> members;
    uint32_t running = 0;
    const void* draw = nullptr;
  };
  std::span<const uint16_t> go_on_if_all_stand(uint16_t number);

  uint32_t size_;
  std::vector<Member> groups_;
  std::vector<Batch> batches_;
  std::vector<uint16_t> unused_;  // numbers of batches without members
  std::vector<uint16_t> going_on_;
  uint16_t open_ = kNone;  // the batch that groups may still join
  uint32_t standing_ = 0;
};

}  // namespace cutaway::boxes
