// The clocked machine: the inputs of fuzz_packets.cpp. What the emulator refuses it refuses at the same
// packet in the same words. It has every stage; it must come to an end and break no promise.
#include "base/error.h"
#include "emulator/emulator.h"
#include "fuzz/packet_events.h"
#include "machine/machine.h"
#include "replay/clocked_frame.h"
#include "replay/packet_walk.h"

namespace {

using namespace cutaway;

constexpr uint64_t kSteps = 1u << 17;  // of the emulator, in one submission

// All stages, each of which stores; two front ends.
machine::Config every_stage() {
  machine::Config config;
  config.name = "this GPU";
  machine::ShaderClass& shader = config.shaders.front();
  for (const auto& of : machine::kStageNames)
    shader.topology.stages.add(of.value), shader.topology.stores.add(of.value);
  shader.unit.group_lanes = shader.unit.simd_lanes = 32;
  shader.unit.threads = 1024;
  config.geometry.units = 2;
  config.stream_out.units = 1;
  config.interpolator.pulls = 2;
  config.storage_cache.slices = 2;
  config.storage_cache.atomics_per_cycle = 4;
  machine::check_rules(config);
  return config;
}

// True if a replay would pass a submission to the machine.
bool is_clocked(const arch::Memory& memory, const arch::Submission& submission,
                const command_stream::Abilities& abilities) {
  bool clocked = true;
  replay::walk_packets(memory, submission, [&](const replay::Packet& packet) {
    clocked = clocked && command_stream::unclocked(abilities, packet.opcode, *packet.registers).empty();
  });
  return clocked;
}

struct Emulated {
  bool clocked = true;  // the machine executes this, and the emulator did not give up after many steps
  std::vector<messages::QueryValue> queries;
  bool faulted = false;
  arch::Fault fault;
};

Emulated emulate(const std::vector<fuzz::Event>& events, const command_stream::Abilities& abilities) {
  Emulated result;
  const auto emulator =
      emulator::make_emulator({.on_query =
                                   [&](uint64_t submission, arch::Address at, uint64_t value) {
                                     result.queries.push_back({submission, at, value});
                                   },
                               .step_limit = kSteps});
  emulator->map(0, fuzz::kWindow, fuzz::kWindowBytes);
  arch::Submission submission{};
  for (const fuzz::Event& event : events) {
    if (event.kind == fuzz::Kind::kSubmit) {
      if (submission.id == fuzz::kSubmissions) break;
      const arch::Submission next{.commands = fuzz::kWindow + event.offset, .words = event.words};
      result.clocked = result.clocked && is_clocked(emulator->memory(0), next, abilities);
      if (!result.clocked) return result;
    }
    play(event, submission, *emulator);
  }
  result.faulted = emulator->fault(result.fault);
  // The machine counts no steps: a program or a draw that is long takes it long.
  const auto says = [&](const char* text) { return result.fault.text.find(text) != std::string::npos; };
  if (says("too many steps") || says("a shader program does not end")) result.clocked = false;
  return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::vector<fuzz::Event> events = fuzz::events_of(data, size);
  static const machine::Config config = every_stage();
  const Emulated emulated = emulate(events, config.abilities());
  if (!emulated.clocked) return 0;
  machine::MachineOptions options;
  options.query_values = emulated.queries;
  machine::Machine gpu(config, arch::Memory(), std::move(options));
  gpu.map(0, fuzz::kWindow, fuzz::kWindowBytes);
  arch::Submission submission{};
  for (const fuzz::Event& event : events) {
    if (event.kind == fuzz::Kind::kSubmit && submission.id == fuzz::kSubmissions) break;
    play(event, submission, gpu);
  }
  arch::Fault fault;
  const bool faulted = gpu.fault(fault);
  CUTAWAY_CHECK(!faulted || (!fault.text.empty() && fault.text.find('\n') == std::string::npos), "{}",
                fault.text);
  const bool own = fault.text.find("this GPU has no ") != std::string::npos ||
                   fault.text.find("instruction memory") != std::string::npos;
  CUTAWAY_CHECK(own || (faulted == emulated.faulted && fault.text == emulated.fault.text &&
                        fault.address == emulated.fault.address),
                "the machine says '{}' at {:#x}, the emulator '{}' at {:#x}", fault.text, fault.address,
                emulated.fault.text, emulated.fault.address);
  return 0;
}
