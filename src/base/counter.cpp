#include "base/counter.h"

#include <algorithm>

#include "base/error.h"
#include "base/hash.h"

namespace cutaway {

namespace {
bool before(const Counter& counter, const std::string& name) { return counter.full_name() < name; }
}  // namespace

const char* name_of(CounterRole role) {
  switch (role) {
    case CounterRole::kNone:
      return "none";
    case CounterRole::kDraws:
      return "draws";
    case CounterRole::kDrawCycles:
      return "cycles of draws";
    case CounterRole::kVerticesShaded:
      return "vertices shaded";
    case CounterRole::kVerticesReused:
      return "vertices reused";
    case CounterRole::kPrimitives:
      return "primitives";
    case CounterRole::kFragmentsGenerated:
      return "fragments generated";
    case CounterRole::kFragmentsKilledHz:
      return "fragments killed by hierarchical Z";
    case CounterRole::kFragmentsKilledEarlyZ:
      return "fragments killed before shading";
    case CounterRole::kFragmentsKilledShader:
      return "fragments killed by their program";
    case CounterRole::kFragmentsKilledLateZ:
      return "fragments killed after shading";
    case CounterRole::kFragmentsWritten:
      return "fragments written";
    case CounterRole::kInstructions:
      return "instructions";
    case CounterRole::kCacheHits:
      return "cache hits";
    case CounterRole::kCacheMisses:
      return "cache misses";
  }
  CUTAWAY_CHECK(false, "no role of counters has the number {}", static_cast<unsigned>(role));
}

void CounterTable::add(Counter counter) {
  const std::string name = counter.full_name();
  const auto at = std::lower_bound(counters_.begin(), counters_.end(), name, before);
  CUTAWAY_CHECK(at == counters_.end() || at->full_name() != name, "two counters are named {}", name);
  counters_.insert(at, std::move(counter));
}

uint64_t CounterTable::value(const std::string& full_name) const {
  const auto at = std::lower_bound(counters_.begin(), counters_.end(), full_name, before);
  CUTAWAY_CHECK(at != counters_.end() && at->full_name() == full_name, "no counter is named {}", full_name);
  return *at->value;
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
