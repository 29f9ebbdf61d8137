#pragma once

#include <optional>
#include <span>
#include <vector>

#include "isa/program.h"

namespace cutaway::icd {

// A program as bytes, for caches that outlive the process. The same program gives the same bytes.
std::vector<std::byte> archive_program(const isa::Program& program);

// The program of such bytes, or nothing: they are not trusted. What comes out is a program that the
// instruction set permits, with every register, slot and literal within its bounds.
std::optional<isa::Program> restore_program(std::span<const std::byte> bytes);

}  // namespace cutaway::icd
