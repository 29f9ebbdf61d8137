#pragma once

#include "boxes/memory_controller/channel_scheduler.h"

namespace cutaway::boxes {

// Clients in turn, of those that keep the direction of the bus; after `same_direction` transactions, or when
// none keeps it, the others.
class SameDirection final : public ChannelScheduler {
 public:
  SameDirection(unsigned clients, const MemoryControllerSpec& spec);

  void arrived(unsigned client, const Waiting& transaction) override;
  Pick pick(engine::Cycle now) const override;
  void served(const Pick& pick) override;

 private:
  void update(unsigned client);

  unsigned clients_, most_;
  bool wrote_ = false;              // direction of the last transaction
  unsigned run_ = 0;                // transactions in that direction since the last turn
  unsigned turn_ = 0;               // client to look at first
  parts::IndexSet reads_, writes_;  // clients by what is at their front
};

}  // namespace cutaway::boxes
