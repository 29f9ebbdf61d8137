#include "engine/sampler.h"

namespace cutaway::engine {

Sampler::Sampler(const Domain& domain, Cycle interval, const CounterTable& counters)
    : domain_(domain), interval_(interval), next_(domain.now() + interval) {
  for (const Counter& counter : counters.counters()) {
    names_.push_back(counter.full_name());
    values_.push_back(counter.value);
    first_.push_back(*counter.value);
  }
  columns_.resize(names_.size());
}

void Sampler::sample() {
  next_ += interval_;
  cycles_.push_back(domain_.now());
  for (size_t i = 0; i < values_.size(); i++) columns_[i].push_back(*values_[i]);
}

}  // namespace cutaway::engine
