#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/counter.h"
#include "engine/domain.h"

namespace cutaway::engine {

// All counters every so many cycles of a domain, a dense column for each: totals since the beginning.
class Sampler {
 public:
  Sampler(const Domain& domain, Cycle interval, const CounterTable& counters);

  const Domain& domain() const { return domain_; }
  Cycle interval() const { return interval_; }
  const std::vector<std::string>& names() const { return names_; }  // of the columns, in order
  const std::vector<Cycle>& cycles() const { return cycles_; }      // of the rows
  const std::vector<uint64_t>& column(size_t index) const { return columns_[index]; }
  // What was counted in the interval that ends with this row.
  uint64_t delta(size_t column, size_t row) const {
    return columns_[column][row] - (row ? columns_[column][row - 1] : first_[column]);
  }

 private:
  friend class Simulator;
  bool due() const { return domain_.now() >= next_; }
  void sample();

  const Domain& domain_;
  Cycle interval_, next_;
  std::vector<std::string> names_;
  std::vector<const uint64_t*> values_;
  std::vector<uint64_t> first_;  // values when sampling began
  std::vector<Cycle> cycles_;
  std::vector<std::vector<uint64_t>> columns_;
};

}  // namespace cutaway::engine
