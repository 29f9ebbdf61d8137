#pragma once

#include "boxes/memory_controller/channel_scheduler.h"
#include "boxes/memory_controller/dram_channel.h"

namespace cutaway::boxes {

// First ready, first come, first served: those whose row is open before others, of these whose transfer can
// begin first, of these the oldest. After `passed_over` that were served before the oldest it is its turn. Of
// those that came to the controller in one cycle the client with the least number is the oldest. Of each
// client the first `window` are looked at.
class FrFcfs final : public ChannelScheduler {
 public:
  FrFcfs(unsigned clients, const MemoryControllerSpec& spec, const DramChannel& dram);

  Pick pick(engine::Cycle now) const override;
  void served(const Pick& pick) override;

 private:
  unsigned oldest() const;  // client
  static bool may_go(const parts::Ring<Waiting>& queue, uint32_t position);

  const DramChannel& dram_;
  unsigned most_, passed_over_ = 0;
  uint32_t window_;
};

}  // namespace cutaway::boxes
