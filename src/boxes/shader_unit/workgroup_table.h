#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "boxes/shader_unit/admission.h"
#include "engine/domain.h"
#include "messages/messages.h"

namespace cutaway::boxes {

// The workgroups inside a shader unit: which groups of threads are theirs, the memory that these share, and
// the barriers at which they wait for each other. It takes its groups one after the other: a workgroup
// comes in until the last of them is there.
class WorkgroupTable {
 public:
  // workgroups: inside at once, at most. shared_bytes: of memory that they share out. groups: places of the
  // unit, numbered from 0.
  WorkgroupTable(uint32_t workgroups, uint32_t shared_bytes, uint32_t groups);

  bool has_room(uint32_t shared_bytes) const;
  // A workgroup of so many groups begins to come in, with its memory cleared. taken: given back when it ends.
  void begin(messages::Workgroup message, uint32_t groups, const Admission::Demand& taken);
  bool entering() const { return entering_ != kNone; }
  // The workgroup that comes in, and how many of its groups have.
  const messages::Workgroup& entering_message() const { return workgroups_[entering_].message; }
  uint32_t entered_groups() const { return workgroups_[entering_].entered; }
  // The next of its groups comes in.
  void enter(uint16_t group);

  // The memory of the workgroup of a group.
  std::span<uint32_t> memory_of(uint16_t group) {
    Workgroup& workgroup = of(group);
    return std::span(workgroup.memory).first(workgroup.memory_words);
  }
  // The accesses of a group to that memory are done in cycle `done`.
  void note_access(uint16_t group, engine::Cycle done) { members_[group].accesses_done = done; }
  engine::Cycle accesses_done(uint16_t group) const { return members_[group].accesses_done; }

  // The groups that a barrier lets go on; none if it still waits for others.
  struct Opening {
    std::span<const uint16_t> groups;  // valid until the next group arrives
    uint32_t fences = 0;               // isa::Fence bits of their barriers, together
    engine::Cycle accesses_done = 0;   // the accesses that a fence of shared memory waits for
  };
  // A group arrives at a barrier with these isa::Fence bits. The barrier opens when all groups of the
  // workgroup that have not ended are there, those that have not come in yet among them.
  Opening arrive(uint16_t group, uint32_t fences);
  // A group has executed its end: it is awaited at no barrier any more.
  Opening end(uint16_t group);

  // True if the group is the last of its workgroup inside the unit.
  bool is_last(uint16_t group) const { return of(group).left == 1; }
  // A group leaves the unit. With the last one the workgroup ends: its dispatch, and what it had taken.
  struct Ended {
    uint32_t dispatch = 0;
    Admission::Demand taken;
  };
  std::optional<Ended> leave(uint16_t group);

 private:
  static constexpr uint32_t kNone = ~0u;
  struct Workgroup {
    bool used = false;
    messages::Workgroup message;
    uint32_t groups = 0, entered = 0;
    uint32_t running = 0;  // groups that have not executed their end
    uint32_t left = 0;     // groups that have not left the unit
    uint32_t arrived = 0;  // groups that wait at the barrier
    uint32_t fences = 0;
    engine::Cycle accesses_done = 0;
    Admission::Demand taken;
    uint32_t shared_bytes = 0;
    std::vector<uint32_t> memory;  // as large as any workgroup before it has asked for
    uint32_t memory_words = 0;
    std::vector<uint16_t> members;  // groups that came in
  };
  struct Member {  // by group
    uint32_t workgroup = 0;
    bool at_barrier = false;
    engine::Cycle accesses_done = 0;
  };
  Workgroup& of(uint16_t group) { return workgroups_[members_[group].workgroup]; }
  const Workgroup& of(uint16_t group) const { return workgroups_[members_[group].workgroup]; }
  Opening open_if_all_arrived(uint16_t group);

  std::vector<Workgroup> workgroups_;
  std::vector<Member> members_;
  std::vector<uint16_t> going_on_;
  uint32_t entering_ = kNone;
  uint32_t shared_free_;  // bytes
};

}  // namespace cutaway::boxes
