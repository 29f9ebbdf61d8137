#pragma once

#include <set>
#include <string>
#include <vector>

#include "experiment/experiment_file.h"

namespace cutaway::experiment {

enum class Verdict : uint8_t {
  kHolds,   // every value lies within the claim's bounds
  kInPart,  // some do, or all or some lie within its wider bounds
  kNot,     // none does
  kUntold,  // some could not be measured, or a sign that the claim needs is not there
};
const char* verdict_text(Verdict verdict);  // "holds", "in part", "does not hold", "cannot be told"

// A value that the formula of a claim took.
struct ClaimValue {
  std::string at;  // the labels of the axes that the formula leaves open; empty: it leaves none
  double value = 0;
  bool within = false, within_part = false;  // the bounds; the wider ones
  std::set<size_t> configurations;           // whose numbers it is made of, by index
};

struct Judgement {
  const Claim* claim = nullptr;
  Verdict verdict = Verdict::kUntold;
  std::vector<ClaimValue> values;
  std::string missing;  // a sign, where that is why it cannot be told: "`a - b` must be above 0, and is -4"
  size_t telling = 0;   // the value that lies farthest outside the bounds; where none does: nearest to one
};

Judgement judge(const Claim& claim, const Table& table);

// "1.8 to 2.2", "at most 8 %"
std::string bounds_text(const Claim& claim);
std::string value_text(const Claim& claim, double value);

}  // namespace cutaway::experiment
