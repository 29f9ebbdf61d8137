#pragma once

#include "boxes/memory_controller/dram_channel.h"

namespace cutaway::boxes {

// A bus alone: banks and rows take no time (ATT-1: the paper's does not model them either).
class SimpleDram final : public DramChannel {
 public:
  explicit SimpleDram(const MemoryControllerSpec& spec) : DramChannel(spec) {}

  Cycle serve(Cycle now, uint64_t, bool write) override {
    transfer(now, std::max(now, turned(write)), write);
    return next_ = free_;
  }
};

}  // namespace cutaway::boxes
