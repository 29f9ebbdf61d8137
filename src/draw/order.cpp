#include "draw/order.h"

#include <algorithm>
#include <string>
#include <vector>

#include "isa/operands.h"

namespace cutaway::draw {
namespace {

bool hangs_on_order(const isa::Instruction& instruction) {
  if (!isa::is_atomic(instruction.op)) return false;
  const isa::AtomicOp operation = instruction.access.atomic;
  return operation == isa::AtomicOp::kExchange || operation == isa::AtomicOp::kCompareExchange ||
         instruction.dst.file != isa::File::kNone;
}

}  // namespace

bool hangs_on_order(const arch::ShaderRegisters& shader, const arch::Memory& memory) {
  if (shader.instructions > arch::kInstructions) return false;
  std::vector<isa::EncodedInstruction> words(shader.instructions);
  memory.read(shader.program, reinterpret_cast<std::byte*>(words.data()),
              words.size() * isa::kInstructionBytes);
  std::vector<isa::Instruction> code;
  std::string error;
  return isa::decode_program(words, shader.temporaries, code, error) &&
         std::any_of(code.begin(), code.end(), [](const auto& i) { return hangs_on_order(i); });
}

}  // namespace cutaway::draw
