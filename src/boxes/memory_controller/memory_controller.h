#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "arch/memory.h"
#include "base/counter.h"
#include "base/divisor.h"
#include "base/field.h"
#include "boxes/memory_controller/channel_scheduler.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "parts/memory_message.h"
#include "parts/ring.h"

namespace cutaway::boxes {

struct MemoryControllerSpec {
  unsigned channels = 4;
  unsigned interleave = 256;
  unsigned bytes_per_cycle = 16;
  unsigned latency = 40;
  unsigned read_to_write = 4;
  unsigned write_to_read = 6;
  unsigned queue = 8;
  MemoryScheduler scheduler = MemoryScheduler::kSameDirection;
  unsigned same_direction = 32;

  template <class V>
  static void fields(V&& v) {
    using S = MemoryControllerSpec;
    v("channels", &S::channels, "channels", 1u, 16u, "memory channels, each with a bus of its own");
    v("interleave", &S::interleave, "bytes", 64u, 65536u,
      "consecutive bytes of one channel; a multiple of 64");
    v("bytes_per_cycle", &S::bytes_per_cycle, "bytes", 1u, 64u,
      "of one channel: a transaction of 64 bytes occupies it for 64 / this cycles");
    v("latency", &S::latency, "cycles", 1u, 1000u, "from the end of the transfer's arbitration to the reply");
    v("read_to_write", &S::read_to_write, "cycles", 0u, 64u, "channel idle when a write follows a read");
    v("write_to_read", &S::write_to_read, "cycles", 0u, 64u, "channel idle when a read follows a write");
    v("queue", &S::queue, "transactions", 1u, 256u, "waiting per client and channel");
    v("scheduler", &S::scheduler, kMemorySchedulerNames,
      "in which order a channel serves what waits: its clients in turn, staying with reads or with writes "
      "for "
      "a while, or first come, first served");
    v("same_direction", &S::same_direction, "transactions", 1u, 1024u,
      "that a channel serves before it turns around for those that wait, if the scheduler is same-direction");
  }
};

// Bytes of one client.
struct MemoryClientCounters {
  uint64_t read_bytes = 0, write_bytes = 0;

  template <class V>
  static void fields(V&& v) {
    using C = MemoryClientCounters;
    v("read_bytes", &C::read_bytes, "bytes", "read transactions, 64 bytes each");
    v("write_bytes", &C::write_bytes, "bytes", "write transactions, 64 bytes each, whatever the mask");
  }
};

// GDDR channels behind a crossbar: a queue per client and channel; a channel serves them in the order of its
// scheduler. Banks and rows are not modelled (ATT-1: neither does the paper).
class MemoryController final : public engine::Box {
 public:
  // clients: any number.
  MemoryController(std::string path, const MemoryControllerSpec& spec, unsigned clients,
                   arch::Memory& memory);

  std::vector<engine::In<parts::MemoryRequest>> requests;  // by client
  std::vector<engine::Out<parts::MemoryReply>> replies;

  std::vector<MemoryClientCounters> client_counters;
  uint64_t channel_busy = 0;  // cycles × channels with a transfer

  // Notes who writes the sectors of a page from now on.
  void watch(arch::Address address) { watched_.insert(address / arch::kPageBytes); }
  struct LastWrite {
    unsigned client = 0;
    parts::Origin origin;
  };
  const std::unordered_map<arch::Address, LastWrite>& last_writes() const {
    return last_writes_;
  }  // by sector address

  void list_ports(engine::PortList& list) override {
    list("requests", requests);
    list("replies", replies);
  }
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  struct Reply {
    engine::Cycle ready = 0;
    parts::MemoryReply reply;
  };
  struct Channel {
    engine::Cycle free = 0;
    bool wrote = false;    // direction of the last transfer
    unsigned waiting = 0;  // transactions queued
    std::unique_ptr<ChannelScheduler> scheduler;
  };

  parts::Ring<parts::MemoryRequest>& queue(unsigned client, unsigned channel) {
    return queues_[client * spec_.channels + channel];
  }
  unsigned channel_of(arch::Address address) const {
    return static_cast<unsigned>(channel_count_.remainder(interleave_.quotient(address)));
  }
  bool accept(engine::Cycle now, unsigned client);
  bool serve(engine::Cycle now, unsigned channel);
  bool answer(engine::Cycle now, unsigned client);
  ChannelScheduler::Front front(unsigned client, unsigned channel);
  void transfer(const parts::MemoryRequest& request, unsigned client, engine::Cycle ready);

  MemoryControllerSpec spec_;
  Divisor interleave_, channel_count_;
  arch::Memory& memory_;
  std::vector<Channel> channels_;
  std::vector<parts::Ring<parts::MemoryRequest>> queues_;
  std::vector<parts::Ring<Reply>> replies_;  // by client
  std::unordered_set<uint64_t> watched_;     // page numbers
  std::unordered_map<arch::Address, LastWrite> last_writes_;
};

}  // namespace cutaway::boxes
