// The clocked machine: the inputs of fuzz_packets.cpp that the emulator takes without a fault. The machine
// may refuse what it does not execute; it must come to an end and break no promise.
#include "base/error.h"
#include "emulator/emulator.h"
#include "fuzz/packet_events.h"
#include "machine/machine.h"
#include "replay/clocked_frame.h"
#include "replay/packet_walk.h"

namespace {

using namespace cutaway;

constexpr uint64_t kSteps = 1u << 17;  // of the emulator, in one submission

// Whether a replay would let a submission come to the machine.
bool is_clocked(const arch::Memory& memory, const arch::Submission& submission) {
  bool clocked = true;
  replay::walk_packets(memory, submission, [&](const replay::Packet& packet) {
    clocked = clocked && !replay::unsupported(packet);
  });
  return clocked;
}

// What the emulator's queries wrote; false: it stopped, or the machine does not execute this.
bool emulate(const std::vector<fuzz::Event>& events, std::vector<parts::QueryValue>& values) {
  const auto emulator =
      emulator::make_emulator({.on_query =
                                   [&](uint64_t submission, arch::Address at, uint64_t value) {
                                     values.push_back({submission, at, value});
                                   },
                               .step_limit = kSteps});
  emulator->map(0, fuzz::kWindow, fuzz::kWindowBytes);
  arch::Submission submission{};
  for (const fuzz::Event& event : events) {
    if (event.kind == fuzz::Kind::kSubmit) {
      if (submission.id == fuzz::kSubmissions) break;
      const arch::Submission next{.commands = fuzz::kWindow + event.offset, .words = event.words};
      if (!is_clocked(emulator->memory(0), next)) return false;
    }
    play(event, submission, *emulator);
  }
  arch::Fault fault;
  return !emulator->fault(fault);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::vector<fuzz::Event> events = fuzz::events_of(data, size);
  machine::MachineOptions options;
  if (!emulate(events, options.query_values)) return 0;
  machine::Config config;
  machine::Machine gpu(config, arch::Memory(), std::move(options));
  gpu.map(0, fuzz::kWindow, fuzz::kWindowBytes);
  arch::Submission submission{};
  for (const fuzz::Event& event : events) {
    if (event.kind == fuzz::Kind::kSubmit && submission.id == fuzz::kSubmissions) break;
    play(event, submission, gpu);
  }
  arch::Fault fault;
  if (gpu.fault(fault))
    CUTAWAY_CHECK(!fault.text.empty() && fault.text.find('\n') == std::string::npos, "{}", fault.text);
  return 0;
}
