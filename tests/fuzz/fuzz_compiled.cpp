// Compiled programs beside the interpreter. An input is a seed for the registers, the lanes that run, and
// encoded instructions. Those that do not decode, loops and calls are left out; IFs without an end get one.
#include <random>

#include "base/error.h"
#include "func/float_mode.h"
#include "func/jit/compiled_program.h"
#include "func/testing/run_group.h"
#include "fuzz/fuzz_target.h"
#include "isa/flow.h"

namespace {

using namespace cutaway;
using isa::Opcode;

constexpr uint32_t kWidth = 32;
constexpr size_t kMostInstructions = 300;

// Keeps track of the IFs that are open, and refuses instructions that would not nest.
class Nesting {
 public:
  bool accepts(Opcode op) {
    switch (op) {
      case Opcode::kIf:
        if (has_else_.size() == isa::kFlowDepth) return false;
        has_else_.push_back(false);
        return true;
      case Opcode::kElse:
        if (has_else_.empty() || has_else_.back()) return false;
        has_else_.back() = true;
        return true;
      case Opcode::kEndif:
        if (has_else_.empty()) return false;
        has_else_.pop_back();
        return true;
      default:
        return isa::info(op).op_class != isa::OpClass::kFlow || op == Opcode::kKill || op == Opcode::kNop;
    }
  }
  size_t open() const { return has_else_.size(); }

 private:
  std::vector<bool> has_else_;
};

std::vector<isa::Instruction> program(fuzz::Input& input) {
  std::vector<isa::Instruction> code;
  Nesting nesting;
  while (!input.empty() && code.size() < kMostInstructions) {
    isa::Instruction instruction;
    std::string error;
    auto words = input.take<isa::EncodedInstruction>();
    words[0] = (words[0] & ~255u) | (words[0] & 255) % isa::kOpcodes;
    if (isa::decode(words, instruction, error) && nesting.accepts(instruction.op))
      code.push_back(instruction);
  }
  code.insert(code.end(), nesting.open(), {.op = Opcode::kEndif});
  code.push_back({.op = Opcode::kEnd});
  isa::link_flow(code);
  return code;
}

void fill(func::ShaderGroup& group, uint32_t seed) {
  std::mt19937 random(seed);
  for (auto* words : {&group.input, &group.temporary, &group.output, &group.constant})
    for (uint32_t& word : *words) word = func::interesting_bits(random);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const func::FloatMode mode;
  fuzz::Input input(data, size);
  const auto seed = input.take<uint32_t>(), lanes = input.take<uint32_t>();
  const func::MicroProgram micro(program(input), kWidth);
  func::ShaderGroup start(kWidth);
  fill(start, seed);
  start.group.start(kWidth, lanes, ~lanes);
  func::ShaderGroup expected = start;
  CUTAWAY_CHECK(finish(micro, expected) == func::Need::kDone);
  for (const func::AluPath path : {func::AluPath::kAvx2, func::AluPath::kAvx512}) {
    const auto compiled = func::has_path(path) ? func::CompiledProgram::compile(micro, false, path) : nullptr;
    if (!compiled) continue;
    func::ShaderGroup group = start;
    CUTAWAY_CHECK(finish(micro, group, compiled.get()) == func::Need::kDone);
    CUTAWAY_CHECK(group.group.survivors() == expected.group.survivors());
    CUTAWAY_CHECK(group.group.executed() == expected.group.executed());
    CUTAWAY_CHECK(group.temporary == expected.temporary && group.output == expected.output, "\n{}",
                  disassemble(std::vector(micro.instructions().begin(), micro.instructions().end())));
  }
  return 0;
}
