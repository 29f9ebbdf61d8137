#include "emulator/compute_stage.h"

#include <algorithm>

#include "command_stream/instruction_limit.h"

namespace cutaway::emulator {

void ComputeStage::run(const State& state, const arch::DispatchPacket& dispatch, QueryCounters& counters) {
  const uint32_t* size = state.registers.compute.local_size;
  const uint32_t invocations = size[0] * size[1] * size[2];
  for (const auto& core : cores_) core->begin(state.compute());
  find_local_ids(size);
  shared_.resize(state.registers.compute.shared_bytes / 4);
  for (uint32_t z = 0; z < dispatch.groups[2]; z++)
    for (uint32_t y = 0; y < dispatch.groups[1]; y++)
      for (uint32_t x = 0; x < dispatch.groups[0]; x++) {
        const uint32_t id[3] = {dispatch.base[0] + x, dispatch.base[1] + y, dispatch.base[2] + z};
        meter_.step(1);
        workgroup(state, id, dispatch.groups);
        statistics_.invocations += invocations;
        if (state.registers.query.statistics) counters[Statistic::kComputeInvocations] += invocations;
      }
}

void ComputeStage::workgroup(const State& state, const uint32_t id[3], const uint32_t groups[3]) {
  const StageState& stage = state.compute();
  const uint32_t* size = state.registers.compute.local_size;
  const uint32_t invocations = size[0] * size[1] * size[2];
  const bool waits = stage.program->barriers;
  const uint32_t lane_groups = (invocations + kLanes - 1) / kLanes;
  std::fill(shared_.begin(), shared_.end(), 0);
  while (cores_.size() < (waits ? lane_groups : 1)) {
    cores_.push_back(std::make_unique<ShaderCore>(memory_, meter_, statistics_));
    cores_.back()->begin(stage);
  }

  std::vector<bool> done(lane_groups);
  const auto resume = [&](uint32_t group) {
    ShaderCore& core = *cores_[waits ? group : 0];
    done[group] = core.resume(stage);
    if (done[group]) statistics_.compute_instructions += core.executed() * kLanes;
  };
  for (uint32_t group = 0; group < lane_groups; group++) {
    ShaderCore& core = *cores_[waits ? group : 0];
    const uint32_t lanes = std::min(kLanes, invocations - group * kLanes);
    fill_inputs(core, stage, group, id, groups);
    core.shared = shared_;
    core.start(stage, lanes == 64 ? ~0ull : (1ull << lanes) - 1, 0,
               command_stream::instruction_limit(waits, invocations));
    resume(group);
  }
  // All groups that are not done wait at a barrier. A group that has ended no longer takes part.
  while (std::find(done.begin(), done.end(), false) != done.end())
    for (uint32_t group = 0; group < lane_groups; group++)
      if (!done[group]) resume(group);
}

// Finds the local ids of all lanes of a workgroup, which are the same in each.
void ComputeStage::find_local_ids(const uint32_t size[3]) {
  const uint32_t groups = (size[0] * size[1] * size[2] + kLanes - 1) / kLanes;
  local_ids_.resize(groups);
  for (uint32_t index = 0; index < groups * kLanes; index++) {
    const uint32_t id[4] = {index % size[0], index / size[0] % size[1], index / size[0] / size[1], index};
    for (uint32_t c = 0; c < 4; c++) local_ids_[index / kLanes].id[c][index % kLanes] = id[c];
  }
}

void ComputeStage::fill_inputs(ShaderCore& core, const StageState& stage, uint32_t lane_group,
                               const uint32_t id[3], const uint32_t groups[3]) const {
  const auto& inputs = stage.program->inputs;
  for (uint32_t c = 0; c < 4; c++) {
    if (inputs[arch::kInputLocalId] >> c & 1)
      std::copy_n(local_ids_[lane_group].id[c], kLanes, core.input(arch::kInputLocalId, c));
    if (inputs[arch::kInputWorkgroupId] >> c & 1)
      std::fill_n(core.input(arch::kInputWorkgroupId, c), kLanes, c < 3 ? id[c] : 0);
    if (inputs[arch::kInputWorkgroups] >> c & 1)
      std::fill_n(core.input(arch::kInputWorkgroups, c), kLanes, c < 3 ? groups[c] : 0);
  }
}

}  // namespace cutaway::emulator
