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
  unsigned crossbar_latency = 0;
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

// Transactions of a client that stands in a ROP partition.
struct PartitionClientCounters {
  uint64_t local = 0, crossed = 0;

  template <class V>
  static void fields(V&& v) {
    using C = PartitionClientCounters;
    v("local", &C::local, "transactions", "with channels of the client's own partition");
    v("crossed", &C::crossed, "transactions", "with other channels, over the crossbar");
  }
};

// GDDR channels behind a crossbar: a queue per client and channel; a channel serves them in the order of its
// scheduler. A client that stands in a ROP partition reaches the channels of its own without the crossbar;
// all other ways take the crossbar's latency there and back, with one transaction of a client entering and
// one leaving it in a cycle. Banks and rows are not modelled (ATT-1: neither does the paper).
class MemoryController final : public engine::Box {
 public:
  // clients: any number, none of them in a partition.
  MemoryController(std::string path, const MemoryControllerSpec& spec, unsigned clients,
                   arch::Memory& memory);

  // The client stands in the partition that has channels first to first + count - 1.
  void put_in_partition(unsigned client, unsigned first, unsigned count);

  std::vector<engine::In<parts::MemoryRequest>> requests;  // by client
  std::vector<engine::Out<parts::MemoryReply>> replies;

  std::vector<MemoryClientCounters> client_counters;
  std::vector<PartitionClientCounters> partition_counters;  // by client
  uint64_t channel_busy = 0;                                // cycles × channels with a transfer

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
  struct Crossing {
    engine::Cycle arrives = 0;
    parts::MemoryRequest request;
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
  bool is_local(unsigned client, unsigned channel) const { return own_channels_[client] >> channel & 1; }
  // Whether the way takes the crossbar's time.
  bool crosses(unsigned client, unsigned channel) const {
    return spec_.crossbar_latency && !is_local(client, channel);
  }
  bool accept(engine::Cycle now, unsigned client);
  bool leave_crossbar(engine::Cycle now, unsigned client);
  void enter_queue(unsigned client, unsigned channel, parts::MemoryRequest&& request);
  bool serve(engine::Cycle now, unsigned channel);
  bool answer(engine::Cycle now, unsigned client);
  ChannelScheduler::Front front(unsigned client, unsigned channel);
  parts::Ring<Reply>& next_replies(unsigned client);
  void transfer(const parts::MemoryRequest& request, unsigned client, parts::Ring<Reply>& waiting,
                engine::Cycle ready);

  MemoryControllerSpec spec_;
  Divisor interleave_, channel_count_;
  arch::Memory& memory_;
  std::vector<Channel> channels_;
  std::vector<parts::Ring<parts::MemoryRequest>> queues_;
  std::vector<uint32_t> own_channels_;           // by client, a bit for each
  std::vector<parts::Ring<Crossing>> crossing_;  // by client: requests in the crossbar
  std::vector<parts::Ring<Reply>> replies_;      // by client
  std::vector<parts::Ring<Reply>> crossing_replies_;
  std::unordered_set<uint64_t> watched_;  // page numbers
  std::unordered_map<arch::Address, LastWrite> last_writes_;
};

}  // namespace cutaway::boxes
