#include "engine/sampler.h"

#include <algorithm>

#include "base/error.h"
#include "engine/box.h"
#include "engine/wait_walk.h"
#include "engine/wire.h"

namespace cutaway::engine {

Sampler::Sampler(const Domain& domain, const Options& options, const CounterTable& counters,
                 std::vector<const WireBase*> wires, std::vector<const Box*> boxes)
    : domain_(domain),
      options_(options),
      counters_(counters),
      begin_(domain.now()),
      next_(options.interval ? domain.now() + options.interval : kAsleep),
      next_probe_(options.wires ? domain.now() + kProbe : kAsleep),
      next_walk_(options.walk ? domain.now() + kWalk : kAsleep),
      wires_(std::move(wires)),
      boxes_(std::move(boxes)) {
  if (!options.wires) wires_.clear();
  if (options.walk) list_places();
  for (const Counter& counter : counters.counters()) last_.push_back(*counter.value);
  for (const WireBase* wire : wires_) wire_last_.push_back(wire->sent());
  wire_sum_.resize(wires_.size());
}

void Sampler::list_places() {
  for (uint32_t box = 0; box < boxes_.size(); box++) {
    first_.push_back(static_cast<uint32_t>(places_.size()));
    const auto kinds = std::max<size_t>(1, boxes_[box]->kinds_of_work().size());
    for (uint32_t kind = 0; kind < kinds; kind++) places_.push_back({box, kind, 0});
  }
  places_.push_back({WaitWalk::kNobody, 0, 0});
  walks_.resize(places_.size());
}

void Sampler::probe() {
  next_probe_ = domain_.now() + kProbe;
  probes_++;
  for (size_t i = 0; i < wires_.size(); i++) wire_sum_[i] += wires_[i]->filling();
}

void Sampler::walk() {
  next_walk_ = domain_.now() + kWalk;
  const uint32_t box = options_.walk->find();
  walks_[box == WaitWalk::kNobody ? walks_.size() - 1 : first_[box] + boxes_[box]->kind_of_work()]++;
}

void Sampler::finish() {
  if (domain_.now() > begin_) close();
}

void Sampler::close() {
  if (options_.interval) next_ = domain_.now() + options_.interval;
  begin_ = domain_.now();
  requested_ = false;
  const auto& counters = counters_.counters();
  for (uint32_t i = 0; i < counters.size(); i++) {
    const uint64_t value = *counters[i].value;
    if (value != last_[i]) entries_.push_back({i, value - last_[i]});
    last_[i] = value;
  }
  for (uint32_t i = 0; i < wires_.size(); i++) {
    const uint64_t sent = wires_[i]->sent();
    if (sent != wire_last_[i] || wire_sum_[i])
      wire_entries_.push_back({i, sent - wire_last_[i], wire_sum_[i]});
    wire_last_[i] = sent;
    wire_sum_[i] = 0;
  }
  for (uint32_t i = 0; i < walks_.size(); i++) {
    if (walks_[i]) culprits_.push_back({places_[i].box, places_[i].kind, walks_[i]});
    walks_[i] = 0;
  }
  ends_.push_back({domain_.now(), probes_, entries_.size(), wire_entries_.size(), culprits_.size()});
  probes_ = 0;
}

std::vector<uint64_t> Sampler::column(std::string_view full_name) const {
  const auto& counters = counters_.counters();
  uint32_t index = 0;
  while (index < counters.size() && counters[index].full_name() != full_name) index++;
  CUTAWAY_CHECK(index < counters.size(), "there is no counter {}", full_name);
  std::vector<uint64_t> values(rows());
  for (size_t row = 0; row < rows(); row++)
    for (const Entry& entry : entries(row))
      if (entry.counter == index) values[row] = entry.value;
  return values;
}

void Sampler::clear() {
  entries_.clear();
  wire_entries_.clear();
  culprits_.clear();
  ends_.clear();
}

}  // namespace cutaway::engine
