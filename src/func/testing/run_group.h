#pragma once

#include "func/testing/shader_group.h"
#include "isa/operands.h"

namespace cutaway::func {

// Runs a program of ALU and flow instructions; texture and memory results are a hash of the sources.
inline Need finish(const MicroProgram& program, ShaderGroup& g, const CompiledProgram* compiled = nullptr) {
  for (;;) {
    const Need what = run(program, g.group, g.registers(), compiled);
    if (what == Need::kDone || what == Need::kRunaway) return what;
    const MicroOp& op = program[g.group.pc()];
    const uint32_t width = program.width();
    uint32_t result[4 * kMaxWidth] = {}, values[4 * kMaxWidth];
    for (uint32_t n = 0; n < isa::source_count(program.instruction(g.group.pc())); ++n) {
      read_source(op, n, g.registers(), width, values);
      for (uint32_t k = 0; k < 4 * width; ++k) result[k] = (result[k] + values[k]) * 0x9e3779b1 + n;
    }
    if (isa::has_result(op.op)) write_result(op, g.registers(), width, g.group.active(), result);
    g.group.advance();
  }
}

}  // namespace cutaway::func
