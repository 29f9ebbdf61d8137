#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "arch/memory.h"
#include "base/counter.h"
#include "base/divisor.h"
#include "boxes/memory_controller/block_tags.h"
#include "boxes/memory_controller/channel_scheduler.h"
#include "boxes/memory_controller/dram_channel.h"
#include "boxes/memory_controller/last_writers.h"
#include "boxes/memory_controller/memory_controller_spec.h"
#include "boxes/memory_controller/own_memory.h"
#include "boxes/memory_controller/reply_queues.h"
#include "boxes/memory_controller/system_path.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/memory_message.h"
#include "structures/bound_context.h"
#include "structures/index_set.h"
#include "structures/ring.h"

namespace cutaway::boxes {

// Bytes of one client.
struct MemoryClientCounters {
  uint64_t read_bytes = 0, write_bytes = 0;
  uint64_t answered = 0, latency = 0, longest = 0;

  template <class V>
  static void fields(V&& v) {
    using C = MemoryClientCounters;
    v("read_bytes", &C::read_bytes, "bytes", "bytes that memory moved to read for the client");
    v("write_bytes", &C::write_bytes, "bytes", "bytes that memory moved to write for the client");
    v("answered", &C::answered, "transactions", "transactions whose replies have left");
    v("latency", &C::latency, "cycles",
      "cycles of the controller's clock from acceptance to reply, summed over these transactions");
    v("longest", &C::longest, "cycles",
      "longest of these latencies so far; for a part of a simulation, its growth");
  }
};

// Transactions of a client inside a ROP partition.
struct PartitionClientCounters {
  uint64_t local = 0, crossed = 0;

  template <class V>
  static void fields(V&& v) {
    using C = PartitionClientCounters;
    v("local", &C::local, "transactions", "transactions with channels of the client's own partition");
    v("crossed", &C::crossed, "transactions", "transactions with other channels, over the crossbar");
  }
};

// GDDR channels behind a crossbar: one queue per client and channel; a channel serves them in the order of
// its scheduler. A client in a ROP partition reaches its own channels without the crossbar. All other paths
// take the crossbar's latency there and back, with one transaction of a client entering and one leaving per
// cycle. A transaction is accepted only if there is a place for its reply, so that no channel ever waits for
// one. A read of half a sector that finds an earlier read of that sector in its queue is merged with it.
// Transactions with system memory pass the bus instead, if there is one: they have no channel, no crossbar
// and no tags.
class MemoryController final : public engine::Box {
 public:
  // clients: any number, none of them in a partition.
  MemoryController(std::string path, const MemoryControllerSpec& spec, unsigned clients,
                   arch::Memory& memory);

  // Address of the machine's own memory, which no context can address: above all contexts' addresses.
  static constexpr arch::Address kOwn = arch::Address{1} << arch::kAddressBits;
  // Restricts a client to `bytes` of that memory, from `first` on.
  void give_own(unsigned client, arch::Address first, uint64_t bytes) {
    own_.give(client, first, bytes);
    context.exempt(client);
  }
  // The same, with bytes that others write between cycles: they outlive the controller, and may grow.
  void give_own(unsigned client, arch::Address first, std::vector<std::byte>& bytes) {
    own_.give(client, first, bytes);
    context.exempt(client);
  }

  // Requests come through the translation of their addresses, where those of a client may wait.
  void stand_behind_translation() { translated_ = true; }
  const engine::Port* source_of(const engine::Port& out) const override;

  // Connects bus_out and bus_in, before the first cycle. all: every page lies behind the bus.
  void reach_system_memory(bool all) {
    system_.emplace(memory_, all, static_cast<unsigned>(requests.size()), spec_.queue, spec_.replies);
  }

  // Places the client in the partition with channels first to first + count - 1.
  void put_in_partition(unsigned client, unsigned first, unsigned count);

  engine::Inputs<messages::MemoryRequest> requests;  // by client
  std::vector<engine::Out<messages::MemoryReply>> replies;
  engine::Out<messages::MemoryRequest> bus_out;  // not connected without a bus
  engine::In<messages::MemoryReply> bus_in;
  engine::In<messages::ClearBlocks> clears_in;
  engine::Out<messages::BlocksCleared> cleared_out;
  unsigned clear_client = 0;         // the client of clears_in
  structures::BoundContext context;  // of all clients but the exempt

  BlockTags& tags() { return tags_; }

  std::vector<MemoryClientCounters> client_counters;
  std::vector<PartitionClientCounters> partition_counters;  // by client

  unsigned channels() const { return spec_.channels; }
  const ChannelCounters& channel_counters(unsigned channel) const {
    return channels_[channel].dram->counters;
  }

  // Records writers of the page's sectors from now on.
  void watch(arch::Address address) { last_writers_.watch(address); }
  const std::unordered_map<arch::Address, LastWriters::Write>& last_writes() const {
    return last_writers_.writes();
  }  // by sector address

