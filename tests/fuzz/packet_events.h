#pragma once

#include <algorithm>
#include <vector>

#include "arch/gpu.h"
#include "fuzz/fuzz_target.h"

// The input of the packet fuzz targets: a list of events in a window of 16 MB, all of it initially mapped:
//
//   u8 kind (modulo 4) 0: u24 offset, u16 bytes, then the bytes: a write
//                      1: u24 offset, u16 words, u8 flags: a submission; bit 0 of flags: it presents
//                      2: u16 page, u16 pages: unmapped   3: mapped again
namespace cutaway::fuzz {

constexpr arch::Address kWindow = 0x100000;
constexpr uint64_t kWindowBytes = 16u << 20;
constexpr uint64_t kSubmissions = 8;

inline uint32_t take24(Input& input) {
  const auto low = input.take<uint16_t>();
  return low | uint32_t{input.take<uint8_t>()} << 16;
}

enum class Kind : uint8_t { kWrite, kSubmit, kUnmap, kMap };

struct Event {
  Kind kind{};
  uint32_t offset = 0;            // write, submit: from the window's start
  std::vector<std::byte> data{};  // write
  uint16_t words = 0, flags = 0;  // submit
  uint16_t page = 0, pages = 0;   // unmap, map
};

inline Event take_event(Input& input) {
  Event event{.kind = static_cast<Kind>(input.take<uint8_t>() % 4)};
  switch (event.kind) {
    case Kind::kWrite: {
      event.offset = take24(input);
      const auto bytes = input.take_bytes(input.take<uint16_t>());
      event.data.assign(bytes.begin(), bytes.end());
      break;
    }
    case Kind::kSubmit:
      event.offset = take24(input);
      event.words = input.take<uint16_t>();
      event.flags = input.take<uint8_t>();
      break;
    default:
      event.page = input.take<uint16_t>(), event.pages = input.take<uint16_t>();
  }
  return event;
}

inline void play(const Event& event, arch::Submission& submission, arch::Gpu& gpu) {
  const arch::Address page = kWindow + event.page % (kWindowBytes / arch::kPageBytes) * arch::kPageBytes;
  const uint64_t bytes = std::min<uint64_t>(event.pages * arch::kPageBytes, kWindow + kWindowBytes - page);
  switch (event.kind) {
    case Kind::kWrite:
      if (!event.data.empty()) gpu.write(0, kWindow + event.offset, event.data);
      return;
    case Kind::kSubmit:
      submission.id++;
      submission.commands = kWindow + event.offset;
      submission.words = event.words;
      submission.presents = event.flags & 1;
      return gpu.submit(submission);
    case Kind::kUnmap:
      return gpu.unmap(0, page, bytes);
    case Kind::kMap:
      return gpu.map(0, page, bytes);
  }
}

inline std::vector<Event> events_of(const uint8_t* data, size_t size) {
  Input input(data, size);
  std::vector<Event> events;
  while (!input.empty()) events.push_back(take_event(input));
  return events;
}

}  // namespace cutaway::fuzz
