#pragma once

#include <vector>

#include "boxes/memory_controller/channel_scheduler.h"
#include "boxes/memory_controller/dram_channel.h"
#include "parts/index_set.h"

namespace cutaway::boxes {

// First ready, first come, first served: those whose row is open before others, of these whose transfer can
// begin first, of these the oldest. After `most` that were served before the oldest it is its turn. Of those
// that came to the controller in one cycle the client with the least number is the oldest.
class FrFcfs final : public ChannelScheduler {
 public:
  FrFcfs(unsigned clients, unsigned most, const DramChannel& dram);

  void arrived(unsigned client, const Front& front) override;
  unsigned pick(engine::Cycle now) const override;
  void served(unsigned client, bool write, const Front& front) override;

 private:
  unsigned oldest() const;

  const DramChannel& dram_;
  std::vector<Front> fronts_;  // by client
  parts::IndexSet waiting_;    // clients
  unsigned most_, passed_over_ = 0;
};

}  // namespace cutaway::boxes
