#pragma once

#include "base/field.h"

namespace cutaway::boxes {

// In which order a channel serves what waits.
enum class MemoryScheduler { kSameDirection, kOldest };
constexpr EnumName<MemoryScheduler> kMemorySchedulerNames[] = {
    {MemoryScheduler::kSameDirection, "same-direction"},
    {MemoryScheduler::kOldest, "oldest"},
};

struct MemoryControllerSpec {
  unsigned channels = 4;
  unsigned interleave = 256;
  unsigned bytes_per_cycle = 16;
  unsigned latency = 40;
  unsigned crossbar_latency = 0;
  unsigned read_to_write = 4;
  unsigned write_to_read = 6;
  unsigned queue = 8;
  MemoryScheduler scheduler = MemoryScheduler::kSameDirection;
  unsigned same_direction = 32;
  unsigned tag_blocks = 131072;
  unsigned tag_regions = 8;
  unsigned clear_blocks = 16;

  template <class V>
  static void fields(V&& v) {
    using S = MemoryControllerSpec;
    v("channels", &S::channels, "channels", 1u, 16u, "memory channels, each with a bus of its own");
    v("interleave", &S::interleave, "bytes", 64u, 65536u,
      "consecutive bytes of one channel; a multiple of 64");
    v("bytes_per_cycle", &S::bytes_per_cycle, "bytes", 1u, 64u,
      "of one channel: a transaction of 64 bytes occupies it for 64 / this cycles");
    v("latency", &S::latency, "cycles", 1u, 1000u, "from the end of the transfer's arbitration to the reply");
    v("crossbar_latency", &S::crossbar_latency, "cycles", 0u, 64u,
      "each way between a client and a channel that is not of its own ROP partition");
    v("read_to_write", &S::read_to_write, "cycles", 0u, 64u, "channel idle when a write follows a read");
    v("write_to_read", &S::write_to_read, "cycles", 0u, 64u, "channel idle when a read follows a write");
    v("queue", &S::queue, "transactions", 1u, 256u, "waiting per client and channel");
    v("scheduler", &S::scheduler, kMemorySchedulerNames,
      "in which order a channel serves what waits: its clients in turn, staying with reads or with writes "
      "for "
      "a while, or first come, first served");
    v("same_direction", &S::same_direction, "transactions", 1u, 1024u,
      "that a channel serves before it turns around for those that wait, if the scheduler is same-direction");
    v("tag_blocks", &S::tag_blocks, "blocks", 0u, 16777216u,
      "blocks of 256 bytes that may have tags, 4 bits each on chip; 0: there are no tags");
    v("tag_regions", &S::tag_regions, "regions", 1u, 64u,
      "layers of surfaces that may have tags at one time, each with a clear value");
    v("clear_blocks", &S::clear_blocks, "blocks", 1u, 1024u, "tags set per cycle by a clear");
  }
};

}  // namespace cutaway::boxes
