#pragma once

#include "compiler/translate/part.h"

namespace cutaway::compiler {

// Instructions between the invocations of a subgroup. A subgroup is one invocation.
class Subgroups final : Part {
 public:
  explicit Subgroups(Translation& t) : Part(t) {}

  // Translates an instruction and defines its result. False: it is none of these.
  bool translate(const Word& word);

 private:
  Lanes compute(const Word& word);  // empty: it is none of these
  Lanes ballot(const Lanes& predicate);
  Lanes scan(const Word& word);
  Lanes bit_count(const Word& word);
};

}  // namespace cutaway::compiler
