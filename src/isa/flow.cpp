#include "isa/flow.h"

#include "base/error.h"
#include "isa/functions.h"
#include "isa/operands.h"

namespace cutaway::isa {
namespace {

struct Construct {
  bool loop = false;
  size_t open = 0;                    // its IF or LOOP
  size_t middle = 0;                  // its ELSE or NEXT; 0: not yet
  std::vector<size_t> before, after;  // BRK and CONT before and after NEXT
};

class Linker {
 public:
  Linker(const std::vector<Instruction>& program, std::vector<uint16_t>& targets)
      : program_(program), targets_(targets) {}

  // Returns null, or the error at instruction n.
  const char* visit(size_t n) {
    using enum Opcode;
    const Opcode op = program_[n].op;
    Construct* top = open_.empty() ? nullptr : &open_.back();
    switch (op) {
      case kIf:
      case kLoop:
        if (open_.size() == kFlowDepth) return "nested too deeply";
        open_.push_back({op == kLoop, n, 0, {}, {}});
        functions_.open(static_cast<uint32_t>(open_.size()));
        return nullptr;
      case kElse:
        if (!top || top->loop) return "without an open IF";
        if (top->middle) return "second ELSE of an IF";
        top->middle = n;
        targets_[top->open] = static_cast<uint16_t>(n);
        return nullptr;
      case kEndif:
        if (!top || top->loop) return "without an open IF";
        targets_[top->middle ? top->middle : top->open] = static_cast<uint16_t>(n);
        open_.pop_back();
        return nullptr;
      case kNext:
        if (!top || !top->loop) return "must stand in a LOOP, outside its IFs";
        if (top->middle) return "second NEXT of a LOOP";
        top->middle = n;
        for (size_t at : top->before) targets_[at] = static_cast<uint16_t>(n);
        return nullptr;
      case kEndLoop:
        return end_loop(top, n);
      case kBreak:
      case kContinue:
        return leave(op, n);
      case kCall:
        targets_[n] = program_[n].target;
        functions_.call(n, targets_[n], static_cast<uint32_t>(open_.size()));
        return nullptr;
      case kEnd:
      case kReturn:
        return end(op, top, n);
      default:
        return nullptr;
    }
  }

  // After the END of the program, and after the RET of a function, another function may follow.
  const char* end(Opcode op, const Construct* top, size_t n) {
    if (top) return "within an IF or LOOP";
    if (ended_ != (op == Opcode::kReturn)) return ended_ ? "second END of the program" : "before the END";
    ended_ = true;
    if (n + 1 < program_.size()) functions_.begin(n + 1);
    return nullptr;
  }

  // Returns null, or the error of the program as a whole, with its place in `where`.
  const char* check_end(size_t& where) const {
    const Opcode last = program_.back().op;
    where = program_.size() - 1;
    if (last != Opcode::kEnd && last != Opcode::kReturn)
      return ended_ ? "the last instruction is not RET" : "the last instruction is not END";
    return nullptr;
  }
  const char* check_calls(size_t& where) const { return functions_.check(where); }

  const char* end_loop(Construct* top, size_t n) {
    if (!top || !top->loop) return "without an open LOOP";
    if (!top->middle) return "its LOOP has no NEXT";
    targets_[top->open] = static_cast<uint16_t>(n);
    targets_[n] = static_cast<uint16_t>(top->open + 1);
    for (size_t at : top->after) targets_[at] = static_cast<uint16_t>(n);
    open_.pop_back();
    return nullptr;
  }

  const char* leave(Opcode op, size_t n) {
    for (auto c = open_.rbegin(); c != open_.rend(); ++c) {
      if (!c->loop) continue;
      if (c->middle && op == Opcode::kContinue) return "after its loop's NEXT";
      (c->middle ? c->after : c->before).push_back(n);
      return nullptr;
    }
    return "outside a LOOP";
  }

 private:
  const std::vector<Instruction>& program_;
  std::vector<uint16_t>& targets_;
  std::vector<Construct> open_;
  Functions functions_;
  bool ended_ = false;  // END was seen: functions follow
};

bool refuse(const Instruction& instruction, const char* problem, std::string& error) {
  error = fmt::format("{}: {}", info(instruction.op).mnemonic, problem);
  return false;
}

}  // namespace

bool flow_targets(const std::vector<Instruction>& program, std::vector<uint16_t>& targets, size_t& where,
                  std::string& error) {
  targets.assign(program.size(), 0);
  where = 0;
  if (program.empty() || program.size() > arch::kInstructions) {
    error = fmt::format("a program of {} instructions, but 1 to {} are possible", program.size(),
                        arch::kInstructions);
    return false;
  }
  Linker linker(program, targets);
  for (where = 0; where < program.size(); ++where)
    if (const char* problem = linker.visit(where)) return refuse(program[where], problem, error);
  if (const char* problem = linker.check_end(where)) {
    error = problem;
    return false;
  }
  if (const char* problem = linker.check_calls(where)) return refuse(program[where], problem, error);
  where = program.size() - 1;
  return true;
}

void link_flow(std::vector<Instruction>& program) {
  std::vector<uint16_t> targets;
  size_t where = 0;
  std::string error;
  CUTAWAY_CHECK(flow_targets(program, targets, where, error), "instruction {}: {}", where, error);
  for (size_t n = 0; n < program.size(); ++n) program[n].target = targets[n];
}

}  // namespace cutaway::isa
