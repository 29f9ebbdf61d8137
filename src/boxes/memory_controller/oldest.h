#pragma once

#include "boxes/memory_controller/channel_scheduler.h"

namespace cutaway::boxes {

// First come, first served, regardless of client and bus direction. In one cycle the lowest client number
// comes first.
class Oldest final : public ChannelScheduler {
 public:
  Oldest(unsigned clients, unsigned queue) : ChannelScheduler(clients, queue), order_(clients * queue) {}
  Oldest(unsigned clients, const MemoryControllerSpec& spec) : Oldest(clients, spec.queue) {}

  void arrived(unsigned client, const Waiting& transaction) override {
    ChannelScheduler::arrived(client, transaction);
    order_.push(client);
  }
  Pick pick(engine::Cycle) const override { return {.client = order_.front()}; }
  void served(const Pick& pick) override {
    ChannelScheduler::served(pick);
    order_.drop();
  }

 private:
  structures::Ring<unsigned> order_;  // clients of waiting transactions, in order of arrival
};

}  // namespace cutaway::boxes
