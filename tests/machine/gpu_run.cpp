#include "gpu_run.h"

#include <map>

#include "base/hash.h"
#include "command_stream/packet_limits.h"
#include "command_stream/packet_reader.h"
#include "emulator/emulator.h"

namespace cutaway {
namespace {

struct EmulatorRun {
  uint64_t memory = 0;
  std::vector<messages::QueryValue> queries;
};

uint64_t hash_of(const scenes::Scene& scene) {
  uint64_t hash = 0;
  for (const scenes::Event& event : scene.events) {
    const arch::Submission& submission = event.submission;
    const uint64_t words[] = {static_cast<uint64_t>(event.kind),
                              event.address,
                              event.bytes,
                              submission.id,
                              submission.context,
                              submission.commands,
                              submission.words,
                              submission.presents,
                              submission.ahead,
                              static_cast<uint64_t>(submission.queue),
                              submission.after,
                              event.target.value_or(0)};
    hash = hash_bytes(std::as_bytes(std::span(words)), hash);
    hash = hash_bytes(event.data, hash);
  }
  return hash;
}

const EmulatorRun& emulator_run(const scenes::Scene& scene) {
  static std::map<uint64_t, EmulatorRun> runs;
  const auto [found, first] = runs.try_emplace(hash_of(scene));
  EmulatorRun& run = found->second;
  if (!first) return run;
  auto emulator =
      emulator::make_emulator({.on_query = [&](uint64_t submission, arch::Address at, uint64_t value) {
        run.queries.push_back({submission, at, value});
      }});
  scenes::play(scene, *emulator);
  run.memory = emulator->memory(0).hash();
  return run;
}

}  // namespace

uint64_t on_emulator(const scenes::Scene& scene) { return emulator_run(scene).memory; }

const std::vector<messages::QueryValue>& reported_queries(const scenes::Scene& scene) {
  return emulator_run(scene).queries;
}

bool runs(const scenes::Scene& scene, const command_stream::Abilities& abilities) {
  bool all = true;
  arch::Memory memory;
  command_stream::PacketLimits limits(abilities);
  for (const scenes::Event& event : scene.events) {
    using Kind = scenes::Event::Kind;
    if (event.kind == Kind::kMap) memory.map(event.address, event.bytes);
    if (event.kind == Kind::kBind) memory.bind(event.address, event.bytes, event.target);
    if (event.kind == Kind::kWrite) memory.write(event.address, event.data.data(), event.data.size());
    if (event.kind != Kind::kSubmit) continue;
    limits.begin_submission();
    const auto registers = std::make_unique<arch::Registers>();
    command_stream::PacketReader packets(memory, event.submission, {});
    while (packets.next(*registers)) {
      if (packets.opcode() == arch::Opcode::kSetRegisters)
        command_stream::set_registers(packets.payload(), *registers);
      all &= limits.unclocked(packets.opcode(), packets.payload(), *registers, memory).empty();
    }
  }
  return all;
}

Outcome on_machine(const scenes::Scene& scene, const machine::Config& config,
                   machine::MachineOptions options) {
  Outcome outcome;
  options.query_values = reported_queries(scene);
  options.runs_ahead = true;
  options.on_picture = [&](arch::Picture&& picture, arch::PictureRows own, arch::ContextId) {
    outcome.pictures.push_back(std::move(picture)), outcome.own_rows.push_back(own);
  };
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

void expect_memory_of_emulator(const scenes::Scene& scene, const machine::Config& config) {
  if (on_machine(scene, config).memory == on_emulator(scene)) return;
  // Both once more, to tell where.
  auto emulator = emulator::make_emulator();
  scenes::play(scene, *emulator);
  machine::Machine gpu(config, arch::Memory(), {.query_values = reported_queries(scene), .runs_ahead = true});
  scenes::play(scene, gpu);
  gpu.finish();
  arch::Difference difference;
  arch::first_difference(emulator->memory(0), gpu.memory(0), difference);
  ADD_FAILURE() << scene.name << " on " << config.name << ": first difference at " << std::hex
                << difference.address << ", color at " << uint64_t{scene.color.address} << ", depth at "
                << uint64_t{scene.depth.address};
}

uint64_t counted(machine::Machine& gpu, std::string_view name) {
  gpu.simulator().settle();
  uint64_t sum = 0;
  for (const Counter& counter : gpu.simulator().counters().counters())
    if (counter.full_name().ends_with(name)) sum += *counter.value;
  return sum;
}

void set(machine::Config& config, std::string_view path, std::string_view value) {
  FieldTable fields;
  config.list(fields);
  fields.set("test", path, value);
}

}  // namespace cutaway
