// The instructions of the host for each operation on a component.
#include "base/error.h"
#include "func/jit/alu_emitter.h"
#include "isa/operands.h"

namespace cutaway::func::jit {

using isa::Opcode;
using enum Opcode;

namespace {

// Predicates of VCMPPS, and of VPCMPD.
enum Predicate : uint8_t { kEqual = 0, kLess = 1, kUnequal = 4, kGreaterEqual = 13, kGreater = 14 };
enum IntegerPredicate : uint8_t { kIntegerEqual = 0, kIntegerLess = 1, kIntegerUnequal = 4, kNotLess = 5 };

// Modes of VRNDSCALEPS.
enum Rounding : uint8_t { kToNearest = 0, kDown = 1, kUp = 2, kToZero = 3 };

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

Zmm AluEmitter::arithmetic(Opcode op, const Operands& in) {
  if (op == kMin || op == kMax) return extreme(op == kMax, in.a, in.b);
  const Zmm r = cache_.take();
  if (isa::in_range(op, kDdx, kDdyCoarse)) derivative(op, r, in.a);
  else if (op == kMad || op == kLrp || op == kFog) blend(op, r, in);
  else if (isa::in_range(op, kFlr, kFrc)) round(op, r, in.a);
  else if (op == kAdd) out_.vaddps(r, in.a, in.b);
  else if (op == kMul) out_.vmulps(r, in.a, in.b);
  else root(op, r, in.a);
  return r;
}

Zmm AluEmitter::extreme(bool greater, Zmm a, Zmm b) {
  const Zmm r = cache_.take();
  if (greater) out_.vmaxps(r, a, b);
  else out_.vminps(r, a, b);
  // The machine's instructions return the second operand if either is a NaN.
  out_.vcmpunordps(kCondition, b, b);
  out_.vmovaps(r | kCondition, a);
  out_.vmulps(r, r, kOne);  // flushes a denormal
  return r;
}

void AluEmitter::derivative(Opcode op, Zmm r, Zmm a) {
  const Difference d = difference(op);
  const Zmm subtrahend = cache_.take();
  out_.vpermilps(r, a, d.minuend);
  out_.vpermilps(subtrahend, a, d.subtrahend);
  out_.vsubps(r, r, subtrahend);
}

// Each step rounds.
void AluEmitter::blend(Opcode op, Zmm r, const Operands& in) {
  if (op == kFog) {
    out_.vsubps(r, in.a, in.c);
    out_.vmulps(r, in.b, r);
    out_.vaddps(r, r, in.c);
    return;
  }
  Zmm addend = in.c;
  if (op == kLrp) {
    addend = cache_.take();
    out_.vsubps(addend, kOne, in.a);
    out_.vmulps(addend, addend, in.c);
  }
  out_.vmulps(r, in.a, in.b);
  out_.vaddps(r, r, addend);
}

void AluEmitter::round(Opcode op, Zmm r, Zmm a) {
  const Rounding mode = op == kCeil ? kUp : op == kTrunc ? kToZero : op == kRne ? kToNearest : kDown;
  out_.vrndscaleps(r, a, mode);
  if (op == kFrc) out_.vsubps(r, a, r);
}

void AluEmitter::root(Opcode op, Zmm r, Zmm a) {
  if (op != kRcp) out_.vsqrtps(r, a);
  if (op != kSqrt) out_.vdivps(r, kOne, op == kRcp ? a : r);
}

Zmm AluEmitter::bits(Opcode op, const Operands& in) {
  if (op == kCmp || op == kSel) {
    if (op == kCmp) out_.vcmpps(kCondition, in.a, kZero, kLess);
    else out_.vptestmd(kCondition, in.a, in.a);
    return select(in.b, in.c);
  }
  const Zmm r = cache_.take();
  if (op == kSgn) sign(r, in.a);
  else if (isa::in_range(op, kSlt, kSne)) compare(op, in), out_.vmovaps(r | kCondition | kZeroing, kOne);
  else if (isa::in_range(op, kFlt, kIne)) compare(op, in), out_.vpmovm2d(r, kCondition);
  else if (isa::in_range(op, kShl, kAsr)) shift(op, r, in);
  else if (isa::in_range(op, kF2i, kU2f)) convert(op, r, in.a);
  else integer(op, r, in);
  return r;
}

void AluEmitter::sign(Zmm r, Zmm a) {
  out_.vcmpps(kCondition, a, kZero, kGreater);
  out_.vmovaps(r | kCondition | kZeroing, kOne);
  out_.vcmpps(kCondition, a, kZero, kLess);
  out_.vpbroadcastd(r | kCondition, word(&Pool::minus_one));
}

// Sets kCondition.
void AluEmitter::compare(Opcode op, const Operands& in) {
  const auto floats = [&](Predicate predicate) { out_.vcmpps(kCondition, in.a, in.b, predicate); };
  const auto integers = [&](IntegerPredicate predicate) { out_.vpcmpd(kCondition, in.a, in.b, predicate); };
  switch (op) {
    case kSlt:
    case kFlt:
      return floats(kLess);
    case kSge:
    case kFge:
      return floats(kGreaterEqual);
    case kSeq:
    case kFeq:
      return floats(kEqual);
    case kSne:
    case kFne:
      return floats(kUnequal);
    case kIlt:
      return integers(kIntegerLess);
    case kIge:
      return integers(kNotLess);
    case kUlt:
      return out_.vpcmpud(kCondition, in.a, in.b, kIntegerLess);
    case kUge:
      return out_.vpcmpud(kCondition, in.a, in.b, kNotLess);
    default:
      return integers(op == kIeq ? kIntegerEqual : kIntegerUnequal);
  }
}

void AluEmitter::shift(Opcode op, Zmm r, const Operands& in) {
  out_.vpandd(r, in.b, broadcast(&Pool::shift_mask));
  if (op == kShl) out_.vpsllvd(r, in.a, r);
  else if (op == kShr) out_.vpsrlvd(r, in.a, r);
  else out_.vpsravd(r, in.a, r);
}

void AluEmitter::convert(Opcode op, Zmm r, Zmm a) {
  switch (op) {
    case kF2i:  // the host gives 0x80000000 for NaNs and all that is out of range
      out_.vcvttps2dq(r, a);
      out_.vcmpps(kCondition, a, broadcast(&Pool::two_to_31), kGreaterEqual);
      out_.vpbroadcastd(r | kCondition, word(&Pool::magnitude));
      out_.vcmpunordps(kCondition, a, a);
      out_.vmovaps(r | kCondition, kZero);
      return;
    case kF2u:  // the host gives all ones for all that is out of range
      out_.vcmpps(kCondition, a, kZero, kGreater);
      out_.vcvttps2udq(r | kCondition | kZeroing, a);
      return;
    case kI2f:
      return out_.vcvtdq2ps(r, a);
    default:
      return out_.vcvtudq2ps(r, a);
  }
}

void AluEmitter::integer(Opcode op, Zmm r, const Operands& in) {
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
      return out_.vpandd(r, in.a, in.b);
    case kOr:
      return out_.vpord(r, in.a, in.b);
    case kXor:
      return out_.vpxord(r, in.a, in.b);
    case kNot:
      return out_.vpxord(r, in.a, broadcast(&Pool::ones));
    default:
      CUTAWAY_CHECK(false, "the compiler does not know {}", isa::info(op).mnemonic);
  }
}

}  // namespace cutaway::func::jit
