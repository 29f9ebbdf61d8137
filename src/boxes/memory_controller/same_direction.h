#pragma once

#include "boxes/memory_controller/channel_scheduler.h"

namespace cutaway::boxes {

// Serves in turn the clients that keep the bus direction; after `same_direction` transactions, or if none
// keeps it, the others.
class SameDirection final : public ChannelScheduler {
 public:
  SameDirection(unsigned clients, const MemoryControllerSpec& spec);

  void arrived(unsigned client, const Waiting& transaction) override;
  Pick pick(engine::Cycle now) const override;
  void served(const Pick& pick) override;

 private:
  void update(unsigned client);

  unsigned clients_, most_;
  bool wrote_ = false;                   // direction of the last transaction
  unsigned run_ = 0;                     // transactions in that direction since the last turn
  unsigned turn_ = 0;                    // client to try first
  structures::IndexSet reads_, writes_;  // clients by direction of their front transaction
};

}  // namespace cutaway::boxes
