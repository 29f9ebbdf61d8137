#include "compiler/translate/flow.h"

#include <algorithm>
#include <bit>
#include <spirv/unified1/spirv.hpp>
#include <unordered_set>

namespace cutaway::compiler {
namespace {

constexpr uint32_t kMaxDepth = 120;

}  // namespace

const Label& Flow::block(uint32_t label) const { return blocks_.block(label); }

void Flow::run() {
  alive_ = b.new_slots(1);
  b.write(alive_, literal(~0u));
  call(m_.entry, {});
}

// Killing fragments is all that the instruction means; other stages have no fragments.
void Flow::check_kill(const Word& word) const {
  if (request_.stage != arch::Stage::kFragment) invalid(word, "is allowed only in fragment programs");
}

void Flow::push(Frame frame) {
  frames_.push_back(std::move(frame));
  if (frames_.size() > 60) unsupported("control flow is nested more than 60 deep");
}

bool Flow::in_loop(uint32_t frame) const {
  for (size_t i = frame + 1; i < frames_.size(); ++i)
    if (frames_[i].kind == FrameKind::kLoop) return true;
  return false;
}

Flow::Jump Flow::classify(uint32_t target, uint32_t natural, uint32_t& frame) const {
  if (target == natural) return Jump::kNatural;
  for (size_t i = frames_.size(); i-- > 0;) {
    const Frame& f = frames_[i];
    frame = static_cast<uint32_t>(i);
    if (f.kind == FrameKind::kFunction) break;
    if (f.kind == FrameKind::kFlat) {
      if (f.falls_to.contains(target)) return Jump::kNextBlock;
      continue;
    }
    if (f.kind == FrameKind::kSwitch) {
      if (target == f.merge) return Jump::kSwitchEnd;
      if (f.falls_to.contains(target)) return Jump::kNextCase;
      continue;
    }
    if (target == f.merge) return Jump::kBreak;
    if (target == f.continues && f.continuing)
      invalid("control flow comes back to the continue target %{} of its loop", target);
    if (target == f.continues) return Jump::kContinue;
    break;
  }
  return Jump::kStraight;
}

std::vector<Flow::Case> Flow::cases(const Word& word) const {
  const size_t words = m_.wide_switches.contains(word.number) ? 2 : 1;
  std::vector<Case> all;
  for (size_t i = 2; i + words < word.words.size(); i += words + 1) {
    const Case one{{word.words[i], words == 2 ? word.words[i + 1] : 0}, word.words[i + words]};
    all.push_back(one);
  }
  return all;
}

// Determines whether control flow from a block reaches `merge`, and whether it leaves a switch or the
// function.
Flow::Scan Flow::scan(uint32_t start, uint32_t merge, uint32_t natural) const {
  Scan result;
  std::vector<uint32_t> stack = {start};
  std::unordered_set<uint32_t> seen;
  while (!stack.empty()) {
    const uint32_t label = stack.back();
    stack.pop_back();
    if (label == merge) {
      result.falls = true;
      continue;
    }
    if (!seen.insert(label).second) continue;
    uint32_t frame = 0;
    const Jump jump = classify(label, natural, frame);
    if (jump == Jump::kSwitchEnd || jump == Jump::kNextCase || jump == Jump::kNextBlock ||
        jump == Jump::kNatural)
      result.leaves = true;
    if (jump != Jump::kStraight) continue;
    const Word& end = block(label).body.back();
    if (end.op == spv::OpReturn || end.op == spv::OpReturnValue) result.leaves = true;
    for (uint32_t next : successors(m_, end)) stack.push_back(next);
  }
  return result;
}

Lanes Flow::call(uint32_t id, const std::vector<Value>& arguments) {
  const auto found = m_.functions.find(id);
  if (found == m_.functions.end() || found->second.labels.empty()) invalid("%{} is no function", id);
  const Function& function = found->second;
  if (function.parameters.size() != arguments.size() && id != m_.entry)
    invalid("a call does not fit its function's parameters");
  if (++calls_ > 60) unsupported("calls are nested more than 60 deep");
  for (size_t i = 0; i < arguments.size(); ++i) {
    Value parameter = arguments[i];
    parameter.type = function.parameters[i].type;
    values_.alias(function.parameters[i].result, parameter);
  }
  Frame frame;
  frame.active = b.new_slots(1);
  b.write(frame.active, literal(~0u));
  const uint32_t type = function.definition.type;
  const uint32_t components = m_.type(type).components;
  if (components > 4096) unsupported("a function returns {} components", components);
  frame.result = b.new_slots(components);
  frame.results = components;
  push(std::move(frame));
  region(function.labels[0], kReturn);
  frames_.pop_back();
  --calls_;
  Lanes result(components);
  if (b.reachable())
    for (uint32_t i = 0; i < components; ++i) result[i] = b.read(frame.result + i);
  return result;
}

Flow::Outcome Flow::region(uint32_t label, uint32_t natural, bool header) {
  if (++depth_ > kMaxDepth) unsupported("control flow is nested more than {} deep", kMaxDepth);
  Outcome outcome;
  for (uint32_t next = label; next != 0;) {
    label = next;
    next = 0;
    work();
    if (unrolling_failed_) break;
    const Label& current = block(label);
    if (current.loop && !header) {
      outcome = loop(label, natural, next);
      continue;
    }
    header = false;
    phis_.define_all(current);
    for (const Word& word : current.body) {
      switch (word.op) {
        case spv::OpBranch:
          outcome = is_flat() ? go(label, arg(word, 0), natural) : branch(label, arg(word, 0), natural, next);
          break;
        case spv::OpBranchConditional:
          outcome = conditional(label, word, natural, next);
          break;
        case spv::OpSwitch:
          outcome = is_flat() ? flat_switch(label, word, natural) : switch_(label, word, natural, next);
          break;
        case spv::OpReturn:
        case spv::OpReturnValue:
          outcome = leave_function(word, natural);
          break;
        case spv::OpKill:
        case spv::OpTerminateInvocation:
          check_kill(word);
          outcome = terminate(true);
          break;
        case spv::OpUnreachable:
          outcome = terminate(false);
          break;
        default:
          instructions_.instruction(word);
          if (!b.reachable()) {
            --depth_;
            return {};
          }
          continue;
      }
      break;
    }
  }
  --depth_;
  return outcome;
}

Flow::Outcome Flow::leave_function(const Word& word, uint32_t natural) {
  size_t f = frames_.size() - 1;
  while (frames_[f].kind != FrameKind::kFunction) --f;
  if (word.op == spv::OpReturnValue) {
    const Lanes lanes = get(arg(word, 0));
    if (lanes.size() != frames_[f].results) invalid(word, "has a value of another type than its function");
    for (size_t i = 0; i < lanes.size(); ++i) b.write(frames_[f].result + static_cast<uint32_t>(i), lanes[i]);
  }
  if (natural == kReturn) return {true, 0};
  b.write(frames_[f].active, literal(0));
  for (size_t i = frames_.size() - 1; i > f; --i)
    if (frames_[i].kind == FrameKind::kUnrolled) unrolling_failed_ = true;
  if (!in_loop(static_cast<uint32_t>(f))) return {false, uint64_t{1} << f};
  for (size_t i = frames_.size() - 1; i > f; --i)
    if (frames_[i].kind == FrameKind::kLoop) {
      frames_[i].pending |= uint64_t{1} << f;
      break;
    }
  b.leave(Opcode::kBreak, literal(~0u));
  return {};
}

// Killed lanes continue as helpers, but must not keep a loop running.
Flow::Outcome Flow::terminate(bool kill) {
  if (kill) b.kill(literal(~0u));
  for (size_t i = frames_.size(); i-- > 0;) {
    if (frames_[i].kind == FrameKind::kUnrolled) unrolling_failed_ = true;
    if (frames_[i].kind != FrameKind::kLoop) continue;
    b.write(alive_, literal(0));
    frames_[i].pending |= kKilled;
    b.leave(Opcode::kBreak, literal(~0u));
    break;
  }
  return {};
}

Flow::Outcome Flow::branch(uint32_t from, uint32_t target, uint32_t natural, uint32_t& next) {
  phis_.edge(from, target);
  return jump(target, natural, next);
}

Flow::Outcome Flow::jump(uint32_t target, uint32_t natural, uint32_t& next) {
  uint32_t f = 0;
  switch (classify(target, natural, f)) {
    case Jump::kNatural:
      return {true, 0};
    case Jump::kStraight:
      next = target;
      return {};
    case Jump::kNextBlock:
      b.write(frames_[f].falls_to[target], literal(~0u));
      return {};
    case Jump::kNextCase:
      b.write(frames_[f].falls_to[target], literal(~0u));
      [[fallthrough]];
    case Jump::kSwitchEnd:
      // A case's natural end is the end of its switch.
      if (natural == frames_[f].merge) return {true, 0};
      b.write(frames_[f].active, literal(0));
      return {false, uint64_t{1} << f};
    case Jump::kBreak:
    case Jump::kContinue:
      break;
  }
  const bool is_break = target == frames_[f].merge;
  if (frames_[f].kind == FrameKind::kUnrolled) {
    // An unrolled loop can only be left by all lanes together.
    if (b.nesting() != frames_[f].nesting) unrolling_failed_ = true;
    frames_[f].broke |= is_break;
    return {!is_break, 0};
  }
  b.leave(is_break ? Opcode::kBreak : Opcode::kContinue, literal(~0u));
  return {};
}

// Translates `if (condition) break;` and similar into one instruction. Returns false if the target is not
// such a jump.
bool Flow::conditional_exit(uint32_t from, const Ref& condition, uint32_t target, uint32_t natural) {
  uint32_t f = 0, last = from;
  // Follows an empty block.
  if (classify(target, natural, f) == Jump::kStraight && block(target).body.size() == 1 &&
      !block(target).loop) {
    const Word& only = block(target).body[0];
    const bool loops = in_loop(0);
    if ((only.op == spv::OpKill || only.op == spv::OpTerminateInvocation) && !loops && unrolling_ == 0) {
      b.kill(condition);
      return true;
    }
    if (only.op != spv::OpBranch) return false;
    last = target;
    target = arg(only, 0);
  }
  const Jump jump = classify(target, natural, f);
  if ((jump != Jump::kBreak && jump != Jump::kContinue) || frames_[f].kind != FrameKind::kLoop) return false;
  phis_.edge(last, target);
  b.leave(jump == Jump::kBreak ? Opcode::kBreak : Opcode::kContinue, condition);
  return true;
}

Flow::Outcome Flow::arm(uint32_t from, uint32_t target, uint32_t natural) {
  uint32_t next = 0;
  const Outcome outcome = branch(from, target, natural, next);
  return next ? region(next, natural) : outcome;
}

// Translates the code after a construct, under the flags of the frames that some lanes have left. If there
// are none, the caller continues with `next`.
Flow::Outcome Flow::rest(uint32_t merge, uint32_t natural, uint64_t exits, uint32_t& next) {
  if (!b.reachable()) return {};
  uint32_t f = 0;
  Lanes inside = {literal(~0u)};
  for (uint64_t left = exits; left; left &= left - 1)
    inside =
        b.op2(Opcode::kAnd, inside, {b.read(frames_[static_cast<size_t>(std::countr_zero(left))].active)});
  const Jump jump = classify(merge, natural, f);
  if (jump == Jump::kNatural) return {true, exits};
  if (!exits) return branch(0, merge, natural, next);
  b.begin_if(inside[0]);
  const Outcome outcome = arm(0, merge, natural);
  b.end_if();
  return {outcome.falls, outcome.exits | exits};
}

Flow::Outcome Flow::conditional(uint32_t label, const Word& word, uint32_t natural, uint32_t& next) {
  const Lanes condition = get(arg(word, 0));
  if (condition.size() != 1) invalid(word, "needs a scalar condition");
  const uint32_t yes = arg(word, 1), no = arg(word, 2);
  const Label& current = block(label);
  if (yes == no) return branch(label, yes, natural, next);
  if (is_flat()) return flat_conditional(label, word, natural);
  if (condition[0].is_literal()) return branch(label, condition[0].index ? yes : no, natural, next);
  if (conditional_exit(label, condition[0], yes, natural)) return branch(label, no, natural, next);
  uint32_t f = 0;
  const Jump no_jump = classify(no, natural, f);
  const bool no_leaves = no_jump == Jump::kBreak || no_jump == Jump::kContinue ||
                         (no_jump == Jump::kStraight && block(no).body.size() == 1 && no != current.merge);
  if (no_leaves) {
    const size_t before = b.ir.insts.size();
    const Lanes inverse = b.logical_not(condition);
    if (conditional_exit(label, inverse[0], no, natural)) return branch(label, yes, natural, next);
    if (b.ir.insts.size() > before) {
      b.ir.insts.pop_back();
      b.ir.blocks[b.block()].insts.pop_back();
    }
  }
  const Jump yes_jump = classify(yes, natural, f);
  for (Jump jump : {no_jump, yes_jump})
    if ((jump == Jump::kBreak || jump == Jump::kContinue) && frames_[f].kind == FrameKind::kUnrolled) {
      unrolling_failed_ = true;
      return {};
    }
  const uint32_t merge = current.loop ? 0 : current.merge;
  const bool is_open = merge == 0 && no_jump == Jump::kStraight && yes_jump == Jump::kStraight;
  if (is_open || b.nesting() >= kMaxNesting) return flat(label, word, natural);
  const Scan y = merge ? scan(yes, merge, natural) : Scan{}, n = merge ? scan(no, merge, natural) : Scan{};
  // If only one arm falls through and the other leaves the region by flag, the remaining code moves into the
  // first.
  const bool nest = (y.falls != n.falls) && (y.falls ? n.leaves : y.leaves);
  const bool ends = !y.falls && !n.falls;
  const uint32_t inner = nest || ends ? natural : merge;
  Outcome a, c;
  if (inner != natural || merge == natural) {
    if (yes == merge && !phis_.any(merge)) {  // only the other arm has code
      b.begin_if(b.logical_not(condition)[0]);
      c = arm(label, no, inner);
      a.falls = true;
      b.end_if();
    } else {
      b.begin_if(condition[0]);
      a = arm(label, yes, inner);
      if (no != merge || phis_.any(merge)) {
        b.begin_else();
        c = arm(label, no, inner);
      } else {
        c.falls = true;
      }
      b.end_if();
    }
  } else {
    b.begin_if(condition[0]);
    a = arm(label, yes, inner);
    b.begin_else();
    c = arm(label, no, inner);
    b.end_if();
  }
  const Outcome both{a.falls || c.falls, a.exits | c.exits};
  if (!b.reachable()) return {false, both.exits};
  if (inner == natural || !both.falls) return both;
  return rest(merge, natural, both.exits, next);
}

}  // namespace cutaway::compiler
