#pragma once

#include <gtest/gtest.h>

#include "draw/packet_limits.h"
#include "draw/packet_reader.h"
#include "emulator/emulator.h"
#include "machine/machine.h"
#include "scenes/scenes.h"

namespace cutaway {

// The result of a scene.
struct Outcome {
  uint64_t memory = 0, statistics = 0;  // hashes
  uint64_t cycles = 0;
  std::vector<arch::Picture> pictures;
};

// Query values that only the emulator can compute.
inline std::vector<parts::QueryValue> reported_queries(const scenes::Scene& scene) {
  std::vector<parts::QueryValue> values;
  auto emulator =
      emulator::make_emulator({.on_query = [&](uint64_t submission, arch::Address at, uint64_t v) {
        values.push_back({submission, at, v});
      }});
  scenes::play(scene, *emulator);
  return values;
}

// True if a chip has every feature that a scene uses.
inline bool runs(const scenes::Scene& scene, const draw::Abilities& abilities) {
  bool all = true;
  arch::Memory memory;
  draw::PacketLimits limits(abilities);
  for (const scenes::Event& event : scene.events) {
    using Kind = scenes::Event::Kind;
    if (event.kind == Kind::kMap) memory.map(event.address, event.bytes);
    if (event.kind == Kind::kWrite) memory.write(event.address, event.data.data(), event.data.size());
    if (event.kind != Kind::kSubmit) continue;
    limits.begin_submission();
    const auto registers = std::make_unique<arch::Registers>();
    draw::PacketReader packets(memory, event.submission, {});
    while (packets.next(*registers)) {
      if (packets.opcode() == arch::Opcode::kSetRegisters) draw::set_registers(packets.payload(), *registers);
      all &= limits.unclocked(packets.opcode(), packets.payload(), *registers, memory).empty();
    }
  }
  return all;
}

inline Outcome on_machine(const scenes::Scene& scene, const machine::Config& config,
                          machine::MachineOptions options = {}) {
  Outcome outcome;
  options.query_values = reported_queries(scene);
  options.on_picture = [&](arch::Picture&& picture) { outcome.pictures.push_back(std::move(picture)); };
  machine::Machine gpu(config, arch::Memory(), options);
  scenes::play(scene, gpu);
  gpu.wait();  // for the last picture
  arch::Fault fault;
  EXPECT_FALSE(gpu.fault(fault)) << scene.name << ": " << fault.text;
  outcome.memory = gpu.memory(0).hash();
  outcome.statistics = gpu.statistics_hash();
  outcome.cycles = gpu.cycles();
  return outcome;
}

inline uint64_t on_emulator(const scenes::Scene& scene) {
  auto emulator = emulator::make_emulator();
  scenes::play(scene, *emulator);
  return emulator->memory(0).hash();
}

// Sets parameters by name, as the command does: "unit.name", value.
inline void set(machine::Config& config, std::string_view path, std::string_view value) {
  FieldTable fields;
  config.list(fields);
  fields.set("test", path, value);
}

}  // namespace cutaway
