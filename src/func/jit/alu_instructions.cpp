// The instructions of the host for each operation on a component.
#include "base/error.h"
#include "func/jit/alu_emitter.h"
#include "isa/operands.h"

namespace cutaway::func::jit {

using isa::Opcode;
using enum Opcode;

namespace {

constexpr uint8_t shuffle(int a, int b, int c, int d) {
  return static_cast<uint8_t>(a | b << 2 | c << 4 | d << 6);
}

// Lanes of a quad that a derivative subtracts: minuend and subtrahend.
struct Difference {
  uint8_t minuend, subtrahend;
};
constexpr Difference difference(Opcode op) {
  switch (op) {
    case kDdx:
      return {shuffle(1, 1, 3, 3), shuffle(0, 0, 2, 2)};
    case kDdy:
      return {shuffle(2, 3, 2, 3), shuffle(0, 1, 0, 1)};
    case kDdxCoarse:
      return {shuffle(1, 1, 1, 1), shuffle(0, 0, 0, 0)};
    default:
      return {shuffle(2, 2, 2, 2), shuffle(0, 0, 0, 0)};
  }
}

}  // namespace

Vector AluEmitter::arithmetic(Opcode op, const Operands& in) {
  if (op == kMin || op == kMax) return extreme(op == kMax, in.a, in.b);
  const Vector r = cache_.take();
  if (isa::in_range(op, kDdx, kDdyCoarse)) derivative(op, r, in.a);
  else if (op == kMad || op == kLrp || op == kFog) blend(op, r, in);
  else if (isa::in_range(op, kFlr, kFrc)) round(op, r, in.a);
  else if (op == kAdd) out_.vaddps(r, in.a, in.b);
  else if (op == kMul) out_.vmulps(r, in.a, in.b);
  else root(op, r, in.a);
  return r;
}

Vector AluEmitter::extreme(bool greater, Vector a, Vector b) {
  const Vector r = cache_.take();
  if (greater) out_.vmaxps(r, a, b);
  else out_.vminps(r, a, b);
  // The machine's instructions return the second operand if either is a NaN.
  vectors_.compare(b, b, Compare::kUnordered);
  vectors_.select(r, a, r);
  out_.vmulps(r, r, constant(&Pool::one));  // flushes a denormal
  return r;
}

void AluEmitter::derivative(Opcode op, Vector r, Vector a) {
  const Difference d = difference(op);
  const Vector subtrahend = cache_.take();
  out_.vpermilps(r, a, d.minuend);
  out_.vpermilps(subtrahend, a, d.subtrahend);
  out_.vsubps(r, r, subtrahend);
}

// Each step rounds.
void AluEmitter::blend(Opcode op, Vector r, const Operands& in) {
  if (op == kFog) {
    out_.vsubps(r, in.a, in.c);
    out_.vmulps(r, in.b, r);
    out_.vaddps(r, r, in.c);
    return;
  }
  Vector addend = in.c;
  if (op == kLrp) {
    addend = cache_.take();
    out_.vmovaps(addend, constant(&Pool::one));
    out_.vsubps(addend, addend, in.a);
    out_.vmulps(addend, addend, in.c);
  }
  out_.vmulps(r, in.a, in.b);
  out_.vaddps(r, r, addend);
}

void AluEmitter::round(Opcode op, Vector r, Vector a) {
  const Rounding mode = op == kCeil    ? Rounding::kUp
                        : op == kTrunc ? Rounding::kToZero
                        : op == kRne   ? Rounding::kToNearest
                                       : Rounding::kDown;
  vectors_.round(r, a, mode);
  if (op == kFrc) out_.vsubps(r, a, r);
}

void AluEmitter::root(Opcode op, Vector r, Vector a) {
  if (op != kRcp) out_.vsqrtps(r, a);
  if (op != kSqrt) reciprocal(r, op == kRcp ? a : r);
}

void AluEmitter::reciprocal(Vector r, Vector a) {
  const Vector one = cache_.take();
  out_.vmovaps(one, constant(&Pool::one));
  out_.vdivps(r, one, a);
}

Vector AluEmitter::bits(Opcode op, const Operands& in) {
  if (op == kCmp || op == kSel) {
    if (op == kCmp) {
      vectors_.compare(in.a, constant(&Pool::zero), Compare::kLess);
      return select(in.b, in.c);
    }
    vectors_.compare_with_zero(in.a);
    return select(in.c, in.b);
  }
  const Vector r = cache_.take();
  if (op == kSgn) sign(r, in.a);
  else if (isa::in_range(op, kSlt, kSne))
    compare(op, in), vectors_.truth(r), out_.vandps(r, r, constant(&Pool::one));
  else if (isa::in_range(op, kFlt, kIne)) compare(op, in), vectors_.truth(r);
  else if (isa::in_range(op, kShl, kAsr)) shift(op, r, in);
  else if (isa::in_range(op, kF2i, kU2f)) convert(op, r, in.a);
  else integer(op, r, in);
  return r;
}

void AluEmitter::sign(Vector r, Vector a) {
  vectors_.compare(a, constant(&Pool::zero), Compare::kGreater);
  vectors_.truth(r);
  out_.vandps(r, r, constant(&Pool::one));
  vectors_.compare(a, constant(&Pool::zero), Compare::kLess);
  vectors_.select(r, constant(&Pool::minus_one), r);
}

// Sets the condition.
void AluEmitter::compare(Opcode op, const Operands& in) {
  const auto floats = [&](Compare predicate) { vectors_.compare(in.a, in.b, predicate); };
  const auto integers = [&](CompareIntegers predicate) { vectors_.compare_integers(in.a, in.b, predicate); };
  switch (op) {
    case kSlt:
    case kFlt:
      return floats(Compare::kLess);
    case kSge:
    case kFge:
      return floats(Compare::kGreaterEqual);
    case kSeq:
    case kFeq:
      return floats(Compare::kEqual);
    case kSne:
    case kFne:
      return floats(Compare::kUnequal);
    case kIlt:
      return integers(CompareIntegers::kLess);
    case kIge:
      return integers(CompareIntegers::kGreaterEqual);
    case kUlt:
      return integers(CompareIntegers::kBelow);
    case kUge:
      return integers(CompareIntegers::kAboveEqual);
    case kIeq:
      return integers(CompareIntegers::kEqual);
    default:
      return integers(CompareIntegers::kUnequal);
  }
}

void AluEmitter::shift(Opcode op, Vector r, const Operands& in) {
  out_.vandps(r, in.b, constant(&Pool::shift_mask));
  if (op == kShl) out_.vpsllvd(r, in.a, r);
  else if (op == kShr) out_.vpsrlvd(r, in.a, r);
  else out_.vpsravd(r, in.a, r);
}

void AluEmitter::convert(Opcode op, Vector r, Vector a) {
  switch (op) {
    case kF2i:  // the host gives 0x80000000 for NaNs and all that is out of range
      out_.vcvttps2dq(r, a);
      vectors_.compare(a, constant(&Pool::two_to_31), Compare::kGreaterEqual);
      vectors_.select(r, constant(&Pool::magnitude), r);
      vectors_.compare(a, a, Compare::kUnordered);
      return vectors_.select(r, constant(&Pool::zero), r);
    case kF2u:
      return vectors_.float_to_unsigned(r, a);
    case kI2f:
      return out_.vcvtdq2ps(r, a);
    default:
      return vectors_.unsigned_to_float(r, a);
  }
}

void AluEmitter::negate(Vector r, Vector a) {
  const Vector zero = cache_.take();
  out_.vxorps(zero, zero, zero);
  out_.vpsubd(r, zero, a);
}

void AluEmitter::integer(Opcode op, Vector r, const Operands& in) {
  switch (op) {
    case kIadd:
      return out_.vpaddd(r, in.a, in.b);
    case kImul:
      return out_.vpmulld(r, in.a, in.b);
    case kImin:
      return out_.vpminsd(r, in.a, in.b);
    case kImax:
      return out_.vpmaxsd(r, in.a, in.b);
    case kUmin:
      return out_.vpminud(r, in.a, in.b);
    case kUmax:
      return out_.vpmaxud(r, in.a, in.b);
    case kAnd:
      return out_.vandps(r, in.a, in.b);
    case kOr:
      return out_.vorps(r, in.a, in.b);
    case kXor:
      return out_.vxorps(r, in.a, in.b);
    case kNot:
      return out_.vxorps(r, in.a, constant(&Pool::ones));
    default:
      CUTAWAY_CHECK(false, "the compiler does not know {}", isa::info(op).mnemonic);
  }
}

}  // namespace cutaway::func::jit
