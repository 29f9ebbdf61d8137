#include "compiler/translate/arithmetic.h"

#include <algorithm>
#include <bit>
#include <spirv/unified1/spirv.hpp>

namespace cutaway::compiler {

namespace {

// columns · factors: one MUL and a MAD for each further column.
Lanes linear_combination(Floats& f, const Lanes& columns, const Lanes& factors) {
  const size_t rows = f.elements(columns) / f.elements(factors);
  Lanes sum;
  for (size_t c = 0; c < f.elements(factors); ++c) {
    const Lanes column = f.part(columns, c * rows, rows);
    const Lanes product = f.mul(column, f.splat(f.part(factors, c, 1), rows));
    sum = c == 0 ? product : f.add(product, sum);
  }
  return sum;
}

void append(Lanes& all, const Lanes& more) { all.insert(all.end(), more.begin(), more.end()); }

}  // namespace

bool Arithmetic::matrix(const Word& word, Floats& f, Lanes& result) {
  const auto operand = [&](size_t i) {
    const Lanes lanes = get(arg(word, i));
    if (lanes.empty() || lanes.size() % f.words()) invalid(word, "has an operand that does not fit");
    return lanes;
  };
  switch (word.op) {
    case spv::OpTranspose: {
      const Lanes m = operand(0);
      const Type& type = m_.type(word.type);  // the result: its columns are m's rows
      const uint32_t rows = m_.type(type.element).count, columns = type.count;
      if (f.elements(m) < size_t{rows} * columns) invalid(word, "has an operand that does not fit");
      for (uint32_t c = 0; c < columns; ++c)
        for (uint32_t r = 0; r < rows; ++r) append(result, f.part(m, r * columns + c, 1));
      return true;
    }
    case spv::OpMatrixTimesScalar:
    case spv::OpVectorTimesScalar: {
      const Lanes m = operand(0), scalar = f.part(operand(1), 0, 1);
      const size_t columns = word.op == spv::OpMatrixTimesScalar ? m_.type(word.type).count : 1;
      const size_t rows = f.elements(m) / columns;
      for (size_t c = 0; c < columns; ++c)
        append(result, f.mul(f.part(m, c * rows, rows), f.splat(scalar, rows)));
      return true;
    }
    case spv::OpMatrixTimesVector:
      result = linear_combination(f, operand(0), operand(1));
      return true;
    case spv::OpVectorTimesMatrix: {
      const Lanes v = operand(0), m = operand(1);
      const size_t rows = f.elements(v);
      for (size_t c = 0; c < f.elements(m); c += rows) append(result, f.dot(v, f.part(m, c, rows)));
      return true;
    }
    case spv::OpMatrixTimesMatrix: {
      const Lanes x = operand(0), y = operand(1);
      const size_t rows = m_.type(m_.type(word.type).element).count, inner = f.elements(x) / rows;
      for (size_t c = 0; c < f.elements(y); c += inner)
        append(result, linear_combination(f, x, f.part(y, c, inner)));
      return true;
    }
    case spv::OpOuterProduct: {
      const Lanes x = operand(0), y = operand(1);
      for (size_t c = 0; c < f.elements(y); ++c)
        append(result, f.mul(x, f.splat(f.part(y, c, 1), f.elements(x))));
      return true;
    }
    case spv::OpDot:
      result = f.dot(operand(0), operand(1));
      return true;
    default:
      return false;
  }
}

bool Arithmetic::comparison(const Word& word, Lanes& result) {
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
Lanes Arithmetic::carry(const Word& word, const Lanes& x, const Lanes& y) {
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

bool Arithmetic::integer(const Word& word, Lanes& result) {
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
    case spv::OpBitFieldSExtract:
    case spv::OpBitFieldUExtract: {
      const Lanes x = a(0);
      result =
          b.op3(word.op == spv::OpBitFieldUExtract ? Opcode::kUbfe : Opcode::kIbfe, x,
                Builder::splat(component(a(1), 0), x.size()), Builder::splat(component(a(2), 0), x.size()));
      return true;
    }
    case spv::OpBitFieldInsert: {  // (base & ~mask) | (insert << offset & mask), mask = ubfe(~0, 0, count) <<
                                   // offset
      const Lanes x = a(0), offset = a(2), count = a(3);
      const Lanes mask =
          b.op2(Opcode::kShl, b.op3(Opcode::kUbfe, {literal(~0u)}, {literal(0)}, count), offset);
      const Lanes wide = Builder::splat(component(mask, 0), x.size());
      const Lanes placed = b.op2(Opcode::kShl, a(1), Builder::splat(component(offset, 0), x.size()));
      result =
          b.op2(Opcode::kOr, b.op2(Opcode::kAnd, x, b.logical_not(wide)), b.op2(Opcode::kAnd, placed, wide));
      return true;
    }
    default:
      return false;
  }
}

bool Arithmetic::translate(const Word& word, Lanes& result) {
  if (word.result == 0) return false;
  if (convert(word, result)) return true;
  const Type &to = m_.scalar(word.type), &from = scalar_of(word.words.empty() ? 0 : word.words[0]);
  if (word.op == spv::OpSelect || (to.bits == 32 && from.bits == 32)) return of_words(word, result);
  if (is_double(to) || is_double(from)) return of_doubles(word, result);
  if (to.bits == 64 || from.bits == 64) return wide(word, result);
  return small(word, result);
}

bool Arithmetic::of_words(const Word& word, Lanes& result) {
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
      {spv::OpBitReverse, Opcode::kBrev},
      {spv::OpBitCount, Opcode::kPopc},
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
    for (uint32_t i = 0; i < isa::info(row.code).sources; ++i) sources.push_back(get(arg(word, i)));
    for (const Lanes& source : sources)
      if (source.size() != sources[0].size()) invalid(word, "has operands of different sizes");
    result = b.op(row.code, sources);
    return true;
  }
  Singles singles(b);
  if (comparison(word, result) || integer(word, result) || integer_dot(word, result) ||
      matrix(word, singles, result))
    return true;
  auto a = [&](size_t i) { return get(arg(word, i)); };
  switch (word.op) {
    case spv::OpFNegate:
      result = Builder::negate(a(0));
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
    case spv::OpQuantizeToF16: {  // halves have denormals, which become zeros with the value's sign
      const Lanes x = a(0);
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
      if (std::all_of(x.begin(), x.end(), [](const Ref& lane) { return lane.is_literal(); })) return true;
      const Lanes tiny = b.op2(Opcode::kFlt, Builder::absolute(x), constant_lanes(0x1p-14f, x.size()));
      result = select(tiny, b.op2(Opcode::kAnd, x, Builder::splat(literal(0x80000000), x.size())), result);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace cutaway::compiler
