#include "boxes/memory_controller/fr_fcfs.h"

#include <tuple>

namespace cutaway::boxes {

FrFcfs::FrFcfs(unsigned clients, unsigned most, const DramChannel& dram)
    : dram_(dram), fronts_(clients), waiting_(clients), most_(most) {}

void FrFcfs::arrived(unsigned client, const Front& front) {
  fronts_[client] = front;
  front.kind == Front::Kind::kNothing ? waiting_.erase(client) : waiting_.insert(client);
}

unsigned FrFcfs::oldest() const {
  unsigned oldest = waiting_.first();
  waiting_.for_each([&](unsigned client) {
    if (fronts_[client].arrived < fronts_[oldest].arrived) oldest = client;
  });
  return oldest;
}

unsigned FrFcfs::pick(engine::Cycle now) const {
  if (waiting_.size() == 1) return waiting_.first();
  if (passed_over_ >= most_) return oldest();
  using Rank = std::tuple<bool, engine::Cycle, engine::Cycle>;
  unsigned best = waiting_.first();
  Rank least{true, engine::kAsleep, engine::kAsleep};
  waiting_.for_each([&](unsigned client) {
    const Front& front = fronts_[client];
    const auto [open, begin] = dram_.outlook(now, front.address, front.kind == Front::Kind::kWrite);
    const Rank rank{!open, begin, front.arrived};
    if (rank < least) best = client, least = rank;
  });
  return best;
}

void FrFcfs::served(unsigned client, bool, const Front& front) {
  passed_over_ = client == oldest() ? 0 : passed_over_ + 1;
  arrived(client, front);
}

}  // namespace cutaway::boxes
