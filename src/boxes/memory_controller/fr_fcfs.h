#pragma once

#include "boxes/memory_controller/channel_scheduler.h"
#include "boxes/memory_controller/dram_channel.h"

namespace cutaway::boxes {

// First ready, first come, first served: transactions with an open row first, among these the earliest
// possible transfer, among these the oldest. The starvation cap: after `starvation_cap` transactions have
// overtaken the oldest, it is served. Among those that arrived in one cycle, the lowest client number is the
// oldest. Only the first `window` transactions of each client are considered.
class FrFcfs final : public ChannelScheduler {
 public:
  FrFcfs(unsigned clients, const MemoryControllerSpec& spec, const DramChannel& dram);

  void arrived(unsigned client, const Waiting& transaction) override;
  Pick pick(engine::Cycle now) const override;
  void served(const Pick& pick) override;

 private:
  unsigned oldest() const;  // its client

  const DramChannel& dram_;
  unsigned most_, passed_over_ = 0;
  uint32_t window_;
};

}  // namespace cutaway::boxes
