#pragma once

#include "compiler/translate/part.h"

namespace cutaway::compiler {

// Who translates the instructions of a block that are no control flow.
class Instructions {
 public:
  virtual void instruction(const Word& word) = 0;

 protected:
  ~Instructions() = default;
};

// SPIR-V's structured control flow becomes nested IF and LOOP; functions are laid out where they are called.
// A region is translated from its first block until its natural end: the merge block of the selection around
// it, the continue target of the loop around it, or the function's return. Whatever goes elsewhere leaves a
// frame early. From a loop that is BRK or CONT. From a switch or a function there is no such instruction: the
// lanes clear a flag, and what still stands before the frame's end runs under IF flag; where possible it
// moves into the other arm instead and no flag is needed.
class Flow final : Part {
 public:
  Flow(Translation& t, Instructions& instructions) : Part(t), instructions_(instructions) {}

  void run();  // the entry point
  Lanes call(uint32_t function, const std::vector<Value>& arguments);

 private:
  // Constructs that control can leave early.
  enum class FrameKind : uint8_t { kFunction, kSwitch, kLoop, kUnrolled };
  struct Frame {
    FrameKind kind = FrameKind::kFunction;
    uint32_t merge = 0, continues = 0;
    uint32_t active = kNone;                          // slot: all ones while lanes are inside
    uint32_t result = kNone;                          // function: slots of its return value
    uint64_t pending = 0;                             // loop: outer frames that lanes inside leave through it
    uint32_t nesting = 0;                             // unrolled: of the builder at its start
    bool broke = false;                               // unrolled: the last iteration left it
    std::unordered_map<uint32_t, uint32_t> falls_to;  // switch: case label → slot
  };
  // How control leaves a region: on to its natural end, or past it (bit per frame).
  struct Outcome {
    bool falls = false;
    uint64_t exits = 0;
  };
  static constexpr uint64_t kKilled = uint64_t{1} << 63;  // in Frame::pending: lanes that OpKill ended
  struct Scan {
    bool falls = false, leaves = false;
  };
  enum class Jump : uint8_t { kNatural, kStraight, kBreak, kContinue, kSwitchEnd, kNextCase };

  // flow.cpp
  Outcome region(uint32_t label, uint32_t natural, bool header = false);
  void define_phis(const Label& block);
  Outcome branch(uint32_t from, uint32_t target, uint32_t natural, uint32_t& next);
  Outcome conditional(uint32_t label, const Word& word, uint32_t natural, uint32_t& next);
  bool conditional_exit(uint32_t from, const Ref& condition, uint32_t target, uint32_t natural);
  Outcome arm(uint32_t from, uint32_t target, uint32_t natural);
  Outcome rest(uint32_t merge, uint32_t natural, uint64_t exits, uint32_t& next);
  Outcome terminate(bool kill);
  Outcome leave_function(const Word& word, uint32_t natural);
  void push(Frame frame);
  void edge(uint32_t from, uint32_t to);
  bool has_phis(uint32_t label) const;
  const Label& block(uint32_t label) const;
  Jump classify(uint32_t target, uint32_t natural, uint32_t& frame) const;
  Scan scan(uint32_t start, uint32_t merge, uint32_t natural) const;
  // The literals of an OpSwitch, and where they lead.
  struct Case {
    std::array<uint32_t, 2> literal;
    uint32_t target;
  };
  std::vector<Case> cases(const Word& word) const;
  std::vector<uint32_t> successors(const Word& end) const;
  bool in_loop(uint32_t frame) const;  // a real loop is open within that frame
  // loops.cpp
  struct SwitchTarget {
    uint32_t label;
    std::vector<std::array<uint32_t, 2>> literals;  // that choose it
  };
  Outcome switch_(uint32_t label, const Word& word, uint32_t natural, uint32_t& next);
  std::vector<SwitchTarget> switch_targets(const Word& word) const;
  void push_switch(const std::vector<SwitchTarget>& targets, uint32_t merge);
  void place_default(std::vector<SwitchTarget>& targets, uint32_t fallback, uint32_t merge) const;
  std::vector<Lanes> switch_conditions(const Word& word, const std::vector<SwitchTarget>& targets,
                                       Lanes& any);
  Outcome switch_case(uint32_t label, uint32_t target, uint32_t merge, const Lanes& chosen);
  void chosen_edge(uint32_t label, uint32_t target, const Lanes& chosen);
  uint32_t falls_into(uint32_t start, uint32_t merge) const;
  Outcome loop(uint32_t label, uint32_t natural, uint32_t& next);
  bool unroll(uint32_t label);

  Instructions& instructions_;
  std::unordered_map<uint32_t, uint32_t> phi_slots_;  // OpPhi → first slot
  std::vector<Frame> frames_;
  uint32_t alive_ = kNone;  // slot: all ones until OpKill
  uint32_t depth_ = 0, calls_ = 0;
  bool unrolling_failed_ = false;
  uint32_t unrolling_ = 0;
};

}  // namespace cutaway::compiler
