#include "compiler/translate/subgroups.h"

#include <spirv/unified1/spirv.hpp>

#include "compiler/translate/doubles.h"
#include "compiler/translate/wide.h"

namespace cutaway::compiler {
namespace {

// Bits of the operation's identity element, for numbers with this many bits.
uint64_t identity(uint32_t op, uint32_t bits) {
  constexpr uint64_t kInfinity = 0x7ff0000000000000, kSign = uint64_t{1} << 63;
  const uint64_t ones = ~uint64_t{0} >> (64 - bits);
  switch (op) {
    case spv::OpGroupNonUniformIMul:
      return 1;
    case spv::OpGroupNonUniformFMul:
      return bits == 64 ? 0x3ff0000000000000 : 0x3f800000;
    case spv::OpGroupNonUniformSMin:
      return ones >> 1;
    case spv::OpGroupNonUniformSMax:
      return ~(ones >> 1);  // sign-extended to the width that is read
    case spv::OpGroupNonUniformFMin:
      return bits == 64 ? kInfinity : 0x7f800000;
    case spv::OpGroupNonUniformFMax:
      return bits == 64 ? kInfinity | kSign : 0xff800000;
    case spv::OpGroupNonUniformUMin:
    case spv::OpGroupNonUniformBitwiseAnd:
      return ones;
    case spv::OpGroupNonUniformLogicalAnd:
      return ~0u;
    default:
      return 0;
  }
}

bool is_reduction(uint32_t op) {
  return op >= spv::OpGroupNonUniformIAdd && op <= spv::OpGroupNonUniformLogicalXor;
}

bool is_signed(uint32_t op) { return op == spv::OpGroupNonUniformSMin || op == spv::OpGroupNonUniformSMax; }

Opcode opcode(uint32_t op) {
  switch (op) {
    case spv::OpGroupNonUniformIAdd:
      return Opcode::kIadd;
    case spv::OpGroupNonUniformFAdd:
      return Opcode::kAdd;
    case spv::OpGroupNonUniformIMul:
      return Opcode::kImul;
    case spv::OpGroupNonUniformFMul:
      return Opcode::kMul;
    case spv::OpGroupNonUniformSMin:
      return Opcode::kImin;
    case spv::OpGroupNonUniformUMin:
      return Opcode::kUmin;
    case spv::OpGroupNonUniformFMin:
      return Opcode::kMin;
    case spv::OpGroupNonUniformSMax:
      return Opcode::kImax;
    case spv::OpGroupNonUniformUMax:
      return Opcode::kUmax;
    case spv::OpGroupNonUniformFMax:
      return Opcode::kMax;
    case spv::OpGroupNonUniformBitwiseAnd:
    case spv::OpGroupNonUniformLogicalAnd:
      return Opcode::kAnd;
    case spv::OpGroupNonUniformBitwiseOr:
    case spv::OpGroupNonUniformLogicalOr:
      return Opcode::kOr;
    default:
      return Opcode::kXor;
  }
}

}  // namespace

// Marks results that depend on the active lanes, so that they are not moved.
Lanes Subgroups::read(const Lanes& value, const Ref& from) {
  if (!inputs_.has_quads()) return value;
  const Lanes result = b.op2(Opcode::kQuadRead, value, Builder::splat(from, value.size()));
  for (const Ref& ref : result)
    if (ref.is_value()) b.ir.insts[ref.index].ordered = true;
  return result;
}

Ref Subgroups::vote(const Ref& predicate) {
  if (!inputs_.has_quads()) return b.op2(Opcode::kAnd, {predicate}, {literal(1)})[0];
  const Ref votes = b.op1(Opcode::kQuadVote, {predicate})[0];
  b.ir.insts[votes.index].ordered = true;
  return votes;
}

Ref Subgroups::members(const Word& word) {
  const auto bits_below = [&](uint32_t first) {  // bits below the own lane, including it if `first` is 2
    const Lanes above = b.op2(Opcode::kShl, {literal(first)}, {lane()});
    return b.op2(Opcode::kIadd, above, {literal(~0u)});
  };
  Lanes of = {literal(inputs_.kSubgroupMask)};
  switch (arg(word, 1)) {
    case spv::GroupOperationReduce:
      break;
    case spv::GroupOperationInclusiveScan:
      of = bits_below(2);
      break;
    case spv::GroupOperationExclusiveScan:
      of = bits_below(1);
      break;
    case spv::GroupOperationClusteredReduce: {
      const std::optional<uint32_t> size = literal_of(arg(word, 3));
      if (!size || *size == 0) invalid(word, "needs a constant size of its clusters");
      if (*size == 1) of = b.op2(Opcode::kShl, {literal(1)}, {lane()});
      if (*size == 2) of = b.op2(Opcode::kShl, {literal(3)}, b.op2(Opcode::kAnd, {lane()}, {literal(2)}));
      break;
    }
    default:
      unsupported(word, "of such a group of invocations is not supported");
  }
  return of[0];
}

Lanes Subgroups::combine(uint32_t op, const Type& scalar, const Lanes& x, const Lanes& y) {
  if (scalar.bits != 64 || opcode(op) == Opcode::kAnd || opcode(op) == Opcode::kOr ||
      opcode(op) == Opcode::kXor)
    return b.op2(opcode(op), x, y);
  Wide w(b);
  Doubles d(b);
  switch (op) {
    case spv::OpGroupNonUniformFAdd:
      return d.add(x, y);
    case spv::OpGroupNonUniformFMul:
      return d.mul(x, y);
    case spv::OpGroupNonUniformFMin:
      return d.min(x, y);
    case spv::OpGroupNonUniformFMax:
      return d.max(x, y);
    case spv::OpGroupNonUniformIAdd:
      return w.add(x, y);
    case spv::OpGroupNonUniformIMul:
      return w.mul(x, y);
    case spv::OpGroupNonUniformSMin:
    case spv::OpGroupNonUniformUMin:
      return w.select(w.less(y, x, is_signed(op)), y, x);
    default:
      return w.select(w.less(x, y, is_signed(op)), y, x);
  }
}

// Combines the values of the invocations in turn; excluded invocations contribute the identity element.
Lanes Subgroups::reduce(const Word& word) {
  const Type& scalar = m_.scalar(word.type);
  Lanes value = b.bits(get(arg(word, 2)));
  if (is_small(scalar) && is_signed(word.op)) value = sign_extended(scalar, value);
  const bool boolean = scalar.kind == TypeKind::kBool;
  const uint64_t nothing = identity(word.op, boolean ? 32 : scalar.bits);
  Lanes start;
  for (size_t i = 0; i < value.size(); ++i) {
    const bool high = scalar.bits == 64 && i % 2;
    start.push_back(literal(static_cast<uint32_t>(nothing >> (high ? 32 : 0))));
  }
  const Lanes of = b.op2(Opcode::kAnd, {members(word)}, {active()});
  Lanes sum;
  for (uint32_t i = 0; i < (inputs_.has_quads() ? inputs_.kSubgroupSize : 1); ++i) {
    const Lanes counts = b.op2(Opcode::kAnd, of, {literal(1u << i)});
    const Lanes one = select(counts, read(value, literal(i)), start);
    sum = sum.empty() ? one : combine(word.op, scalar, sum, one);
  }
  return narrowed(word.type, sum);
}

Ref Subgroups::is_equal(uint32_t id, const Lanes& value, const Lanes& other) {
  const Type& scalar = scalar_of(id);
  const bool floats = scalar.kind == TypeKind::kFloat;
  const Lanes equal = is_double(scalar) ? Doubles(b).op(Opcode::kDeq, {value, other})
                                        : b.op2(floats ? Opcode::kFeq : Opcode::kIeq, value, other);
  Lanes all = {equal[0]};
  for (size_t i = 1; i < equal.size(); ++i) all = b.op2(Opcode::kAnd, all, {equal[i]});
  return all[0];
}

// Operations on the words of a ballot; only the first word has bits.
bool Subgroups::ballot(const Word& word, Lanes& result) {
  const auto bits = [&](size_t operand) {
    return b.op2(Opcode::kAnd, {component(get(arg(word, operand)), 0)}, {literal(inputs_.kSubgroupMask)});
  };
  const auto bit = [&](const Lanes& at) {
    const Lanes one = b.op3(Opcode::kUbfe, {component(get(arg(word, 1)), 0)}, at, {literal(1)});
    return b.op2(Opcode::kIne, one, {literal(0)});
  };
  switch (word.op) {
    case spv::OpGroupNonUniformInverseBallot:
      result = bit({lane()});
      return true;
    case spv::OpGroupNonUniformBallotBitExtract:
      result = bit(index_of(arg(word, 2)));
      return true;
    case spv::OpGroupNonUniformBallotBitCount:
      result =
          unsigned_result(word.type, b.op1(Opcode::kPopc, b.op2(Opcode::kAnd, bits(2), {members(word)})));
      return true;
    case spv::OpGroupNonUniformBallotFindLSB:
      result = unsigned_result(word.type, b.op1(Opcode::kFfs, bits(1)));
      return true;
    case spv::OpGroupNonUniformBallotFindMSB:
      result = unsigned_result(word.type, b.op1(Opcode::kUfls, bits(1)));
      return true;
    default:
      return false;
  }
}

// The first operand of core instructions is a scope.
bool Subgroups::compute(const Word& word, Lanes& result) {
  const bool core = word.op >= spv::OpGroupNonUniformElect && word.op <= spv::OpGroupNonUniformQuadSwap;
  const size_t first = core ? 1 : 0;
  const auto value = [&] { return get(arg(word, first)); };
  const auto word_of = [&](size_t operand) { return component(get(arg(word, operand)), 0); };
  const auto first_active = [&] { return b.op1(Opcode::kFfs, {active()})[0]; };
  const auto from = [&](Opcode op, const Ref& distance) { return b.op2(op, {lane()}, {distance})[0]; };
  switch (word.op) {
    case spv::OpGroupNonUniformElect:
      result = b.op2(Opcode::kIeq, {first_active()}, {lane()});
      return true;
    case spv::OpGroupNonUniformAll:
    case spv::OpSubgroupAllKHR:
      result = {equals_all(vote(component(value(), 0)))};
      return true;
    case spv::OpGroupNonUniformAny:
    case spv::OpSubgroupAnyKHR:
      result = b.op2(Opcode::kIne, {vote(component(value(), 0))}, {literal(0)});
      return true;
    case spv::OpGroupNonUniformAllEqual:
    case spv::OpSubgroupAllEqualKHR: {
      const Lanes own = value();
      result = {equals_all(vote(is_equal(arg(word, first), own, read(own, first_active()))))};
      return true;
    }
    case spv::OpGroupNonUniformBroadcastFirst:
    case spv::OpSubgroupFirstInvocationKHR:
      result = read(value(), first_active());
      return true;
    case spv::OpGroupNonUniformBroadcast:
    case spv::OpGroupNonUniformShuffle:
    case spv::OpGroupNonUniformQuadBroadcast:
    case spv::OpSubgroupReadInvocationKHR:
      result = read(value(), word_of(first + 1));
      return true;
    case spv::OpGroupNonUniformShuffleXor:
      result = read(value(), from(Opcode::kXor, word_of(2)));
      return true;
    case spv::OpGroupNonUniformShuffleUp:
      result = read(value(), from(Opcode::kIadd, b.ineg({word_of(2)})[0]));
      return true;
    case spv::OpGroupNonUniformShuffleDown:
      result = read(value(), from(Opcode::kIadd, word_of(2)));
      return true;
    case spv::OpGroupNonUniformQuadSwap: {  // 0: across the column, 1: across the row, 2: both
      const std::optional<uint32_t> direction = literal_of(arg(word, 2));
      if (!direction || *direction > 2) invalid(word, "needs a direction of 0 to 2");
      result = read(value(), from(Opcode::kXor, literal(*direction + 1)));
      return true;
    }
    case spv::OpGroupNonUniformBallot:
    case spv::OpSubgroupBallotKHR:
      result = {vote(component(value(), 0)), literal(0), literal(0), literal(0)};
      return true;
    default:
      return ballot(word, result);
  }
}

bool Subgroups::translate(const Word& word) {
  Lanes result;
  if (is_reduction(word.op)) result = reduce(word);
  else if (!compute(word, result)) return false;
  define(word.result, word.type, result);
  return true;
}

}  // namespace cutaway::compiler
