#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "boxes/shader_unit/branch_batches.h"
#include "boxes/shader_unit/group_scheduler.h"
#include "boxes/shader_unit/group_table.h"
#include "boxes/shader_unit/issue_policy.h"
#include "boxes/shader_unit/register_ports.h"
#include "boxes/shader_unit/shader_unit_counters.h"
#include "boxes/shader_unit/shader_unit_spec.h"
#include "command_stream/by_stage.h"

namespace cutaway::boxes {

// The issue port of a shader unit: which group issues, how many of its instructions together, how long they
// occupy the port, and when the group can issue again. It carries ALU and flow instructions out when they
// issue; what is left, instructions of textures and memory, is its caller's.
class IssuePort {
 public:
  struct Counters {
    ShaderUnitCounters& unit;
    UnitPrimitiveCounters& primitives;
    UnitStorageCounters& storage;
  };
  IssuePort(const ShaderUnitSpec& spec, GroupTable& groups, const Counters& counters);

  // The port is occupied in all cycles before free_at().
  bool occupied(engine::Cycle now) const { return free_at_ > now; }
  engine::Cycle free_at() const { return free_at_; }
  // The cycle in which the last lane of the last instruction issues.
  engine::Cycle last_lane() const { return free_at_ - 1; }
  // The stage of the group that issues, or that issued last.
  arch::Stage stage() const { return stage_; }

  // A group has come in.
  void admit(const Group& group);
  // The group that issues in cycle `now`; null if none can.
  Group* pick(engine::Cycle now) {
    if (occupied(now) || groups_.ready().empty()) return nullptr;
    const uint32_t index = scheduler_->pick(now, groups_.ready(), groups_.times());
    return index == GroupScheduler::kNone ? nullptr : &groups_[index];
  }

  // kStep: all that was issued is carried out, and the group can issue again from cycle `next` on, if its
  // operands are there. kTexture, kMemory: the next instruction of the group has been issued, and is for the
  // caller to carry out.
  struct Issued {
    func::Need need = func::Need::kStep;
    engine::Cycle next = 0;
  };
  Issued issue(engine::Cycle now, Group& group);

  // The instruction of the group that accesses memory on the chip keeps the port until cycle `end`. Returns
  // the cycles that it adds.
  engine::Cycle extend(Group& group, engine::Cycle end);
  // That instruction has been carried out, and its result is there a latency after its last lane. Returns the
  // cycle in which the group can issue again.
  engine::Cycle complete_access(Group& group, engine::Cycle latency);
  // The texture unit has answered the group. Instructions that find a place in the pass of its texture
  // instruction issue with that. Returns the cycle in which the next one can.
  engine::Cycle complete_texture(engine::Cycle now, Group& group);

  // The load of the group that was issued is under way, and the group is going to go on behind it: returns
  // its number among those under way.
  uint32_t begin_load(Group& group, LoadsUnderWay::From from);
  // The result of a load is written. True if the group waited for it, or for another one: resume() follows
  // unless it has ended.
  bool end_load(engine::Cycle now, Group& group, uint32_t load);
  // Makes a group ready again that waited for a load, or lets it wait for another.
  void resume(engine::Cycle now, Group& group);
  // Lets a group that has ended wait for its loads; false if none is under way.
  bool wait_for_loads(Group& group);

  // Makes a group ready whose next instruction could issue in cycle `next`, or lets it wait for its batch.
  // False: the group has ended, and the caller puts it where it belongs.
  bool settle(engine::Cycle now, engine::Cycle next, Group& group);

  uint32_t waiting_at_branches() const { return batches_.standing(); }
  // True if a group of this draw or dispatch was ended because its program did not end.
  bool runaway(uint32_t draw) const {
    return std::find(runaways_.begin(), runaways_.end(), draw) != runaways_.end();
  }

 private:
  struct Issuing {                  // by group
    bool branched = false;          // by the last instruction that it has issued
    uint32_t interpolation = 0;     // passes before its first instruction
    engine::Cycle branch_ends = 0;  // if it waits for its batch
    engine::Cycle next = 0;         // could issue its next instruction if it did not wait for a load
    IssueBundle pass;               // that its last texture instruction issued in, with that, if ALUs forward
  };
  engine::Cycle latency(const func::MicroOp& op) const;
  uint32_t unit_passes(const func::MicroOp& op) const;
  uint32_t passes(const func::MicroOp& op) const;
  uint32_t interpolation_passes(const Group& group) const;
  void count(const Group& group);
  bool joins(engine::Cycle now, const Group& group, const IssueBundle& bundle) const;
  engine::Cycle execute(engine::Cycle last_pass, engine::Cycle last_lane, Group& group);
  void pass_free(Group& group);
  bool waits_for_loads(const Group& group) const;
  engine::Cycle operands_ready(const Group& group, engine::Cycle earliest,
                               const IssueBundle* given = nullptr) const;
  void make_ready(engine::Cycle next, Group& group);
  void wait_for_batch(engine::Cycle now, engine::Cycle next, Group& group);
  void go_on(engine::Cycle now, std::span<const uint16_t> groups);

  ShaderUnitSpec spec_;
  GroupTable& groups_;
  Counters counters_;
  std::unique_ptr<GroupScheduler> scheduler_;
  std::unique_ptr<IssuePolicy> policy_;
  RegisterPorts ports_;
  bool forwards_;         // as the policy says
  uint32_t most_issued_;  // instructions of a group in a cycle
  command_stream::ByStage<engine::Cycle>
      pass_cycles_;  // for the lanes of a group to pass through the execute units
  BranchBatches batches_;
  std::vector<Issuing> issuing_;
  engine::Cycle free_at_ = 0;
  arch::Stage stage_ = arch::Stage::kVertex;
  std::vector<uint32_t> runaways_;  // draws and dispatches
};

}  // namespace cutaway::boxes
