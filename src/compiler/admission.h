#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

// The first look at an untrusted module: one pass over its words, before any tool that could take long with
// them.
namespace cutaway::compiler {

// Limits beyond which a module is refused (docs/compiler.md "Limits"). The universal limits of SPIR-V
// (section 2.17) are marked.
constexpr uint32_t kMaxModuleWords = 1 << 24;
constexpr uint32_t kMaxInstructions = 1 << 18;  // those with a meaning
constexpr uint32_t kMaxKeptWords = 1 << 21;     // of those
constexpr uint32_t kMaxIds = 1 << 20;
constexpr uint32_t kMaxFunctions = 4096;
constexpr uint32_t kMaxEntryPoints = 256;
constexpr uint32_t kMaxLabels = 1 << 16;
constexpr uint32_t kMaxVariables = 1 << 16;    // universal: 65535 global ones, 524287 local ones
constexpr uint32_t kMaxTypeDepth = 255;        // universal, of structures
constexpr uint32_t kMaxMembers = 16383;        // universal
constexpr uint32_t kMaxSwitchTargets = 16383;  // universal
constexpr uint32_t kMaxParameters = 255;       // universal
constexpr uint32_t kMaxCallDepth = 60;
// Members of a type, with those of its members. Arrays count as one element: what walks a type walks these.
constexpr uint32_t kMaxTypeLeaves = 1 << 16;

// The place of an instruction in the module as it was given.
struct Origin {
  uint32_t number = 0;  // counted from 0
  uint32_t word = 0;    // offset of its first word
};

struct Admitted {
  std::vector<uint32_t> words;  // a module: the header and the instructions that have a meaning
  std::vector<Origin> origin;   // of each of its instructions
};

// Removes instructions that carry no meaning for a program: names, sources, lines, debug information and
// other non-semantic instruction sets, hints among decorations and execution modes. None of them can make a
// module be refused. Throws the errors of refusal.h: the module is no SPIR-V, needs a capability or an
// instruction that is not known, or exceeds a limit.
Admitted admit(std::span<const uint32_t> spirv);

// "instruction 24 (OpStore at word 131)".
std::string place_of(const Admitted& module, size_t instruction);

}  // namespace cutaway::compiler
