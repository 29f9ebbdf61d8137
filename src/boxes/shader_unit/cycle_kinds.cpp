#include "boxes/shader_unit/cycle_kinds.h"

#include <algorithm>

namespace cutaway::boxes {

using Wait = GroupTable::Wait;

uint64_t& CycleKinds::kind_of_wait(engine::Cycle now, uint32_t ready, const Admission& admission,
                                   const GroupTable& groups, const ResultPorts& results) {
  if (admission.stalls()) return unit_.cycles_registers;
  const uint32_t waiting = groups.waiting_for_other_units();
  if (waiting > ready && ready) return most_waited_for(groups);
  if (ready) return unit_.cycles_dependency;
  if (!groups.finished().empty() && results.any_due(now)) return unit_.cycles_output;
  if (waiting) return most_waited_for(groups);
  if (groups.waiting_for(Wait::kBarrier)) return storage_.cycles_barrier;
  return groups.finished().empty() ? unit_.cycles_inputs : unit_.cycles_dependency;
}

uint64_t& CycleKinds::most_waited_for(const GroupTable& groups) {
  const uint32_t texture = groups.waiting_for(Wait::kTexture), storage = groups.waiting_for(Wait::kStorage);
  if (groups.waiting_for(Wait::kPull) > std::max(texture, storage)) return pulls_.cycles_pull;
  return texture >= storage ? unit_.cycles_texture : storage_.cycles_storage;
}

}  // namespace cutaway::boxes
