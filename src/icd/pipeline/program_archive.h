#pragma once

#include <optional>
#include <span>
#include <vector>

#include "isa/program.h"

namespace cutaway::icd {

// Serialises a program, for caches that outlive the process. Equal programs give equal bytes.
std::vector<std::byte> archive_program(const isa::Program& program);

// Restores a program, or returns nothing: the bytes are untrusted. A restored program is legal in the
// instruction set, with every register, slot and literal within bounds.
std::optional<isa::Program> restore_program(std::span<const std::byte> bytes);

}  // namespace cutaway::icd
