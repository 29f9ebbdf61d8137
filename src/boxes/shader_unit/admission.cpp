#include "boxes/shader_unit/admission.h"

#include <algorithm>

#include "base/round_up.h"

namespace cutaway::boxes {

using arch::Stage;

Admission::Admission(const ShaderUnitSpec& spec, uint32_t groups, uint64_t& stalls)
    : spec_(spec),
      threads_free_(spec.threads),
      registers_free_((spec.threads + spec.input_threads) * spec.registers_per_thread),
      scratch_free_(spec.scratch_bytes),
      window_(spec.fragment_groups),
      taken_(groups),
      stalls_(stalls) {}

Admission::Demand Admission::demand_of(const messages::DrawState& state, Stage stage) const {
  const command_stream::Program* program = state.stage[stage].program.get();
  if (!program) return {};
  const uint32_t granularity = spec_.register_granularity;
  const uint32_t temporaries = program->temporaries + (spec_.half_registers ? 0 : program->shared);
  const uint32_t registers = round_up(temporaries, granularity);
  const uint32_t lanes = spec_.lanes_of(stage);
  return {registers * lanes, program->scratch_bytes * lanes};
}

// Notes whether the group at the front of an input waits, and counts when that begins. Whether it comes in.
bool Admission::note_front(Stage stage, bool lacks) {
  bool& lacked = lacks_[stage];
  stalls_ += lacks && !lacked;
  lacking_ += uint32_t{lacks} - uint32_t{lacked};
  lacked = lacks;
  return !lacks;
}

bool Admission::has_room(const messages::DrawState& state, Stage stage, bool empty) {
  if (stage == Stage::kFragment && !window_.has_room()) return false;
  if (threads_free_ < spec_.lanes_of(stage)) return false;
  const Demand demand = demand_of(state, stage);
  const bool lacks = demand.registers > registers_free_ || demand.scratch_bytes > scratch_free_;
  return note_front(stage, lacks && !empty);
}

bool Admission::has_room_for_workgroup(const messages::DrawState& state, uint32_t groups, bool has_place,
                                       bool empty) {
  const Demand demand = demand_of(state, Stage::kCompute);
  const bool lacks = uint64_t{demand.registers} * groups > registers_free_ ||
                     uint64_t{demand.scratch_bytes} * groups > scratch_free_ ||
                     threads_free_ < groups * spec_.group_lanes || !has_place;
  return note_front(Stage::kCompute, lacks && !empty);
}

void Admission::admit(uint32_t group, const messages::DrawState& state, Stage stage) {
  Taken& taken = taken_[group];
  taken = {.threads = spec_.lanes_of(stage)};
  threads_free_ -= taken.threads;
  if (stage == Stage::kCompute) return;
  const Demand demand = demand_of(state, stage);
  taken.registers = std::min(demand.registers, registers_free_);
  taken.scratch_bytes = std::min(demand.scratch_bytes, scratch_free_);
  registers_free_ -= taken.registers;
  scratch_free_ -= taken.scratch_bytes;
  if (stage != Stage::kFragment) return;
  taken.fragments = true;
  taken.fragment_number = window_.enter();
}

void Admission::release(uint32_t group) {
  const Taken& taken = taken_[group];
  threads_free_ += taken.threads;
  registers_free_ += taken.registers;
  scratch_free_ += taken.scratch_bytes;
  if (taken.fragments) window_.leave(taken.fragment_number);
}

Admission::Demand Admission::admit_workgroup(const messages::DrawState& state, uint32_t groups) {
  const Demand demand = demand_of(state, Stage::kCompute);
  const auto part = [&](uint32_t of_group, uint32_t free) {
    return static_cast<uint32_t>(std::min<uint64_t>(uint64_t{of_group} * groups, free));
  };
  const Demand taken{part(demand.registers, registers_free_), part(demand.scratch_bytes, scratch_free_)};
  registers_free_ -= taken.registers;
  scratch_free_ -= taken.scratch_bytes;
  return taken;
}

void Admission::release_workgroup(const Demand& taken) {
  registers_free_ += taken.registers;
  scratch_free_ += taken.scratch_bytes;
}

}  // namespace cutaway::boxes
