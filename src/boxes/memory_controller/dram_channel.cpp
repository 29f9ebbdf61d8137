#include "boxes/memory_controller/dram_channel.h"

namespace cutaway::boxes {

DramChannel::DramChannel(const MemoryControllerSpec& spec)
    : bytes_per_cycle_(spec.bytes_per_cycle),
      read_to_write_(spec.read_to_write),
      write_to_read_(spec.write_to_read) {}

void DramChannel::transfer(Cycle ready, Cycle turned, Cycle begin, bool write, uint32_t bytes) {
  const Cycle burst = (bytes + bytes_per_cycle_ - 1) / bytes_per_cycle_;
  counters.rested += ready - booked_;
  counters.turned += turned - ready;
  counters.rows += begin - turned;
  counters.used += burst;
  (write ? counters.bytes_written : counters.bytes_read) += bytes;
  booked_ = free_ = transferred_ = begin + burst;
  wrote_ = write;
}

void DramChannel::refresh(Cycle begin, Cycle end) {
  counters.rested += begin - booked_;
  counters.refreshed += end - begin;
  booked_ = free_ = end;
}

void DramChannel::settle(Cycle now) {
  advance(now);
  if (booked_ > now) return;
  counters.rested += now + 1 - booked_;
  booked_ = now + 1;
}

}  // namespace cutaway::boxes
