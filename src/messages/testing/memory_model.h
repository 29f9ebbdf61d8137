#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "arch/memory.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/memory_message.h"

namespace cutaway::messages::testing {

// A memory for tests of boxes, without block tags: one transaction every `interval` cycles, answered in order
// `latency` cycles later. It records the transactions.
class MemoryModel final : public engine::Box {
 public:
  MemoryModel(std::string path, engine::Cycle latency_ = 10, engine::Cycle interval_ = 1)
      : Box(std::move(path)), latency(latency_), interval(interval_) {}

  engine::In<MemoryRequest> requests;
  engine::Out<MemoryReply> replies;

  engine::Cycle latency, interval;
  arch::Memory memory;
  std::vector<std::pair<engine::Cycle, MemoryRequest>> seen;
  uint64_t reads = 0, writes = 0;

  engine::Cycle tick(engine::Cycle now) override {
    bool progress = false;
    if (!waiting_.empty() && waiting_.front().first <= now && replies.ready(now)) {
      replies.send(now, waiting_.front().second);
      waiting_.pop_front();
      progress = true;
    }
    if (now >= next_ && requests.peek(now)) {
      serve(now, requests.take(now));
      next_ = now + interval;
      progress = true;
    }
    if (progress) return busy(now);
    engine::Cycle next = next_ > now ? next_ : engine::kAsleep;
    if (!waiting_.empty() && waiting_.front().first > now) next = std::min(next, waiting_.front().first);
    return idle(now, next);
  }
  void list_ports(engine::PortList& list) override { list("requests", requests), list("replies", replies); }
  std::string why_busy() const override { return waiting_.empty() ? "" : "replies waiting"; }

 private:
  void serve(engine::Cycle now, const MemoryRequest& request) {
    seen.emplace_back(now, request);
    MemoryReply reply{.tag = request.tag, .write = request.write};
    if (request.write) {
      writes++;
      for (uint32_t i = 0; i < kSectorBytes; i++)
        if (request.mask >> i & 1) memory.write(request.address + i, &request.data[i], 1);
    } else if (request.opportunistic != Opportunistic::kNo) {
      reply.declined = true;
    } else {
      reads++;
      memory.read(request.address, reply.data.data(), kSectorBytes);
      reply.bring(request.mask);
    }
    waiting_.emplace_back(now + latency, reply);
  }
  std::deque<std::pair<engine::Cycle, MemoryReply>> waiting_;
  engine::Cycle next_ = 0;
};

}  // namespace cutaway::messages::testing
