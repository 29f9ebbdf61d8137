#pragma once

#include "arch/memory.h"
#include "arch/registers.h"

namespace cutaway::draw {

// Whether the results of a program, which lies in memory as LOAD_PROGRAM would find it, may hang on which of
// its threads come first: it uses what an atomic returns, or exchanges (docs/pipeline.md, "Storage cache").
bool hangs_on_order(const arch::ShaderRegisters& shader, const arch::Memory& memory);

}  // namespace cutaway::draw
