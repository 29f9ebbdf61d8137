#pragma once

#include "compiler/translate/inputs.h"

namespace cutaway::compiler {

// Instructions between the invocations of a subgroup. In fragment and compute programs it is a quad of lanes;
// elsewhere it has the same size, but only one invocation runs.
class Subgroups final : Part {
 public:
  Subgroups(Translation& t, Inputs& inputs) : Part(t), inputs_(inputs) {}

  // Translates an instruction and defines its result. Returns false for other instructions.
  bool translate(const Word& word);

 private:
  bool compute(const Word& word, Lanes& result);
  bool ballot(const Word& word, Lanes& result);
  Ref lane() { return inputs_.subgroup_lane(); }
  Ref vote(const Ref& predicate);  // one bit per active invocation whose predicate holds
  Ref active() { return vote(literal(~0u)); }
  Lanes read(const Lanes& value, const Ref& from);  // reads another invocation's value
  Ref equals_all(const Ref& votes) { return b.op2(Opcode::kIeq, {votes}, {active()})[0]; }
  Ref is_equal(uint32_t id, const Lanes& value, const Lanes& other);
  Ref members(const Word& word);  // the invocations that a reduction or scan includes
  Lanes reduce(const Word& word);
  Lanes combine(uint32_t op, const Type& scalar, const Lanes& x, const Lanes& y);

  Inputs& inputs_;
};

}  // namespace cutaway::compiler
