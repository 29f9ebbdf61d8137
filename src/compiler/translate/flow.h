#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compiler/translate/part.h"
#include "compiler/translate/phis.h"

namespace cutaway::compiler {

// Translates the instructions of a block that are not control flow.
class Instructions {
 public:
  virtual void instruction(const Word& word) = 0;

 protected:
  ~Instructions() = default;
};

// Turns SPIR-V's structured control flow into nested IF and LOOP; functions are inlined. A region is
// translated from its first block to its natural end: the merge block of the enclosing selection, the
// continue target of the enclosing loop, or the function's return. Any other jump leaves a frame early. From
// a loop it becomes BRK or CONT. There is no such instruction for a switch or a function: the lanes clear a
// flag, and the code up to the frame's end runs under IF flag. If possible, that code moves into the other
// arm instead and needs no flag.
//
// A region that is nested too deeply for this, or that is not structured, becomes flat: its blocks follow one
// another, each under IF with a flag of its own that says which lanes enter it.
class Flow final : Part {
 public:
  Flow(Translation& t, Instructions& instructions)
      : Part(t), instructions_(instructions), blocks_(t.module), phis_(t, blocks_) {}

  void run();  // the entry point
  Lanes call(uint32_t function, const std::vector<Value>& arguments);

 private:
  // Constructs that control flow can leave early.
  enum class FrameKind : uint8_t { kFunction, kSwitch, kLoop, kUnrolled, kFlat };
  struct Frame {
    FrameKind kind = FrameKind::kFunction;
    uint32_t merge = 0, continues = 0;
    bool continuing = false;               // loop: behind its continue target
    uint32_t active = kNone;               // slot: all ones while lanes are inside
    uint32_t result = kNone, results = 0;  // function: slots of its return value
    uint64_t pending = 0;                  // loop: outer frames that lanes inside it leave
    uint32_t nesting = 0;                  // unrolled: the builder's nesting depth at its start
    bool broke = false;                    // unrolled: the last iteration left the loop
    // Switch: case label → slot of the lanes that fall into it; flat region: block → lanes that enter it.
    std::unordered_map<uint32_t, uint32_t> falls_to;
    std::unordered_set<uint32_t> fallen_into;  // switch: cases that others go on into
  };
  // Exits of a region: to its natural end, or past it (one bit per frame).
  struct Outcome {
    bool falls = false;
    uint64_t exits = 0;
  };
  // IF and LOOP that are open where a region becomes flat: loops within it need more (isa::kFlowDepth).
  static constexpr uint32_t kMaxNesting = 32;
  static constexpr uint64_t kKilled = uint64_t{1} << 63;  // in Frame::pending: lanes that OpKill ended
  struct Scan {
    bool falls = false, leaves = false;
  };
  enum class Jump : uint8_t { kNatural, kStraight, kBreak, kContinue, kSwitchEnd, kNextCase, kNextBlock };

  // flow.cpp
  Outcome region(uint32_t label, uint32_t natural, bool header = false);
  Outcome branch(uint32_t from, uint32_t target, uint32_t natural, uint32_t& next);
  Outcome jump(uint32_t target, uint32_t natural, uint32_t& next);
  Outcome conditional(uint32_t label, const Word& word, uint32_t natural, uint32_t& next);
  bool conditional_exit(uint32_t from, const Ref& condition, uint32_t target, uint32_t natural);
  Outcome arm(uint32_t from, uint32_t target, uint32_t natural);
  Outcome rest(uint32_t merge, uint32_t natural, uint64_t exits, uint32_t& next);
  void check_kill(const Word& word) const;
  Outcome terminate(bool kill);
  Outcome leave_function(const Word& word, uint32_t natural);
  void push(Frame frame);
  const Label& block(uint32_t label) const;
  Jump classify(uint32_t target, uint32_t natural, uint32_t& frame) const;
  Scan scan(uint32_t start, uint32_t merge, uint32_t natural) const;
  // The literals of an OpSwitch and their target.
  struct Case {
    std::array<uint32_t, 2> literal;
    uint32_t target;
  };
  std::vector<Case> cases(const Word& word) const;
  bool in_loop(uint32_t frame) const;  // true if a real loop is open within that frame
  // loops.cpp
  struct SwitchTarget {
    uint32_t label;
    std::vector<std::array<uint32_t, 2>> literals;  // that choose it
  };
  Outcome switch_(uint32_t label, const Word& word, uint32_t natural, uint32_t& next);
  std::vector<SwitchTarget> switch_targets(const Word& word) const;
  void push_switch(const std::vector<SwitchTarget>& targets, uint32_t merge);
  bool in_order(std::vector<SwitchTarget>& targets, uint32_t fallback, uint32_t merge);
  Lanes equals_one(const Word& word, const std::vector<std::array<uint32_t, 2>>& literals);
  // For each target of a switch the lanes that choose it. They must not depend on what the cases do: ask for
  // them outside of these, in the order of the targets.
  class SwitchConditions {
   public:
    SwitchConditions(Flow& flow, const Word& word, const std::vector<SwitchTarget>& targets);
    Lanes of(size_t index);

   private:
    Flow& flow_;
    const Word& word_;
    const std::vector<SwitchTarget>& targets_;
    std::vector<Lanes> known_;
    Lanes any_ = {literal(0)};  // that choose another target than the default
  };
  Outcome switch_case(uint32_t label, uint32_t target, uint32_t merge, const Lanes& chosen);
  void chosen_edge(uint32_t label, uint32_t target, const Lanes& chosen);
  std::unordered_set<uint32_t> falls_into(uint32_t start, uint32_t merge);
  Outcome loop(uint32_t label, uint32_t natural, uint32_t& next);
  bool unroll(uint32_t label);

  // flat.cpp
  Outcome flat(uint32_t label, const Word& end, uint32_t natural);
  Outcome flat_end(uint32_t label, const Word& end, uint32_t natural);
  Outcome flat_conditional(uint32_t label, const Word& end, uint32_t natural);
  Outcome flat_switch(uint32_t label, const Word& end, uint32_t natural);
  Outcome flat_arms(uint32_t label, const Lanes& condition, uint32_t yes, uint32_t no, uint32_t natural);
  Outcome go(uint32_t from, uint32_t target, uint32_t natural);
  void enter(uint32_t from, uint32_t target, const Lanes& condition);
  bool is_flag_alone(uint32_t from, uint32_t target);
  void prepare(uint32_t label, bool is_start);
  bool is_flat() const { return !frames_.empty() && frames_.back().kind == FrameKind::kFlat; }

  Instructions& instructions_;
  BlockOrder blocks_;
  Phis phis_;
  struct FlatRegion {
    BlockOrder::Region blocks;
    std::unordered_set<uint32_t> prepared = {};  // blocks whose flags have been written
  };
  std::vector<FlatRegion> regions_;  // of the open flat frames
  std::vector<Frame> frames_;
  uint32_t alive_ = kNone;  // slot: all ones until OpKill
  uint32_t depth_ = 0, calls_ = 0;
  bool unrolling_failed_ = false;
  uint32_t unrolling_ = 0;
  size_t unroll_cost_ = 0;  // instructions and blocks copied for tries to lay a loop out
};

}  // namespace cutaway::compiler
