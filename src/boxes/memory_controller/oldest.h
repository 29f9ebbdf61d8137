#pragma once

#include "boxes/memory_controller/channel_scheduler.h"

namespace cutaway::boxes {

// First come, first served, whoever asks and whichever way the bus turns. Of those that come in one cycle the
// client with the least number comes first.
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
  parts::Ring<unsigned> order_;  // whose transactions wait, in the order in which they came
};

}  // namespace cutaway::boxes