  void list_ports(engine::PortList& list) override {
    list("requests", requests, "from each client: reads and writes of a sector");
    list("replies", replies, "to each client: the sector, or that it is written");
    if (system_) {
      list("bus_out", bus_out, "reads and writes of system memory");
      list("bus_in", bus_in, "the sector, or that it is written");
    }
    if (context.on()) {
      list("bind_in", context.in, "the context that clients are bound to");
      list("bound_out", context.out, "the same, when they are");
    }
    list("clears_in", clears_in, "ranges of memory to clear by tags");
    list("cleared_out", cleared_out, "their cleared blocks; the copy engine writes the others");
  }
  std::vector<std::string_view> costs_nothing() const override { return spec_.costs_nothing(translated_); }
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  struct Transaction {
    engine::Cycle arrived = 0;  // at the controller
    messages::MemoryRequest request;
    messages::ByteMask also = 0;  // bytes of its sector moved for merged reads
    bool joined = false;          // an earlier transaction moves its bytes
  };
  struct Channel {
    unsigned waiting = 0;                     // transactions queued
    engine::Cycle next = 0, transferred = 0;  // what `dram` says: all channels are looked at in each cycle
    std::unique_ptr<DramChannel> dram;
    std::unique_ptr<ChannelScheduler> scheduler;

    void note_times() { next = dram->next(), transferred = dram->transferred(); }
  };

  structures::Ring<Transaction>& queue(unsigned client, unsigned channel) {
    return queues_[client * spec_.channels + channel];
  }
  unsigned channel_of(arch::Address address) const {
    return static_cast<unsigned>(channel_count_.remainder(interleave_.quotient(address)));
  }
  // Address within its channel.
  uint64_t within_channel(arch::Address address) const {
    return channel_count_.quotient(interleave_.quotient(address)) * spec_.interleave +
           interleave_.remainder(address);
  }
  bool is_local(unsigned client, unsigned channel) const { return own_channels_[client] >> channel & 1; }
  // True if the path takes the crossbar's latency.
  bool crosses(unsigned client, unsigned channel) const {
    return spec_.crossbar_latency && !is_local(client, channel);
  }
  bool answer_all(engine::Cycle now, engine::Cycle& next);
  bool serve_all(engine::Cycle now, engine::Cycle& next, bool& transferring);
  bool serve_system(engine::Cycle now);
  bool take_system(engine::Cycle now);
  bool pass_on(engine::Cycle now);
  bool accept_all(engine::Cycle now, engine::Cycle& next);
  bool accept_next(engine::Cycle now, unsigned client);
  bool accept(engine::Cycle now, unsigned client, const messages::MemoryRequest& request);
  bool accept_at(engine::Cycle now, unsigned client, const messages::MemoryRequest& request);
  bool accept_system(engine::Cycle now, unsigned client, const messages::MemoryRequest& request);
  bool leave_crossbar(engine::Cycle now, unsigned client);
  void enter_queue(unsigned client, unsigned channel, engine::Cycle arrived,
                   const messages::MemoryRequest& request);
  bool join(unsigned client, unsigned channel, const messages::MemoryRequest& request);
  bool serve(engine::Cycle now, unsigned channel);
  bool serve_next(engine::Cycle now, unsigned channel);
  bool answer(engine::Cycle now, unsigned client);
  ChannelScheduler::Waiting waiting(const messages::MemoryRequest& request, engine::Cycle arrived) const;
  BlockTags::Transfers act(const Transaction& transaction, unsigned client, messages::MemoryReply& reply);
  engine::Cycle transfer(engine::Cycle now, arch::Address address, const BlockTags::Transfers& transfers);
  bool clear(engine::Cycle now);
  void count_until(engine::Cycle next) override;

  MemoryControllerSpec spec_;
  arch::Memory& memory_;
  Divisor interleave_, channel_count_;
  BlockTags tags_;
  std::optional<SystemPath> system_;
  bool translated_ = false;
  std::vector<Channel> channels_;
  std::vector<structures::Ring<Transaction>> queues_;
  std::vector<uint32_t> own_channels_;  // by client, one bit per channel
  OwnMemory own_;
  std::vector<structures::Ring<Transaction>> crossing_;  // by client: transactions in the crossbar
  ReplyQueues replies_;
  structures::IndexSet in_crossbar_;  // clients with transactions in the crossbar
  structures::IndexSet asking_;       // clients whose transactions may move in this cycle
  structures::IndexSet full_;     // clients that had no room for their next request, and have as much since
  engine::Cycle clear_ends_ = 0;  // 0: none in progress
  func::ClearRun cleared_;        // the answer to send
  LastWriters last_writers_;
};

}  // namespace cutaway::boxes
