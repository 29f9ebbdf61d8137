#include "boxes/memory_controller/dram_channel.h"

#include "boxes/memory_controller/simple_dram.h"
#include "parts/memory_message.h"

namespace cutaway::boxes {

DramChannel::DramChannel(const MemoryControllerSpec& spec)
    : burst_((parts::kSectorBytes + spec.bytes_per_cycle - 1) / spec.bytes_per_cycle),
      read_to_write_(spec.read_to_write),
      write_to_read_(spec.write_to_read) {}

void DramChannel::transfer(Cycle ready, Cycle begin, bool write) {
  counters.idle += ready - booked_;
  counters.turned += begin - ready;
  counters.used += burst_;
  booked_ = free_ = begin + burst_;
  wrote_ = write;
}

std::unique_ptr<DramChannel> make_dram(const MemoryControllerSpec& spec) {
  return std::make_unique<SimpleDram>(spec);
}

}  // namespace cutaway::boxes
