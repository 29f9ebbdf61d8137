#include "command_stream/order.h"

#include <algorithm>

#include "command_stream/program.h"
#include "isa/operands.h"

namespace cutaway::command_stream {
namespace {

bool hangs_on_order(const isa::Instruction& instruction) {
  if (!isa::is_atomic(instruction.op)) return false;
  const isa::AtomicOp operation = instruction.access.atomic;
  return operation == isa::AtomicOp::kExchange || operation == isa::AtomicOp::kCompareExchange ||
         instruction.dst.file != isa::File::kNone;
}

}  // namespace

bool hangs_on_order(const arch::ShaderRegisters& shader, const arch::Memory& memory) {
  const std::vector<isa::Instruction> code = program_in_memory(shader, memory);
  return std::any_of(code.begin(), code.end(), [](const auto& i) { return hangs_on_order(i); });
}

}  // namespace cutaway::command_stream
