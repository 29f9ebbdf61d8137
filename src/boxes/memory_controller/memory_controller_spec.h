#pragma once

#include <string_view>
#include <vector>

#include "base/field.h"
#include "base/policy.h"

namespace cutaway::boxes {

class ChannelScheduler;
class DramChannel;
struct MemoryControllerSpec;

// Orders in which a channel serves what waits. What one is made with: clients, the parameters, the channel.
struct ChannelSchedulers : PolicyFamily<ChannelSchedulers, ChannelScheduler, unsigned,
                                        const MemoryControllerSpec&, const DramChannel&> {};
// Models of what stands behind the bus of a channel.
struct DramModels : PolicyFamily<DramModels, DramChannel, const MemoryControllerSpec&> {};

// Address mapping within a channel, from the most significant bits to the least.
enum class DramOrder { kRowBankColumn, kRowColumnBank };
constexpr EnumName<DramOrder> kDramOrderNames[] = {
    {DramOrder::kRowBankColumn, "row-bank-column"},
    {DramOrder::kRowColumnBank, "row-column-bank"},
};

struct MemoryControllerSpec {
  unsigned channels = 4;
  unsigned interleave = 256;
  unsigned bytes_per_cycle = 16;
  unsigned access_bytes = 64;
  unsigned latency = 40;
  unsigned crossbar_latency = 0;
  unsigned read_to_write = 4;
  unsigned write_to_read = 6;
  unsigned queue = 8;
  unsigned replies = 128;
  PolicyName<ChannelSchedulers> scheduler = "same-direction";
  unsigned same_direction = 32;
  unsigned tag_blocks = 131072;
  unsigned tag_regions = 8;
  unsigned clear_blocks = 16;
  unsigned tag_lookups = 8;
  unsigned expand_latency = 8;
  unsigned expanded_blocks = 4;
  unsigned starvation_cap = 16;
  unsigned window = 1;
  PolicyName<DramModels> dram = "simple";
  unsigned banks = 8;
  unsigned row_bytes = 2048;
  DramOrder order = DramOrder::kRowBankColumn;
  bool bank_hash = false;
  unsigned t_rcd = 6;
  unsigned t_rp = 5;
  unsigned t_ras = 13;
  unsigned t_cl = 5;
  unsigned t_wl = 4;
  unsigned t_wr = 6;
  unsigned t_rrd = 4;
  unsigned t_refi = 1560;
  unsigned t_rfc = 20;

  // Work of a controller that takes no time. translated: another unit translates the addresses.
  std::vector<std::string_view> costs_nothing(bool translated) const;

