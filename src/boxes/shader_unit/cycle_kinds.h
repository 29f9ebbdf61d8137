#pragma once

#include "boxes/shader_unit/admission.h"
#include "boxes/shader_unit/group_table.h"
#include "boxes/shader_unit/issue_port.h"
#include "boxes/shader_unit/result_ports.h"
#include "boxes/shader_unit/shader_unit_counters.h"

namespace cutaway::boxes {

// Counts every cycle of a shader unit as one of several kinds: it issued, or waited for something.
class CycleKinds {
 public:
  CycleKinds(ShaderUnitCounters& unit, UnitStorageCounters& storage, UnitPullCounters& pulls)
      : unit_(unit), storage_(storage), pulls_(pulls), kind_(&unit.cycles_inputs) {}

  // Counts the cycles before `next` that are not counted yet, all of the present kind.
  void count_until(engine::Cycle next) {
    *kind_ += next - since_;
    since_ = next;
  }
  // Chooses the kind of cycle `now`, and of those after it in which nothing changes. ready: groups that could
  // issue if they did not wait for a result or a branch, without one that has just come in.
  void choose(engine::Cycle now, uint32_t ready, const IssuePort& issue, const Admission& admission,
              const GroupTable& groups, const ResultPorts& results) {
    kind_ =
        issue.occupied(now) ? &unit_.cycles_issued : &kind_of_wait(now, ready, admission, groups, results);
  }

 private:
  uint64_t& kind_of_wait(engine::Cycle now, uint32_t ready, const Admission& admission,
                         const GroupTable& groups, const ResultPorts& results);
  uint64_t& most_waited_for(const GroupTable& groups);

  ShaderUnitCounters& unit_;
  UnitStorageCounters& storage_;
  UnitPullCounters& pulls_;
  uint64_t* kind_;
  engine::Cycle since_ = 1;
};

}  // namespace cutaway::boxes
