#pragma once

#include "arch/memory.h"
#include "arch/registers.h"

namespace cutaway::command_stream {

// True if the results of a program, which is in memory as for LOAD_PROGRAM, may depend on the order of its
// threads: it uses the result of an atomic, or exchanges (docs/pipeline.md, "Storage cache").
bool hangs_on_order(const arch::ShaderRegisters& shader, const arch::Memory& memory);

}  // namespace cutaway::command_stream
