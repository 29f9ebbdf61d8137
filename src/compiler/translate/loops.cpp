#include <algorithm>
#include <bit>
#include <spirv/unified1/spirv.hpp>
#include <unordered_set>

#include "compiler/translate/flow.h"

// Switches and loops; flow.cpp has the general scheme.
namespace cutaway::compiler {

// The cases of the innermost switch that control goes on into from another one.
std::unordered_set<uint32_t> Flow::falls_into(uint32_t start, uint32_t merge) {
  std::vector<uint32_t> stack = {start};
  std::unordered_set<uint32_t> seen, cases;
  while (!stack.empty()) {
    const uint32_t label = stack.back();
    stack.pop_back();
    if (!seen.insert(label).second) continue;
    work();
    uint32_t frame = 0;
    const Jump jump = classify(label, merge, frame);
    if (label != start && jump == Jump::kNextCase && frame == frames_.size() - 1) cases.insert(label);
    if (label != start && jump != Jump::kStraight) continue;
    for (uint32_t next : successors(m_, block(label).body.back())) stack.push_back(next);
  }
  return cases;
}

// The targets of an OpSwitch in its order, each once, with the literals that choose it.
std::vector<Flow::SwitchTarget> Flow::switch_targets(const Word& word) const {
  std::vector<SwitchTarget> targets;
  std::unordered_map<uint32_t, size_t> place;
  const auto at = [&](uint32_t label) -> SwitchTarget& {
    const auto [found, added] = place.try_emplace(label, targets.size());
    return added ? targets.emplace_back(SwitchTarget{label, {}}) : targets[found->second];
  };
  for (const Case& one : cases(word)) at(one.target).literals.push_back(one.literal);
  at(arg(word, 1));
  return targets;
}

// Opens the frame of a switch.
void Flow::push_switch(const std::vector<SwitchTarget>& targets, uint32_t merge) {
  Frame frame;
  frame.kind = FrameKind::kSwitch;
  frame.merge = merge;
  frame.active = b.new_slots(1);
  for (const SwitchTarget& target : targets)
    if (target.label != merge) frame.falls_to[target.label] = b.new_slots(1);
  push(std::move(frame));
}

// The default comes where it falls from or to: right before the case that it goes on into, or right after the
// one that goes on into it. Returns false if a case goes on into one before it all the same: compilers of
// 2017 to 2020 wrote the cases in any order.
bool Flow::in_order(std::vector<SwitchTarget>& targets, uint32_t fallback, uint32_t merge) {
  std::unordered_map<uint32_t, std::unordered_set<uint32_t>> into;
  for (const SwitchTarget& target : targets)
    if (target.label != merge) into[target.label] = falls_into(target.label, merge);
  const auto own = std::ranges::find(targets, fallback, &SwitchTarget::label);
  if (fallback != merge && own->literals.empty()) {
    targets.erase(own);
    const auto falls = [&](uint32_t from, uint32_t to) { return into[from].contains(to); };
    auto place =
        std::ranges::find_if(targets, [&](const SwitchTarget& t) { return falls(fallback, t.label); });
    for (auto t = targets.begin(); t != targets.end() && place == targets.end(); ++t)
      if (t->label != merge && falls(t->label, fallback)) place = t + 1;
    targets.insert(place, SwitchTarget{fallback, {}});
  }
  std::unordered_set<uint32_t> before;
  for (const SwitchTarget& target : targets) {
    before.insert(target.label);
    for (const uint32_t next : into[target.label]) {
      if (before.contains(next)) return false;
      if (!frames_.back().fallen_into.insert(next).second) continue;
      b.write(frames_.back().falls_to.at(next), literal(0));  // no lane falls into it yet
    }
  }
  return true;
}

// The lanes whose selector has one of these values.
Lanes Flow::equals_one(const Word& word, const std::vector<std::array<uint32_t, 2>>& literals) {
  const Lanes selector = get(arg(word, 0));
  const uint32_t bits = scalar_of(arg(word, 0)).bits;
  Lanes any = {literal(0)};
  for (const std::array<uint32_t, 2>& value : literals) {
    const uint32_t low = bits < 32 ? value[0] & ((1u << bits) - 1) : value[0];
    Lanes equal = b.op2(Opcode::kIeq, {selector[0]}, {literal(low)});
    if (selector.size() == 2)
      equal = b.op2(Opcode::kAnd, equal, b.op2(Opcode::kIeq, {selector[1]}, {literal(value[1])}));
    any = b.op2(Opcode::kOr, any, equal);
  }
  return any;
}

// Conditions of few targets are computed together, so that they share instructions; conditions of many where
// they are used, so that they need not be kept.
Flow::SwitchConditions::SwitchConditions(Flow& flow, const Word& word,
                                         const std::vector<SwitchTarget>& targets)
    : flow_(flow), word_(word), targets_(targets) {
  constexpr size_t kFew = 64;
  const uint32_t fallback = arg(word, 1);
  // The default's needs all others.
  const bool last = targets.back().label == fallback && targets.back().literals.empty();
  for (size_t i = 0; (targets.size() <= kFew || !last) && i < targets.size(); ++i) {
    known_.push_back(flow_.equals_one(word, targets[i].literals));
    if (targets[i].label != fallback) any_ = flow_.b.op2(Opcode::kOr, any_, known_[i]);
  }
}

Lanes Flow::SwitchConditions::of(size_t index) {
  if (targets_[index].label == arg(word_, 1)) return flow_.b.logical_not(any_);
  if (!known_.empty()) return known_[index];
  const Lanes chosen = flow_.equals_one(word_, targets_[index].literals);
  any_ = flow_.b.op2(Opcode::kOr, any_, chosen);
  return chosen;
}

// Gives the phis of a target the values that they have on the selector's edge, where that is taken.
void Flow::chosen_edge(uint32_t label, uint32_t target, const Lanes& chosen) {
  if (!phis_.any(target)) return;
  b.begin_if(chosen[0]);
  phis_.edge(label, target);
  b.end_if();
}

// A case of the innermost switch, for lanes that choose it or fall into it.
Flow::Outcome Flow::switch_case(uint32_t label, uint32_t target, uint32_t merge, const Lanes& chosen) {
  const Frame& frame = frames_.back();
  const Ref fell = frame.fallen_into.contains(target) ? b.read(frame.falls_to.at(target)) : literal(0);
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
  if (merge == 0 || block(label).loop || b.nesting() >= kMaxNesting) return flat(label, word, natural);
  std::vector<SwitchTarget> targets = switch_targets(word);
  push_switch(targets, merge);
  if (!in_order(targets, fallback, merge)) {
    frames_.pop_back();
    return flat(label, word, natural);
  }
  SwitchConditions conditions(*this, word, targets);
  Outcome all;
  for (size_t i = 0; i < targets.size(); ++i) {
    const uint32_t target = targets[i].label;
    const Lanes chosen = conditions.of(i);
    if (target == merge) {  // goes straight to the end; the merge block's phis want their values
      chosen_edge(label, merge, chosen);
      all.falls = true;
      continue;
    }
    const Outcome outcome = switch_case(label, target, merge, chosen);
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
  frames_.back().continuing = true;
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
  constexpr size_t kMostCopied = 3 << 20;  // instructions and blocks
  if (unrolling_ >= 2) return false;
  // A try copies the state: a program of many loops gets tries while they are cheap.
  unroll_cost_ += b.ir.insts.size() + b.ir.blocks.size();
  if (unroll_cost_ > kMostCopied) return false;
  const Label& header = block(label);
  Translation::State before = t_.state();
  const std::vector<Frame> frames = frames_;
  const Phis::Slots phi_slots = phis_.slots();
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
        header.continues != label) {
      frames_.back().continuing = true;
      outcome = region(header.continues, label);
      frames_.back().continuing = false;
    }
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
  phis_.restore(phi_slots);
  depth_ = depth;
  calls_ = calls;
  return false;
}

}  // namespace cutaway::compiler
