#pragma once

#include "boxes/memory_controller/dram_channel.h"

namespace cutaway::boxes {

// Models only the bus: banks and rows take no time (ATT-1: the paper does not model them either).
class SimpleDram final : public DramChannel {
 public:
  explicit SimpleDram(const MemoryControllerSpec& spec) : DramChannel(spec) {}

  Timing timing(Cycle now, uint64_t, bool write) const override {
    return {.begin = std::max(now, turned(write))};
  }
  Cycle serve(Cycle now, uint64_t, bool write, uint32_t bytes) override {
    const Cycle begin = std::max(now, turned(write));
    transfer(now, begin, begin, write, bytes);
    return next_ = transferred();
  }
};

}  // namespace cutaway::boxes
