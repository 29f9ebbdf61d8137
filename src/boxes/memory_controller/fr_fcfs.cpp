#include "boxes/memory_controller/fr_fcfs.h"

#include <algorithm>
#include <tuple>

namespace cutaway::boxes {

const ChannelSchedulers::Member<FrFcfs> kFrFcfs("fr-fcfs");

namespace {

// True if two transactions of a client are never reordered.
bool keep_order(const ChannelScheduler::Waiting& a, const ChannelScheduler::Waiting& b) {
  return a.block == b.block || a.alone || b.alone;
}

}  // namespace

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

void FrFcfs::arrived(unsigned client, const Waiting& transaction) {
  ChannelScheduler::arrived(client, transaction);
  auto& waits = queue(client);
  for (uint32_t i = 0; i + 1 < waits.size(); i++) waits.back().behind += keep_order(waits[i], waits.back());
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
      if (waits[i].behind) continue;
      const auto [open, begin] = dram_.timing(now, waits[i].address, waits[i].write);
      const Rank rank{!open, begin, waits[i].arrived};
      if (rank < least) best = {client, i}, least = rank;
    }
  });
  return best;
}

void FrFcfs::served(const Pick& pick) {
  passed_over_ = pick == Pick{.client = oldest()} ? 0 : passed_over_ + 1;
  auto& waits = queue(pick.client);
  for (uint32_t i = pick.position + 1; i < waits.size(); i++)
    waits[i].behind -= keep_order(waits[pick.position], waits[i]);
  ChannelScheduler::served(pick);
}

}  // namespace cutaway::boxes
