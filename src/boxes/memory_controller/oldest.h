#pragma once

#include "boxes/memory_controller/channel_scheduler.h"
#include "parts/ring.h"

namespace cutaway::boxes {

// First come, first served, whoever asks and whichever way the bus turns. Of those that come in one cycle the
// client with the least number comes first.
class Oldest final : public ChannelScheduler {
 public:
  Oldest(unsigned clients, unsigned queue) : order_(clients * queue) {}

  void arrived(unsigned client, const Front&) override { order_.push(client); }
  unsigned pick(engine::Cycle) const override { return order_.front(); }
  void served(unsigned, bool, const Front&) override { order_.pop(); }

 private:
  parts::Ring<unsigned> order_;  // whose transactions wait, in the order in which they came
};

}  // namespace cutaway::boxes
