#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "arch/packet.h"

namespace cutaway::boxes {

// An indirect packet in progress: how many draws it makes, which is next, and whether its words are at hand.
class IndirectPacket {
 public:
  enum class Step : uint8_t {
    kCount,      // the number of draws is not known yet
    kArguments,  // the words of the next draw or dispatch are in memory
    kLaunch,     // they are at hand
  };
  Step step() const { return step_; }
  // kCount: the packet allows `most` draws, and its count in memory, if it has one, asks for `asked`.
  void count(uint32_t most, uint32_t asked) {
    draws_ = std::min(most, asked);
    step_ = Step::kArguments;
  }
  // kArguments: words() have been read.
  void read() { step_ = Step::kLaunch; }
  // kLaunch: the draw has left.
  void next() {
    draw_++;
    step_ = Step::kArguments;
  }

  bool ended() const { return draw_ == draws_; }
  uint32_t draw() const { return draw_; }  // from 0
  arch::Address address(const arch::IndirectPacket& packet) const {
    return packet.address + uint64_t{draw_} * packet.stride;
  }
  std::span<uint32_t> words(size_t count) { return std::span(words_).first(count); }

 private:
  Step step_ = Step::kCount;
  uint32_t draw_ = 0, draws_ = 0;
  std::array<uint32_t, 5> words_{};
};

}  // namespace cutaway::boxes
