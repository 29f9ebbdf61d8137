#pragma once

#include <deque>
#include <string>
#include <vector>

#include "arch/memory.h"
#include "base/counter.h"
#include "boxes/bus/bus_spec.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/doorbell.h"
#include "messages/memory_message.h"
#include "structures/ring.h"

namespace cutaway::boxes {

struct BusCounters {
  uint64_t host_bytes = 0, doorbells = 0, fences = 0, reads = 0, read_bytes = 0, writes = 0, write_bytes = 0;
  uint64_t down_cycles = 0, up_cycles = 0, latency = 0;

  template <class V>
  static void fields(V&& v) {
    using C = BusCounters;
    v("host_bytes", &C::host_bytes, "bytes", "bytes that the host wrote into video memory");
    v("doorbells", &C::doorbells, "doorbells", "submissions that the host announced");
    v("fences", &C::fences, "fences", "ends of submissions that the GPU told the host");
    v("reads", &C::reads, "requests", "reads of system memory by the GPU");
    v("read_bytes", &C::read_bytes, "bytes", "data of these reads");
    v("writes", &C::writes, "requests", "writes of system memory by the GPU");
    v("write_bytes", &C::write_bytes, "bytes", "data of these writes");
    v("down_cycles", &C::down_cycles, "cycles", "cycles in which packets to the GPU were on the wires");
    v("up_cycles", &C::up_cycles, "cycles", "cycles in which packets to the host were on the wires");
    v("latency", &C::latency, "cycles", "cycles from taking a request to its reply, summed over all");
  }
};

// The bus between the GPU and the host (AGP, PCI Express: NV4-9, DX-2), with system memory behind it. Packets
// go to the host, "up": reads and writes of system memory by the memory controller, and fences of
// submissions; and to the GPU, "down": data of these reads, and the host's writes of video memory with the
// doorbells behind them. Reads, data, host's writes and fences take turns, each when its direction is free.
// Each direction keeps order. The host is never short of room.
class Bus final : public engine::Box {
 public:
  Bus(std::string path, const BusSpec& spec, arch::Memory& memory);

  engine::In<messages::MemoryRequest> requests_in;
  engine::Out<messages::MemoryReply> replies_out;
  engine::Out<messages::Doorbell> doorbells_out;
  engine::In<messages::Fence> fences_in;  // and fences_out: not connected without a host in time
  engine::Out<messages::Fence> fences_out;

  bool carries_fences = false;  // set before the first cycle

  BusCounters counters;

  // From outside, between cycles: the host writes bytes of video memory, or announces a submission.
  void host_writes(uint64_t bytes);
  void ring(const messages::Doorbell& doorbell);

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  using Cycle = engine::Cycle;
  // Packets that wait for the wires, by what they carry.
  enum Source : uint8_t { kRequests, kData, kHost, kFences, kSources };
  struct Direction {
    Cycle free = 0;  // from this cycle on the wires carry nothing
  };
  struct Request {
    Cycle taken = 0, there = 0;  // there: at the host
    messages::MemoryRequest request;
  };
  struct Reply {
    Cycle taken = 0, ready = 0;
    uint32_t work = 0;
    messages::MemoryReply reply;
  };
  struct HostWrite {
    uint64_t bytes = 0;                // left to send
    messages::Doorbell doorbell = {};  // of a submission: this instead
  };
  template <class T>
  struct Arriving {
    Cycle ready = 0;
    T message;
  };
  // Hands on the oldest that has arrived. False: none has, or there is no room.
  template <class T>
  static bool deliver(Cycle now, std::deque<Arriving<T>>& arriving, engine::Out<T>& out) {
    if (arriving.empty() || arriving.front().ready > now || !out.ready(now)) return false;
    out.send(now, arriving.front().message);
    arriving.pop_front();
    return true;
  }

  bool deliver(Cycle now);
  bool perform(Cycle now);
  bool send(Cycle now);
  bool send_request(Cycle now);
  bool send_data(Cycle now);
  bool send_host(Cycle now);
  bool send_fence(Cycle now);
  bool any_under_way() const;
  Cycle next_event(Cycle now) const;
  messages::MemoryReply perform(const messages::MemoryRequest& request);
  // Puts a packet with so many bytes of data on the wires. Returns the cycle of its arrival.
  Cycle carry(Cycle now, Direction& direction, uint32_t data, uint64_t& cycles);
  Direction& up() { return spec_.shared ? down_ : up_; }
  const Direction& up() const { return spec_.shared ? down_ : up_; }

  BusSpec spec_;
  arch::Memory& memory_;
  Direction up_, down_;
  uint8_t turn_ = kRequests;  // the source that is asked first
  uint32_t under_way_ = 0;    // requests
  structures::Ring<Request> to_host_;
  structures::Ring<Reply> data_;     // read, waiting for the wires
  structures::Ring<Reply> to_gpu_;   // data on the way
  structures::Ring<Reply> written_;  // acknowledgements of writes on the way
  std::deque<HostWrite> host_;
  std::deque<Arriving<messages::Doorbell>> doorbells_;  // on the way
  std::deque<Arriving<messages::Fence>> fences_;
};

}  // namespace cutaway::boxes
