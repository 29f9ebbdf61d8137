#include "compiler/translate/word_arithmetic.h"

#include <algorithm>
#include <bit>
#include <spirv/unified1/spirv.hpp>

namespace cutaway::compiler {
namespace {

// Shifts have an amount of any width.
bool is_shift(uint32_t op) {
  return op == spv::OpShiftLeftLogical || op == spv::OpShiftRightLogical || op == spv::OpShiftRightArithmetic;
}

}  // namespace

bool WordArithmetic::translate(const Word& word, Lanes& result) {
  Singles singles(b);
  return by_table(word, result) || comparison(word, result) || integer(word, result) ||
         matrices_.translate(word, singles, result) || floats(word, result) || logical(word, result);
}

// Instructions that the machine has.
bool WordArithmetic::by_table(const Word& word, Lanes& result) {
  struct Row {
    uint16_t op;
    Opcode code;
  };
  static constexpr Row kTable[] = {
      {spv::OpFAdd, Opcode::kAdd},
      {spv::OpFMul, Opcode::kMul},
      {spv::OpIAdd, Opcode::kIadd},
      {spv::OpIMul, Opcode::kImul},
      {spv::OpBitwiseAnd, Opcode::kAnd},
      {spv::OpBitwiseOr, Opcode::kOr},
      {spv::OpBitwiseXor, Opcode::kXor},
      {spv::OpLogicalAnd, Opcode::kAnd},
      {spv::OpLogicalOr, Opcode::kOr},
      {spv::OpNot, Opcode::kNot},
      {spv::OpLogicalNot, Opcode::kNot},
      {spv::OpShiftLeftLogical, Opcode::kShl},
      {spv::OpShiftRightLogical, Opcode::kShr},
      {spv::OpShiftRightArithmetic, Opcode::kAsr},
      {spv::OpConvertFToU, Opcode::kF2u},
      {spv::OpConvertFToS, Opcode::kF2i},
      {spv::OpConvertSToF, Opcode::kI2f},
      {spv::OpConvertUToF, Opcode::kU2f},
      {spv::OpDPdx, Opcode::kDdxCoarse},
      {spv::OpDPdy, Opcode::kDdyCoarse},
      {spv::OpDPdxFine, Opcode::kDdx},
      {spv::OpDPdyFine, Opcode::kDdy},
      {spv::OpDPdxCoarse, Opcode::kDdxCoarse},
      {spv::OpDPdyCoarse, Opcode::kDdyCoarse},
  };
  for (const Row& row : kTable) {
    if (row.op != word.op) continue;
    std::vector<Lanes> sources;
    for (uint32_t i = 0; i < isa::info(row.code).sources; ++i)
      sources.push_back(i == 1 && is_shift(word.op) ? low_words(arg(word, 1)) : get(arg(word, i)));
    for (const Lanes& source : sources)
      if (source.size() != sources[0].size()) invalid(word, "has operands of different sizes");
    result = b.op(row.code, sources);
    return true;
  }
  return false;
}

bool WordArithmetic::comparison(const Word& word, Lanes& result) {
  struct Row {
    uint16_t op;
    Opcode code;
    bool swap, invert;
  };
  // Ordered forms are what the machine compares; an unordered one is the inverse of its opposite.
  static constexpr Row kTable[] = {
      {spv::OpFOrdLessThan, Opcode::kFlt, false, false},
      {spv::OpFOrdGreaterThan, Opcode::kFlt, true, false},
      {spv::OpFOrdLessThanEqual, Opcode::kFge, true, false},
      {spv::OpFOrdGreaterThanEqual, Opcode::kFge, false, false},
      {spv::OpFUnordLessThan, Opcode::kFge, false, true},
      {spv::OpFUnordGreaterThan, Opcode::kFge, true, true},
      {spv::OpFUnordLessThanEqual, Opcode::kFlt, true, true},
      {spv::OpFUnordGreaterThanEqual, Opcode::kFlt, false, true},
      {spv::OpFOrdEqual, Opcode::kFeq, false, false},
      {spv::OpFUnordNotEqual, Opcode::kFne, false, false},
      {spv::OpIEqual, Opcode::kIeq, false, false},
      {spv::OpINotEqual, Opcode::kIne, false, false},
      {spv::OpLogicalEqual, Opcode::kIeq, false, false},
      {spv::OpLogicalNotEqual, Opcode::kIne, false, false},
      {spv::OpSLessThan, Opcode::kIlt, false, false},
      {spv::OpSGreaterThan, Opcode::kIlt, true, false},
      {spv::OpSLessThanEqual, Opcode::kIge, true, false},
      {spv::OpSGreaterThanEqual, Opcode::kIge, false, false},
      {spv::OpULessThan, Opcode::kUlt, false, false},
      {spv::OpUGreaterThan, Opcode::kUlt, true, false},
      {spv::OpULessThanEqual, Opcode::kUge, true, false},
      {spv::OpUGreaterThanEqual, Opcode::kUge, false, false},
  };
  for (const Row& row : kTable) {
    if (row.op != word.op) continue;
    const Lanes x = get(arg(word, 0)), y = get(arg(word, 1));
    result = row.swap ? b.op2(row.code, y, x) : b.op2(row.code, x, y);
    if (row.invert) result = b.logical_not(result);
    return true;
  }
  if (word.op == spv::OpFOrdNotEqual || word.op == spv::OpFUnordEqual || word.op == spv::OpLessOrGreater) {
    const Lanes x = get(arg(word, 0)), y = get(arg(word, 1));
    result = b.op2(Opcode::kOr, b.op2(Opcode::kFlt, x, y), b.op2(Opcode::kFlt, y, x));
    if (word.op == spv::OpFUnordEqual) result = b.logical_not(result);
    return true;
  }
  if (word.op == spv::OpOrdered || word.op == spv::OpUnordered) {
    const Lanes x = get(arg(word, 0)), y = get(arg(word, 1));
    result = b.op2(Opcode::kOr, b.op2(Opcode::kFne, x, x), b.op2(Opcode::kFne, y, y));
    if (word.op == spv::OpOrdered) result = b.logical_not(result);
    return true;
  }
  return false;
}

// OpIAddCarry and its like: a structure of the low and the high result.
Lanes WordArithmetic::carry(const Word& word, const Lanes& x, const Lanes& y) {
  Lanes low, high;
  const Lanes one = Builder::splat(literal(1), x.size());
  switch (word.op) {
    case spv::OpIAddCarry:
      low = b.op2(Opcode::kIadd, x, y);
      high = b.op2(Opcode::kAnd, b.op2(Opcode::kUlt, low, x), one);
      break;
    case spv::OpISubBorrow:
      low = b.op2(Opcode::kIadd, x, b.ineg(y));
      high = b.op2(Opcode::kAnd, b.op2(Opcode::kUlt, x, y), one);
      break;
    default:
      low = b.op2(Opcode::kImul, x, y);
      high = b.op2(word.op == spv::OpUMulExtended ? Opcode::kUmulh : Opcode::kImulh, x, y);
      break;
  }
  low.insert(low.end(), high.begin(), high.end());
  return low;
}

bool WordArithmetic::integer(const Word& word, Lanes& result) {
  auto a = [&](size_t i) { return get(arg(word, i)); };
  switch (word.op) {
    case spv::OpISub:
      result = b.op2(Opcode::kIadd, a(0), b.ineg(a(1)));
      return true;
    case spv::OpSNegate:
      result = b.ineg(a(0));
      return true;
    case spv::OpUDiv:
      result = b.scalar(Opcode::kUdiv, a(0), a(1));
      return true;
    case spv::OpSDiv:
      result = b.scalar(Opcode::kIdiv, a(0), a(1));
      return true;
    case spv::OpUMod:
      result = b.scalar(Opcode::kUmod, a(0), a(1));
      return true;
    case spv::OpSRem:
      result = b.scalar(Opcode::kIrem, a(0), a(1));
      return true;
    case spv::OpSMod: {  // the sign of the divisor: r + y where r is not 0 and its sign is the other one
      const Lanes y = a(1), r = b.scalar(Opcode::kIrem, a(0), y), zero = Builder::splat(literal(0), y.size());
      const Lanes other = b.op2(Opcode::kIlt, b.op2(Opcode::kXor, r, y), zero);
      const Lanes wrong = b.op2(Opcode::kAnd, other, b.op2(Opcode::kIne, r, zero));
      result = b.op2(Opcode::kIadd, r, b.op2(Opcode::kAnd, wrong, y));
      return true;
    }
    case spv::OpIAddCarry:
    case spv::OpISubBorrow:
    case spv::OpUMulExtended:
    case spv::OpSMulExtended:
      result = carry(word, a(0), a(1));
      return true;
    default:
      return false;
  }
}

bool WordArithmetic::floats(const Word& word, Lanes& result) {
  const auto a = [&](size_t i) { return get(arg(word, i)); };
  switch (word.op) {
    case spv::OpFNegate:
      result = Builder::negate(a(0));
      if (m_.flushes_floats) result = mul(result, constant_lanes(1, result.size()));
      return true;
    case spv::OpFSub:
      result = sub(a(0), a(1));
      return true;
    case spv::OpFDiv:
      result = divide(a(0), a(1));
      return true;
    case spv::OpFRem:
    case spv::OpFMod: {
      const Lanes x = a(0), y = a(1);
      const Lanes quotient = b.op1(word.op == spv::OpFRem ? Opcode::kTrunc : Opcode::kFlr, divide(x, y));
      result = sub(x, mul(y, quotient));
      return true;
    }
    case spv::OpIsNan: {
      const Lanes x = a(0);
      result = b.op2(Opcode::kFne, x, x);
      return true;
    }
    case spv::OpIsInf: {
      const Lanes x = a(0);
      result = b.op2(Opcode::kIeq, b.op2(Opcode::kAnd, x, Builder::splat(literal(0x7fffffff), x.size())),
                     Builder::splat(literal(0x7f800000), x.size()));
      return true;
    }
    case spv::OpFwidth:
    case spv::OpFwidthFine:
    case spv::OpFwidthCoarse: {
      const bool coarse = word.op != spv::OpFwidthFine;
      const Lanes x = a(0), dx = b.op1(coarse ? Opcode::kDdxCoarse : Opcode::kDdx, x);
      const Lanes dy = b.op1(coarse ? Opcode::kDdyCoarse : Opcode::kDdy, x);
      result = add(Builder::absolute(dx), Builder::absolute(dy));
      return true;
    }
    case spv::OpQuantizeToF16:
      result = quantized(a(0));
      return true;
    default:
      return false;
  }
}

// Values as halves can hold them. Denormals of halves become zeros of their sign.
Lanes WordArithmetic::quantized(const Lanes& x) {
  Lanes result;
  for (const Ref& lane : x) {
    if (lane.is_literal()) {
      result.push_back(literal(quantized_to_half(lane.index)));
      continue;
    }
    Inst pack{.op = Opcode::kPackHalf, .width = 1, .sources = 1};
    pack.src[0].width = 2;
    pack.src[0].ref[0] = lane;
    pack.src[0].ref[1] = literal(0);
    Inst unpack{.op = Opcode::kUnpackHalf, .width = 2, .sources = 1};
    unpack.src[0].width = 1;
    unpack.src[0].ref[0] = b.ref(b.append(pack), 0);
    result.push_back(b.ref(b.append(unpack), 0));
  }
  if (std::all_of(x.begin(), x.end(), [](const Ref& lane) { return lane.is_literal(); })) return result;
  const Lanes tiny = b.op2(Opcode::kFlt, Builder::absolute(x), constant_lanes(0x1p-14f, x.size()));
  result = select(tiny, b.op2(Opcode::kAnd, x, Builder::splat(literal(0x80000000), x.size())), result);
  return result;
}

bool WordArithmetic::logical(const Word& word, Lanes& result) {
  const auto a = [&](size_t i) { return get(arg(word, i)); };
  switch (word.op) {
    case spv::OpSelect:
      result = select(a(0), a(1), a(2));
      return true;
    case spv::OpAny:
    case spv::OpAll: {
      const Lanes v = a(0);
      result = {component(v, 0)};
      for (size_t i = 1; i < v.size(); ++i)
        result = b.op2(word.op == spv::OpAny ? Opcode::kOr : Opcode::kAnd, result, {v[i]});
      return true;
    }
    default:
      return false;
  }
}

}  // namespace cutaway::compiler
