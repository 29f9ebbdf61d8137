#include "compiler/translate/subgroups.h"

#include <spirv/unified1/spirv.hpp>

namespace cutaway::compiler {
namespace {

// What an exclusive scan begins with: the bits that change nothing in the operation.
uint32_t identity(uint32_t op) {
  switch (op) {
    case spv::OpGroupNonUniformIMul:
      return 1;
    case spv::OpGroupNonUniformFMul:
      return 0x3f800000;
    case spv::OpGroupNonUniformSMin:
      return 0x7fffffff;
    case spv::OpGroupNonUniformSMax:
      return 0x80000000;
    case spv::OpGroupNonUniformFMin:
      return 0x7f800000;
    case spv::OpGroupNonUniformFMax:
      return 0xff800000;
    case spv::OpGroupNonUniformUMin:
    case spv::OpGroupNonUniformBitwiseAnd:
    case spv::OpGroupNonUniformLogicalAnd:
      return ~0u;
    default:
      return 0;
  }
}

bool is_scan(uint32_t op) {
  return op >= spv::OpGroupNonUniformIAdd && op <= spv::OpGroupNonUniformLogicalXor;
}

}  // namespace

// The words of a ballot in which the one invocation votes by the lowest bit.
Lanes Subgroups::ballot(const Lanes& predicate) {
  const Lanes bit = b.op2(Opcode::kAnd, predicate, {literal(1)});
  return {bit[0], literal(0), literal(0), literal(0)};
}

Lanes Subgroups::scan(const Word& word) {
  const Lanes value = get(arg(word, 2));
  if (arg(word, 1) == spv::GroupOperationExclusiveScan)
    return Builder::splat(literal(identity(word.op)), value.size());
  return value;  // of all, up to it, or of its cluster: itself
}

// How many invocations of a ballot are on: of all, or of those before the own one.
Lanes Subgroups::bit_count(const Word& word) {
  if (arg(word, 1) == spv::GroupOperationExclusiveScan) return {literal(0)};
  return b.op2(Opcode::kAnd, {component(get(arg(word, 2)), 0)}, {literal(1)});
}

// The first operand of those of the core is a scope.
Lanes Subgroups::compute(const Word& word) {
  const auto bit_of = [&](size_t operand) {
    return b.op2(Opcode::kAnd, {component(get(arg(word, operand)), 0)}, {literal(1)});
  };
  const auto as_bool = [&](const Lanes& bit) { return b.op2(Opcode::kIne, bit, {literal(0)}); };
  if (is_scan(word.op)) return scan(word);
  switch (word.op) {
    case spv::OpGroupNonUniformElect:
    case spv::OpGroupNonUniformAllEqual:
    case spv::OpSubgroupAllEqualKHR:
      return {literal(~0u)};
    // What holds for the one invocation holds for all of them, and what any of them has is its own.
    case spv::OpGroupNonUniformAll:
    case spv::OpGroupNonUniformAny:
    case spv::OpGroupNonUniformBroadcast:
    case spv::OpGroupNonUniformBroadcastFirst:
    case spv::OpGroupNonUniformShuffle:
    case spv::OpGroupNonUniformShuffleXor:
    case spv::OpGroupNonUniformShuffleUp:
    case spv::OpGroupNonUniformShuffleDown:
      return get(arg(word, 1));
    case spv::OpSubgroupAllKHR:
    case spv::OpSubgroupAnyKHR:
    case spv::OpSubgroupFirstInvocationKHR:
    case spv::OpSubgroupReadInvocationKHR:
      return get(arg(word, 0));
    case spv::OpGroupNonUniformBallot:
      return ballot(get(arg(word, 1)));
    case spv::OpSubgroupBallotKHR:
      return ballot(get(arg(word, 0)));
    case spv::OpGroupNonUniformInverseBallot:
      return as_bool(bit_of(1));
    case spv::OpGroupNonUniformBallotBitExtract:
      return as_bool(
          b.op3(Opcode::kUbfe, {component(get(arg(word, 1)), 0)}, get(arg(word, 2)), {literal(1)}));
    case spv::OpGroupNonUniformBallotBitCount:
      return bit_count(word);
    case spv::OpGroupNonUniformBallotFindLSB:
    case spv::OpGroupNonUniformBallotFindMSB:
      return {literal(0)};
    default:
      return {};
  }
}

bool Subgroups::translate(const Word& word) {
  const Lanes result = compute(word);
  if (result.empty()) return false;
  define(word.result, word.type, result);
  return true;
}

}  // namespace cutaway::compiler
