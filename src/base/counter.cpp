#include "base/counter.h"

#include <algorithm>

#include "base/error.h"
#include "base/hash.h"

namespace cutaway {

namespace {
bool before(const Counter& counter, const std::string& name) { return counter.full_name() < name; }
}  // namespace

void CounterTable::add(Counter counter) {
  const std::string name = counter.full_name();
  const auto at = std::lower_bound(counters_.begin(), counters_.end(), name, before);
  CUTAWAY_CHECK(at == counters_.end() || at->full_name() != name, "two counters are named {}", name);
  counters_.insert(at, std::move(counter));
}

const Counter* CounterTable::find(const std::string& full_name) const {
  const auto at = std::lower_bound(counters_.begin(), counters_.end(), full_name, before);
  return at != counters_.end() && at->full_name() == full_name ? &*at : nullptr;
}

uint64_t CounterTable::hash() const {
  uint64_t hash = 0;
  for (const Counter& counter : counters_) {
    const std::string name = counter.full_name();
    hash = hash_bytes(name.data(), name.size(), hash);
    hash = hash_bytes(counter.value, sizeof(uint64_t), hash);
  }
  return hash;
}

}  // namespace cutaway
