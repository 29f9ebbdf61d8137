#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "compiler/translate/flow.h"

// Flat regions; flow.cpp has the general scheme.
namespace cutaway::compiler {

// Translates what lies between the end of a block and `natural`.
Flow::Outcome Flow::flat(uint32_t label, const Word& end, uint32_t natural) {
  FlatRegion flat{blocks_.behind(label, [this, natural](uint32_t target) {
    uint32_t frame = 0;
    const Jump jump = classify(target, natural, frame);
    return jump == Jump::kStraight || (jump == Jump::kNextBlock && frame == frames_.size() - 1);
  })};
  const std::vector<uint32_t> order = flat.blocks.order;
  work(static_cast<uint32_t>(order.size()));
  Frame frame;
  frame.kind = FrameKind::kFlat;
  for (const uint32_t block : order) frame.falls_to[block] = b.new_slots(1);
  push(std::move(frame));
  regions_.push_back(std::move(flat));
  prepare(label, true);
  Outcome all = flat_end(label, end, natural);
  for (const uint32_t block : order) {
    if (!b.reachable() || unrolling_failed_) break;
    const Ref enters = b.read(frames_.back().falls_to.at(block));
    const bool always = enters.is_literal() && enters.index != 0;
    if (!always && (enters.is_literal() || enters.is_undef())) continue;
    prepare(block, false);
    if (!always) b.begin_if(enters);
    const Outcome outcome = region(block, natural);
    if (!always) b.end_if();
    all.falls |= outcome.falls;
    all.exits |= outcome.exits;
  }
  regions_.pop_back();
  frames_.pop_back();
  return all;
}

// Clears the flags of the blocks that a block is the first to lead to. Right before it, so that their values
// need not pass the whole region.
void Flow::prepare(uint32_t label, bool is_start) {
  FlatRegion& region = regions_.back();
  for (const uint32_t target : blocks_.targets(label, is_start)) {
    const uint32_t to = blocks_.way(region.blocks, label, target).to;
    const auto slot = frames_.back().falls_to.find(to);
    if (slot != frames_.back().falls_to.end() && region.prepared.insert(to).second)
      b.write(slot->second, literal(0));
  }
}

Flow::Outcome Flow::flat_end(uint32_t label, const Word& end, uint32_t natural) {
  return end.op == spv::OpSwitch ? flat_switch(label, end, natural) : flat_conditional(label, end, natural);
}

// Goes on at a target with all lanes. Blocks on the way that hold phis only are passed.
Flow::Outcome Flow::go(uint32_t from, uint32_t target, uint32_t natural) {
  const BlockOrder::Way way = blocks_.way(regions_.back().blocks, from, target);
  phis_.edge(way.from, way.to, phis_.passed_on(way, from));
  uint32_t next = 0;
  const Outcome outcome = jump(way.to, natural, next);
  return next ? region(next, natural) : outcome;
}

// True if lanes that jump to a target need no more than the flag of the block where they arrive.
bool Flow::is_flag_alone(uint32_t from, uint32_t target) {
  const BlockOrder::Way way = blocks_.way(regions_.back().blocks, from, target);
  return way.through.empty() && frames_.back().falls_to.contains(way.to) && !phis_.any(way.to);
}

// Sets the flag of the block that a jump leads to in the lanes of `condition`.
void Flow::enter(uint32_t from, uint32_t target, const Lanes& condition) {
  const uint32_t slot = frames_.back().falls_to.at(blocks_.way(regions_.back().blocks, from, target).to);
  b.write(slot, b.op2(Opcode::kOr, {b.read(slot)}, condition)[0]);
}

Flow::Outcome Flow::flat_conditional(uint32_t label, const Word& end, uint32_t natural) {
  const Lanes condition = get(arg(end, 0));
  if (condition.size() != 1) invalid(end, "needs a scalar condition");
  const uint32_t yes = arg(end, 1), no = arg(end, 2);
  if (yes == no) return go(label, yes, natural);
  if (condition[0].is_literal()) return go(label, condition[0].index ? yes : no, natural);
  return flat_arms(label, condition, yes, no, natural);
}

Flow::Outcome Flow::flat_arms(uint32_t label, const Lanes& condition, uint32_t yes, uint32_t no,
                              uint32_t natural) {
  const bool yes_alone = is_flag_alone(label, yes), no_alone = is_flag_alone(label, no);
  if (yes_alone) enter(label, yes, condition);
  if (no_alone) enter(label, no, b.logical_not(condition));
  if (yes_alone && no_alone) return {};
  const uint32_t other = yes_alone ? no : yes;
  const Lanes taken = yes_alone ? b.logical_not(condition) : condition;
  if (yes_alone || no_alone) {
    if (conditional_exit(label, taken[0], other, natural)) return {};
    b.begin_if(taken[0]);
    const Outcome outcome = go(label, other, natural);
    b.end_if();
    return outcome;
  }
  if (conditional_exit(label, condition[0], yes, natural)) return go(label, no, natural);
  b.begin_if(condition[0]);
  const Outcome a = go(label, yes, natural);
  b.begin_else();
  const Outcome c = go(label, no, natural);
  b.end_if();
  return {a.falls || c.falls, a.exits | c.exits};
}

Flow::Outcome Flow::flat_switch(uint32_t label, const Word& end, uint32_t natural) {
  if (get(arg(end, 0)).size() != (m_.wide_switches.contains(end.number) ? 2 : 1))
    invalid(end, "needs a scalar selector");
  const std::vector<SwitchTarget> targets = switch_targets(end);
  SwitchConditions conditions(*this, end, targets);
  Outcome all;
  for (size_t i = 0; i < targets.size() && b.reachable(); ++i) {
    const uint32_t target = targets[i].label;
    const Lanes chosen = conditions.of(i);
    if (chosen[0].is_literal() && chosen[0].index == 0) continue;
    if (is_flag_alone(label, target)) {
      enter(label, target, chosen);
      continue;
    }
    b.begin_if(chosen[0]);
    const Outcome outcome = go(label, target, natural);
    b.end_if();
    all.falls |= outcome.falls;
    all.exits |= outcome.exits;
  }
  return all;
}

}  // namespace cutaway::compiler
