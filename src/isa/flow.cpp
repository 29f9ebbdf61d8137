#include "isa/flow.h"

#include "base/error.h"
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

  // Null, or what is wrong with instruction n here.
  const char* visit(size_t n) {
    using enum Opcode;
    const Opcode op = program_[n].op;
    Construct* top = open_.empty() ? nullptr : &open_.back();
    switch (op) {
      case kIf:
      case kLoop:
        if (open_.size() == kFlowDepth) return "nested too deeply";
        open_.push_back({op == kLoop, n, 0, {}, {}});
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
      case kEnd:
        if (top) return "within an IF or LOOP";
        return n + 1 == program_.size() ? nullptr : "before the end of the program";
      default:
        return nullptr;
    }
  }

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
};

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
    if (const char* problem = linker.visit(where)) {
      error = fmt::format("{}: {}", info(program[where].op).mnemonic, problem);
      return false;
    }
  where = program.size() - 1;
  if (program.back().op == Opcode::kEnd) return true;
  error = "the last instruction is not END";
  return false;
}

void link_flow(std::vector<Instruction>& program) {
  std::vector<uint16_t> targets;
  size_t where = 0;
  std::string error;
  CUTAWAY_CHECK(flow_targets(program, targets, where, error), "instruction {}: {}", where, error);
  for (size_t n = 0; n < program.size(); ++n) program[n].target = targets[n];
}

}  // namespace cutaway::isa