  template <class V>
  static void fields(V&& v) {
    using S = MemoryControllerSpec;
    v("channels", &S::channels, "channels", 1u, 16u, "memory channels, each with a bus of its own");
    v("interleave", &S::interleave, "bytes", 64u, 65536u,
      "consecutive bytes of one channel; a multiple of 64");
    v("bytes_per_cycle", &S::bytes_per_cycle, "bytes", 1u, 64u,
      "bytes per cycle of one channel: a transaction of 64 bytes occupies it for 64 / this cycles");
    v("access_bytes", &S::access_bytes, "bytes", 32u, 64u,
      "least bytes that a channel moves, 32 or 64: half of a sector, if no more of it is wanted, or all");
    v("latency", &S::latency, "cycles", 1u, 1000u,
      "cycles from the end of the transfer to the reply; in simple memory it includes the time of rows");
    v("crossbar_latency", &S::crossbar_latency, "cycles", 0u, 64u,
      "cycles each way between a client and a channel outside its own ROP partition");
    v("read_to_write", &S::read_to_write, "cycles", 0u, 64u,
      "cycles that a channel is idle when a write follows a read");
    v("write_to_read", &S::write_to_read, "cycles", 0u, 64u,
      "cycles that a channel is idle when a read follows a write; in banked memory tWTR and tCL");
    v("queue", &S::queue, "transactions", 1u, 256u, "transactions waiting per client and channel");
    v("replies", &S::replies, "transactions", 1u, 1024u,
      "transactions of a client in the controller: each has a place in the client's reply buffer from its "
      "acceptance on");
    v("scheduler", &S::scheduler,
      "order in which a channel serves transactions: fr-fcfs, row hits first, then the oldest; oldest, "
      "first come, first served; same-direction, its clients in turn, with several reads or writes in a row");
    v("same_direction", &S::same_direction, "transactions", 1u, 1024u,
      "transactions that a channel serves before it turns around for waiting ones, if the scheduler is "
      "same-direction");
    v("tag_blocks", &S::tag_blocks, "blocks", 0u, 16777216u,
      "blocks of 256 bytes that may have tags, 10 bits each on chip; 0: there are no tags");
    v("tag_regions", &S::tag_regions, "regions", 1u, 64u,
      "layers of surfaces that may have tags at one time, each with a clear value");
    v("clear_blocks", &S::clear_blocks, "blocks", 1u, 1024u, "tags set per cycle by a clear");
    v("tag_lookups", &S::tag_lookups, "transactions", 1u, 16u,
      "tags of transactions that a channel looks up per cycle: some that need no memory, and behind them "
      "one that does");
    v("expand_latency", &S::expand_latency, "cycles", 0u, 64u,
      "further cycles for a reply from a block that is compressed in memory, or from a sector that samples "
      "share");
    v("expanded_blocks", &S::expanded_blocks, "blocks", 1u, 64u,
      "last blocks, compressed in memory or with shared sectors, that each channel keeps after it read them");
    v("starvation_cap", &S::starvation_cap, "transactions", 0u, 1024u,
      "starvation cap: transactions that a channel serves before the oldest waiting one, if the scheduler "
      "is fr-fcfs");
    v("window", &S::window, "transactions", 1u, 64u,
      "oldest transactions of each client's queue among which a channel chooses, if the scheduler is "
      "fr-fcfs; those of one block of 256 bytes keep their order");
    bank_fields(v);
  }

 private:
  template <class V>
  static void bank_fields(V&& v) {
    using S = MemoryControllerSpec;
    v("dram", &S::dram,
      "memory behind a channel's bus: banked, banks of rows, whose parameters follow; simple, nothing that "
      "takes time");
    v("banks", &S::banks, "banks", 1u, 32u, "banks of a channel; a power of 2");
    v("row_bytes", &S::row_bytes, "bytes", 256u, 16384u, "bytes of a row of a bank; a power of 2");
    v("order", &S::order, kDramOrderNames,
      "order of a channel's addresses: row-bank-column, rows fill one bank after the other; "
      "row-column-bank, sectors go round the banks");
    v("bank_hash", &S::bank_hash, "", "the number of the bank is exclusive-or'ed with that of the row");
    v("t_rcd", &S::t_rcd, "cycles", 1u, 64u, "cycles from the activation of a row to a read or write of it");
    v("t_rp", &S::t_rp, "cycles", 1u, 64u,
      "cycles of a precharge: from closing a row to the next activation");
    v("t_ras", &S::t_ras, "cycles", 1u, 128u,
      "cycles from the activation of a row to its precharge; at least t_rcd; a bank's rows are t_ras + "
      "t_rp apart");
    v("t_cl", &S::t_cl, "cycles", 1u, 64u, "cycles from a read command to its data");
    v("t_wl", &S::t_wl, "cycles", 1u, 64u, "cycles from a write command to its data");
    v("t_wr", &S::t_wr, "cycles", 1u, 64u, "cycles from the end of a write to the precharge of its row");
    v("t_rrd", &S::t_rrd, "cycles", 1u, 64u, "cycles between activations of rows of a channel");
    v("t_refi", &S::t_refi, "cycles", 0u, 65536u, "cycles between refreshes, which close all banks; 0: none");
    v("t_rfc", &S::t_rfc, "cycles", 1u, 1024u, "cycles of a refresh, after its precharge");
  }
};

}  // namespace cutaway::boxes
