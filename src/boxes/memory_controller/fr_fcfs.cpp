#include "boxes/memory_controller/fr_fcfs.h"

#include <algorithm>
#include <tuple>

namespace cutaway::boxes {

const ChannelSchedulers::Member<FrFcfs> kFrFcfs("fr-fcfs");

FrFcfs::FrFcfs(unsigned clients, const MemoryControllerSpec& spec, const DramChannel& dram)
    : ChannelScheduler(clients, spec.queue), dram_(dram), most_(spec.starvation_cap), window_(spec.window) {}

unsigned FrFcfs::oldest() const {
  unsigned oldest = waiting().first();
  engine::Cycle since = engine::kAsleep;
  waiting().for_each([&](unsigned client) {
    const engine::Cycle arrived = queue(client).front().arrived;
    if (arrived < since) oldest = client, since = arrived;
  });
  return oldest;
}

// True if this transaction may overtake its client's older ones.
bool FrFcfs::may_go(const structures::Ring<Waiting>& queue, uint32_t position) {
  const Waiting& it = queue[position];
  for (uint32_t before = 0; before < position; before++)
    if (queue[before].block == it.block || queue[before].alone || it.alone) return false;
  return true;
}

ChannelScheduler::Pick FrFcfs::pick(engine::Cycle now) const {
  if (waiting().size() == 1 && (window_ == 1 || queue(waiting().first()).size() == 1))
    return {.client = waiting().first()};
  if (passed_over_ >= most_) return {.client = oldest()};
  using Rank = std::tuple<bool, engine::Cycle, engine::Cycle>;
  Pick best{.client = waiting().first()};
  Rank least{true, engine::kAsleep, engine::kAsleep};
  waiting().for_each([&](unsigned client) {
    const auto& waits = queue(client);
    for (uint32_t i = 0; i < std::min(window_, waits.size()); i++) {
      if (!may_go(waits, i)) continue;
      const auto [open, begin] = dram_.timing(now, waits[i].address, waits[i].write);
      const Rank rank{!open, begin, waits[i].arrived};
      if (rank < least) best = {client, i}, least = rank;
    }
  });
  return best;
}

void FrFcfs::served(const Pick& pick) {
  passed_over_ = pick == Pick{.client = oldest()} ? 0 : passed_over_ + 1;
  ChannelScheduler::served(pick);
}

}  // namespace cutaway::boxes
