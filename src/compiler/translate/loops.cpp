#include <algorithm>
#include <bit>
#include <spirv/unified1/spirv.hpp>
#include <unordered_set>

#include "compiler/translate/flow.h"

// Switches and loops; flow.cpp has the general scheme.
namespace cutaway::compiler {

// The case of the innermost switch that control goes on into from another one; 0 if none.
uint32_t Flow::falls_into(uint32_t start, uint32_t merge) const {
  std::vector<uint32_t> stack = {start};
  std::unordered_set<uint32_t> seen;
  while (!stack.empty()) {
    const uint32_t label = stack.back();
    stack.pop_back();
    if (!seen.insert(label).second) continue;
    uint32_t frame = 0;
    const Jump jump = classify(label, merge, frame);
    if (label != start && jump == Jump::kNextCase && frame == frames_.size() - 1) return label;
    if (label != start && jump != Jump::kStraight) continue;
    for (uint32_t next : successors(block(label).body.back())) stack.push_back(next);
  }
  return 0;
}

// The targets of an OpSwitch in its order, each once, with the literals that choose it.
std::vector<Flow::SwitchTarget> Flow::switch_targets(const Word& word) const {
  std::vector<SwitchTarget> targets;
  const auto at = [&](uint32_t label) -> SwitchTarget& {
    const auto same =
        std::find_if(targets.begin(), targets.end(), [&](const SwitchTarget& t) { return t.label == label; });
    return same != targets.end() ? *same : targets.emplace_back(SwitchTarget{label, {}});
  };
  for (const Case& one : cases(word)) at(one.target).literals.push_back(one.literal);
  at(arg(word, 1));
  return targets;
}

// Opens the frame of a switch. No lane falls into a case yet.
void Flow::push_switch(const std::vector<SwitchTarget>& targets, uint32_t merge) {
  Frame frame;
  frame.kind = FrameKind::kSwitch;
  frame.merge = merge;
  frame.active = b.new_slots(1);
  for (const SwitchTarget& target : targets)
    if (target.label != merge) {
      const uint32_t slot = frame.falls_to[target.label] = b.new_slots(1);
      b.write(slot, literal(0));
    }
  push(std::move(frame));
}

// The default comes where it falls from or to: right before the case that it goes on into, or right after the
// one that goes on into it.
void Flow::place_default(std::vector<SwitchTarget>& targets, uint32_t fallback, uint32_t merge) const {
  const auto find = [&](uint32_t label) {
    return std::find_if(targets.begin(), targets.end(),
                        [&](const SwitchTarget& t) { return t.label == label; });
  };
  const auto own = find(fallback);
  if (!own->literals.empty()) return;
  targets.erase(own);
  auto place = find(falls_into(fallback, merge));
  for (auto t = targets.begin(); t != targets.end() && place == targets.end(); ++t)
    if (t->label != merge && falls_into(t->label, merge) == fallback) place = t + 1;
  targets.insert(place, SwitchTarget{fallback, {}});
}

// For each target whether a literal of it is the selector's value. any: whether one of another target than
// the default is.
std::vector<Lanes> Flow::switch_conditions(const Word& word, const std::vector<SwitchTarget>& targets,
                                           Lanes& any) {
  const Lanes selector = get(arg(word, 0));
  const uint32_t bits = scalar_of(arg(word, 0)).bits, fallback = arg(word, 1);
  std::vector<Lanes> chosen;
  any = {literal(0)};
  for (const auto& [label, literals] : targets) {
    Lanes here = {literal(0)};
    for (const std::array<uint32_t, 2>& value : literals) {
      const uint32_t low = bits < 32 ? value[0] & ((1u << bits) - 1) : value[0];
      Lanes equal = b.op2(Opcode::kIeq, {selector[0]}, {literal(low)});
      if (selector.size() == 2)
        equal = b.op2(Opcode::kAnd, equal, b.op2(Opcode::kIeq, {selector[1]}, {literal(value[1])}));
      here = b.op2(Opcode::kOr, here, equal);
    }
    if (label != fallback) any = b.op2(Opcode::kOr, any, here);
    chosen.push_back(here);
  }
  return chosen;
}

// Gives the phis of a target the values that they have on the selector's edge, where that is taken.
void Flow::chosen_edge(uint32_t label, uint32_t target, const Lanes& chosen) {
  if (!has_phis(target)) return;
  b.begin_if(chosen[0]);
  edge(label, target);
  b.end_if();
}

// A case of the innermost switch, for lanes that choose it or fall into it.
Flow::Outcome Flow::switch_case(uint32_t label, uint32_t target, uint32_t merge, const Lanes& chosen) {
  const Frame& frame = frames_.back();
  const Ref fell = b.read(frame.falls_to.at(target));
  const Lanes enter = b.op2(Opcode::kOr, chosen, {fell});
  const bool always = enter[0].is_literal();
  if (always && enter[0].index == 0) return {};
  b.write(frame.active, literal(~0u));
  // The selector's edge first: a case that was fallen into has its phis' values already.
  chosen_edge(label, target, chosen);
  if (!always) b.begin_if(enter[0]);
  Outcome outcome = region(target, merge);
  if (!always) b.end_if();
  outcome.falls |= outcome.exits >> (frames_.size() - 1) & 1;
  return outcome;
}

Flow::Outcome Flow::switch_(uint32_t label, const Word& word, uint32_t natural, uint32_t& next) {
  const uint32_t fallback = arg(word, 1), merge = block(label).merge;
  if (get(arg(word, 0)).size() != (m_.wide_switches.contains(word.number) ? 2 : 1))
    invalid(word, "needs a scalar selector");
  if (merge == 0) invalid(word, "lacks an OpSelectionMerge");
  std::vector<SwitchTarget> targets = switch_targets(word);
  push_switch(targets, merge);
  if (fallback != merge) place_default(targets, fallback, merge);
  // Conditions first: they must not depend on what the cases do.
  Lanes any;
  std::vector<Lanes> chosen = switch_conditions(word, targets, any);
  Outcome all;
  for (size_t i = 0; i < targets.size(); ++i) {
    const uint32_t target = targets[i].label;
    if (target == fallback) chosen[i] = b.logical_not(any);
    if (target == merge) {  // goes straight to the end; the merge block's phis want their values
      chosen_edge(label, merge, chosen[i]);
      all.falls = true;
      continue;
    }
    const Outcome outcome = switch_case(label, target, merge, chosen[i]);
    all.falls |= outcome.falls;
    all.exits |= outcome.exits;
    if (!b.reachable()) break;
  }
  frames_.pop_back();
  all.exits &= (uint64_t{1} << frames_.size()) - 1;
  if (!b.reachable() || !all.falls) return {false, all.exits};
  return rest(merge, natural, all.exits, next);
}

Flow::Outcome Flow::loop(uint32_t label, uint32_t natural, uint32_t& next) {
  const uint32_t merge = block(label).merge, continues = block(label).continues;
  if (unroll(label)) return rest(merge, natural, 0, next);
  Frame frame;
  frame.kind = FrameKind::kLoop;
  frame.merge = merge;
  frame.continues = continues;
  push(frame);
  b.begin_loop();
  region(label, continues, true);
  b.next();
  if (b.reachable() && continues != label) region(continues, label);
  b.end_loop();
  const uint64_t pending = frames_.back().pending;
  frames_.pop_back();
  if (!b.reachable()) return {};
  // Lanes that left more than this loop go on leaving.
  uint64_t exits = 0;
  for (uint64_t left = pending; left; left &= left - 1) {
    const auto f = static_cast<uint32_t>(std::countr_zero(left));
    const bool killed = (uint64_t{1} << f) == kKilled;
    if (in_loop(killed ? 0 : f)) {
      const uint32_t slot = killed ? alive_ : frames_[f].active;
      for (size_t i = frames_.size(); i-- > 0;)
        if (frames_[i].kind == FrameKind::kLoop) {
          frames_[i].pending |= uint64_t{1} << f;
          break;
        }
      b.leave(Opcode::kBreak, b.logical_not({b.read(slot)})[0]);
      if (!b.reachable()) return {};
    } else if (!killed) {
      exits |= uint64_t{1} << f;
    }
  }
  return rest(merge, natural, exits, next);
}

// Lays out a loop whose every test is decided here. Undone when one is not.
bool Flow::unroll(uint32_t label) {
  constexpr uint32_t kIterations = 64, kInstructions = 512;
  if (unrolling_ >= 2) return false;
  const Label& header = block(label);
  work(static_cast<uint32_t>(b.ir.insts.size() + b.ir.blocks.size()));
  Translation::State before = t_.state();
  const std::vector<Frame> frames = frames_;
  const auto phi_slots = phi_slots_;
  const uint32_t depth = depth_, calls = calls_;
  const bool failed = unrolling_failed_;
  unrolling_failed_ = false;
  ++unrolling_;
  Frame frame;
  frame.kind = FrameKind::kUnrolled;
  frame.merge = header.merge;
  frame.continues = header.continues;
  frame.nesting = b.nesting();
  frames_.push_back(frame);
  bool good = frames_.size() < 50;
  const size_t start = b.ir.insts.size();
  for (uint32_t i = 0; good && !frames_.back().broke; ++i) {
    Outcome outcome = region(label, header.continues, true);
    if (!unrolling_failed_ && !frames_.back().broke && outcome.falls && b.reachable() &&
        header.continues != label)
      outcome = region(header.continues, label);
    good = !unrolling_failed_ && b.reachable() && outcome.exits == 0 &&
           (frames_.back().broke || outcome.falls) && i < kIterations &&
           b.ir.insts.size() - start < kInstructions;
  }
  --unrolling_;
  unrolling_failed_ = failed;
  if (good) {
    frames_.pop_back();
    return true;
  }
  frames_ = frames;
  t_.restore(std::move(before));
  phi_slots_ = phi_slots;
  depth_ = depth;
  calls_ = calls;
  return false;
}

}  // namespace cutaway::compiler
