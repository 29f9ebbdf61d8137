// The emulator: arbitrary packets over arbitrary memory; packet_events.h tells what an input looks like.
#include "base/error.h"
#include "emulator/emulator.h"
#include "fuzz/packet_events.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cutaway;
  constexpr uint64_t kSteps = 1u << 18;  // of one submission
  fuzz::Input input(data, size);
  const auto gpu = emulator::make_emulator({.step_limit = kSteps});
  gpu->map(0, fuzz::kWindow, fuzz::kWindowBytes);
  arch::Submission submission{};
  while (!input.empty() && submission.id < fuzz::kSubmissions)
    play(fuzz::take_event(input), submission, *gpu);
  gpu->wait();
  arch::Fault fault;
  if (gpu->fault(fault))
    CUTAWAY_CHECK(!fault.text.empty() && fault.text.find('\n') == std::string::npos, "{}", fault.text);
  return 0;
}
