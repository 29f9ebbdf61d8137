#include "boxes/memory_controller/dram_channel.h"

#include "boxes/memory_controller/banked_dram.h"
#include "boxes/memory_controller/simple_dram.h"
#include "parts/memory_message.h"

namespace cutaway::boxes {

DramChannel::DramChannel(const MemoryControllerSpec& spec)
    : burst_((parts::kSectorBytes + spec.bytes_per_cycle - 1) / spec.bytes_per_cycle),
      read_to_write_(spec.read_to_write),
      write_to_read_(spec.write_to_read) {}

void DramChannel::transfer(Cycle ready, Cycle turned, Cycle begin, bool write) {
  counters.rested += ready - booked_;
  counters.turned += turned - ready;
  counters.rows += begin - turned;
  counters.used += burst_;
  (write ? counters.bytes_written : counters.bytes_read) += parts::kSectorBytes;
  booked_ = free_ = transferred_ = begin + burst_;
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

std::unique_ptr<DramChannel> make_dram(const MemoryControllerSpec& spec) {
  switch (spec.dram) {
    case DramModel::kSimple:
      break;
    case DramModel::kBanked:
      return std::make_unique<BankedDram>(spec);
  }
  return std::make_unique<SimpleDram>(spec);
}

}  // namespace cutaway::boxes
