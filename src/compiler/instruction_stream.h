#pragma once

#include <cstdint>
#include <span>
#include <spirv/unified1/spirv.hpp>

#include "compiler/refusal.h"

// The instructions of a module's words, without regard to their meaning.
namespace cutaway::compiler {

constexpr uint32_t kHeaderWords = 5;

// One instruction where it stands in a module.
struct Raw {
  uint16_t op = 0;
  std::span<const uint32_t> words;  // with the first, which has the length and the operation
  uint32_t at = 0;                  // offset of the first word in the module

  uint32_t operand(size_t index) const { return index < words.size() ? words[index] : 0; }
};

// Calls visit(const Raw&) for each instruction. InvalidShader: one has no words or ends after the module.
template <class Visit>
void each_instruction(std::span<const uint32_t> module, Visit&& visit) {
  for (size_t at = kHeaderWords; at < module.size();) {
    const uint32_t count = module[at] >> 16;
    if (count == 0 || count > module.size() - at)
      invalid("the instruction at word {} has {} words, {} of which the module has", at, count,
              module.size() - at);
    visit(Raw{static_cast<uint16_t>(module[at] & 0xffff), module.subspan(at, count),
              static_cast<uint32_t>(at)});
    at += count;
  }
}

// True for instructions that end a block.
inline bool is_terminator(uint16_t op) {
  switch (op) {
    case spv::OpBranch:
    case spv::OpBranchConditional:
    case spv::OpSwitch:
    case spv::OpKill:
    case spv::OpTerminateInvocation:
    case spv::OpReturn:
    case spv::OpReturnValue:
    case spv::OpUnreachable:
      return true;
    default:
      return false;
  }
}

}  // namespace cutaway::compiler
