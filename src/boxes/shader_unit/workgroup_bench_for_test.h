#pragma once

#include "boxes/shader_unit/bench_for_test.h"

// A shader unit that runs workgroups between mock neighbours, the storage cache among them, for its tests.
namespace cutaway::boxes::shader_unit_test_bench {

using messages::StorageJob;
using messages::StorageMessage;
using messages::Workgroup;
using messages::WorkgroupEnd;

// Does every transaction when it takes it.
class StorageModel final : public engine::testing::Answerer<StorageMessage> {
 public:
  using Answerer::Answerer;
  arch::Memory memory;
  std::vector<std::pair<Cycle, StorageJob::Kind>> seen;
  std::vector<arch::Address> lines;

 private:
  void serve(Cycle now, StorageMessage& message) override {
    StorageJob& job = *message.job;
    seen.emplace_back(now, job.kind);
    lines.push_back(job.line);
    for (uint32_t i = 0; i < 128; i++) {
      if (!(job.mask[i / 64] >> i % 64 & 1)) continue;
      if (job.kind == StorageJob::Kind::kLoad) memory.read(job.line + i, &job.data[i], 1);
      else memory.write(job.line + i, &job.data[i], 1);
    }
    for (uint32_t i = 0; i < job.atomics; i++) {
      job.atomic[i].old = memory.read_as<uint32_t>(job.line + job.atomic[i].offset);
      memory.write_as(job.line + job.atomic[i].offset, job.atomic[i].old + job.atomic[i].a);
    }
  }
};

constexpr arch::Address kBuffer = 0x40000;

struct ComputeBench {
  const func::FloatMode mode;
  messages::Pools pools;
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  ShaderUnitSpec spec;
  ShaderUnit& unit;
  Source<Workgroup>& workgroups = sim.add<Source<Workgroup>>(clock, "distributor");
  Sink<WorkgroupEnd>& ended = sim.add<Sink<WorkgroupEnd>>(clock, "ended");
  TextureModel& texture = sim.add<TextureModel>(clock, "texture");
  StorageModel& storage = sim.add<StorageModel>(clock, "storage");
  // Of a unit with a first level.
  Source<messages::Control>* orders = nullptr;
  Sink<messages::ControlDone>* answers = nullptr;

  explicit ComputeBench(const ShaderUnitSpec& spec_in)
      : spec(spec_in),
        unit(sim.add<ShaderUnit>(clock, "shader", spec_in, EnumSet<Stage>{Stage::kCompute}, 1u, 1u, pools,
                                 StorageSlices{1, 128, {}})) {
    storage.memory.map(kBuffer, 65536);
    sim.connect(workgroups.out, unit.workgroups_in, {1, 1, 1});
    sim.connect(unit.ended_out, ended.in, {1, 1, 4});
    sim.connect(unit.texture_out, texture.in, {1, 1, 4});
    sim.connect(texture.out, unit.texture_in, {1, 1, 4});
    sim.connect(unit.storage_out[0], storage.in, {1, 1, 4});
    sim.connect(storage.out, unit.storage_in[0], {1, 1, 4});
    if (unit.has_l1()) {
      orders = &sim.add<Source<messages::Control>>(clock, "orders");
      answers = &sim.add<Sink<messages::ControlDone>>(clock, "answers");
      sim.connect(orders->out, unit.control_in, {1, 1, 2});
      sim.connect(unit.control_out, answers->in, {1, 1, 2});
    }
    sim.elaborate();
  }
  void send(const messages::DrawState& state, uint32_t number = 0) {
    Workgroup workgroup{.state = &state};
    workgroup.id[0] = number;
    workgroup.count[0] = 8;
    workgroup.dispatch = 3;
    workgroups.messages.push_back(workgroup), workgroups.wake();
  }
  void run(Cycle cycles = 3000) { sim.run(clock, cycles); }
  uint32_t word(uint32_t number) const { return storage.memory.read_as<uint32_t>(kBuffer + 4 * number); }
  const UnitStorageCounters& counters() const { return unit.storage_counters; }
};

// Groups of 8 threads, all of which execute together; four words of a buffer at t0.
inline const ShaderUnitSpec kSpec{.group_lanes = 8, .threads = 64, .simd_lanes = 8, .shared_banks = 8};

inline std::unique_ptr<messages::DrawState> compute(std::string_view text, uint32_t invocations,
                                                    uint32_t shared_bytes = 0,
                                                    const ShaderUnitSpec& spec = kSpec) {
  auto state = messages::testing::plain_state();
  state->registers.compute = {{invocations, 1, 1}, shared_bytes};
  messages::testing::add_program(*state, Stage::kCompute, text, spec.group_lanes);
  auto& stage = state->stage[Stage::kCompute];
  for (uint32_t c = 0; c < 8; c++) stage.constants[c / 4][c % 4] = c;
  arch::Surface buffer{};
  buffer.type = arch::Surface::make_type(arch::SurfaceType::kRawBuffer, arch::Tiling::kLinear);
  buffer.address = kBuffer;
  buffer.width = 65536;
  stage.resources[0] = func::make_texture_view(buffer);
  state->note_written();
  return state;
}

}  // namespace cutaway::boxes::shader_unit_test_bench
