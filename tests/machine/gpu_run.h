#pragma once

#include <gtest/gtest.h>

#include "machine/machine.h"
#include "scenes/scenes.h"

namespace cutaway {

// The result of a scene.
struct Outcome {
  uint64_t memory = 0, statistics = 0;  // hashes
  uint64_t cycles = 0;
  std::vector<arch::Picture> pictures;
  std::vector<arch::PictureRows> own_rows;  // of each picture, see Dac::on_picture
};

// The emulator runs a scene once in a process: its memory's hash, and the values of queries that only it can
// tell. Scenes are the same when all their events are.
uint64_t on_emulator(const scenes::Scene& scene);
const std::vector<messages::QueryValue>& reported_queries(const scenes::Scene& scene);

// Whether a chip has all that a scene asks for.
bool runs(const scenes::Scene& scene, const command_stream::Abilities& abilities);

// A fault of the machine fails the test.
Outcome on_machine(const scenes::Scene& scene, const machine::Config& config,
                   machine::MachineOptions options = {});

// Fails, and says where, unless the emulator and the machine leave the same memory.
void expect_memory_of_emulator(const scenes::Scene& scene, const machine::Config& config);

// The sum of a machine's counters whose full names end like this, up to now.
uint64_t counted(machine::Machine& gpu, std::string_view name);

// Sets parameters by name, as the command does: "unit.name", value.
void set(machine::Config& config, std::string_view path, std::string_view value);

}  // namespace cutaway
