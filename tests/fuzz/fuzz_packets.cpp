// The emulator: arbitrary packets over arbitrary memory. An input is a list of events in a window of 16 MB,
// all of it mapped at first:
//
//   u8 kind (modulo 4) 0: u24 offset, u16 bytes, then the bytes: a write
//                      1: u24 offset, u16 words, u8 flags: a submission; bit 0 of flags: it presents
//                      2: u16 page, u16 pages: unmapped   3: mapped again
#include "base/error.h"
#include "emulator/emulator.h"
#include "fuzz/fuzz_target.h"

namespace {

constexpr cutaway::arch::Address kWindow = 0x100000;
constexpr uint64_t kWindowBytes = 16u << 20;
constexpr uint64_t kSteps = 1u << 18;  // of one submission
constexpr uint64_t kSubmissions = 8;

uint32_t take24(cutaway::fuzz::Input& input) {
  const auto low = input.take<uint16_t>();
  return low | uint32_t{input.take<uint8_t>()} << 16;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cutaway;
  fuzz::Input input(data, size);
  const auto gpu = emulator::make_emulator({.step_limit = kSteps});
  gpu->map(0, kWindow, kWindowBytes);
  arch::Submission submission{};
  while (!input.empty() && submission.id < kSubmissions) {
    const uint32_t kind = input.take<uint8_t>() % 4;
    switch (kind) {
      case 0: {
        const uint32_t offset = take24(input);
        const auto bytes = input.take<uint16_t>();
        gpu->write(0, kWindow + offset, input.take_bytes(bytes));
        break;
      }
      case 1:
        submission.id++;
        submission.commands = kWindow + take24(input);
        submission.words = input.take<uint16_t>();
        submission.presents = input.take<uint8_t>() & 1;
        gpu->submit(submission);
        break;
      default: {
        const auto page = input.take<uint16_t>(), pages = input.take<uint16_t>();
        const arch::Address address = kWindow + page % (kWindowBytes / arch::kPageBytes) * arch::kPageBytes;
        const uint64_t bytes = std::min<uint64_t>(pages * arch::kPageBytes, kWindow + kWindowBytes - address);
        if (kind == 3) gpu->map(0, address, bytes);
        else gpu->unmap(0, address, bytes);
      }
    }
  }
  gpu->wait();
  arch::Fault fault;
  if (gpu->fault(fault))
    CUTAWAY_CHECK(!fault.text.empty() && fault.text.find('\n') == std::string::npos, "{}", fault.text);
  return 0;
}
