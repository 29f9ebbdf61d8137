#pragma once

#include <memory>
#include <vector>

#include "emulator/shader_core.h"

namespace cutaway::emulator {

// Runs dispatches workgroup by workgroup, x fastest. The lane groups of a workgroup run one after the other,
// each to its next barrier.
class ComputeStage {
 public:
  ComputeStage(arch::Memory& memory, Meter& meter, Statistics& statistics)
      : memory_(memory), meter_(meter), statistics_(statistics) {}

  // The dispatch must pass command_stream::dispatch_error().
  void run(const State& state, const arch::DispatchPacket& dispatch, QueryCounters& counters);

 private:
  void workgroup(const State& state, const uint32_t id[3], const uint32_t groups[3]);
  void find_local_ids(const uint32_t size[3]);
  void fill_inputs(ShaderCore& core, const StageState& stage, uint32_t lane_group, const uint32_t id[3],
                   const uint32_t groups[3]) const;

  // Local id and index, of the lanes of a lane group.
  struct LocalIds {
    uint32_t id[4][kLanes];
  };

  arch::Memory& memory_;
  Meter& meter_;
  Statistics& statistics_;
  std::vector<std::unique_ptr<ShaderCore>> cores_;  // one per lane group that waits at a barrier
  std::vector<uint32_t> shared_;
  std::vector<LocalIds> local_ids_;
};

}  // namespace cutaway::emulator
