#pragma once

#include <cstdint>

#include "base/policy.h"

namespace cutaway::structures {

// Chooses which line of a set a cache gives up. Each policy is a file of this folder.
//
// The cache fills ways that hold nothing before it asks. It asks again in every cycle in which an access
// stalls, and idle cycles are skipped: victim() changes nothing, and a policy learns from the other three
// alone.
class Replacement {
 public:
  virtual ~Replacement() = default;

  // The way of the set to give up: one of `candidates`, bit per way, of which there is at least one. The
  // others are pinned or wait for memory.
  virtual uint32_t victim(uint32_t set, uint64_t candidates) const = 0;
  // The line in a way, which victim() named, is given up. filled() follows.
  virtual void evicted(uint32_t /*set*/, uint32_t /*way*/) {}
  // A way has a new line.
  virtual void filled(uint32_t set, uint32_t way) = 0;
  // An access found its line in a way.
  virtual void used(uint32_t set, uint32_t way) = 0;
};

// Ways of a set, at most: a bit of `candidates` each.
constexpr uint32_t kMostWays = 64;

// Policies are made with the number of sets and of the ways of a set.
struct ReplacementPolicies : PolicyFamily<ReplacementPolicies, Replacement, uint32_t, uint32_t> {};
using ReplacementName = PolicyName<ReplacementPolicies>;
// The meaning of every parameter that names a policy.
constexpr const char* kReplacementMeaning =
    "victim line of a set: fifo, the first that came in; lru, the least recently used; pseudo-lru, about "
    "that one, by a tree of bits; random, any; rrip, one with a distant predicted re-reference";

}  // namespace cutaway::structures
