#include "func/jit/alu_emitter.h"

#include "base/error.h"
#include "isa/operands.h"

namespace cutaway::func::jit {

using isa::Opcode;
using enum Opcode;

namespace {

// Predicates of VCMPPS and VPCMPD.
enum Predicate : uint8_t { kEqual = 0, kLess = 1, kUnequal = 4, kGreaterEqual = 13, kGreater = 14 };
enum IntegerPredicate : uint8_t { kIntegerEqual = 0, kIntegerLess = 1, kIntegerUnequal = 4, kNotLess = 5 };

// Rounding modes of VRNDSCALEPS.
enum Rounding : uint8_t { kToNearest = 0, kDown = 1, kUp = 2, kToZero = 3 };

constexpr bool is_arithmetic(Opcode op) {
  return isa::in_range(op, kAdd, kMax) || isa::in_range(op, kFlr, kFrc) ||
         isa::in_range(op, kDdx, kDdyCoarse) || isa::in_range(op, kRcp, kSqrt) || op == kFog || op == kNrm;
}

// Whether a source may be a NaN with any payload: arithmetic and comparisons see only that it is one.
constexpr bool takes_any_nan(Opcode op, uint32_t n) {
  return is_arithmetic(op) || isa::in_range(op, kSgn, kSne) || isa::in_range(op, kFlt, kFne) ||
         (op == kCmp && n == 0) || op == kF2i || op == kF2u;
}

// Whether source n passes unchanged, NaNs with any payload too, unless it has modifiers.
constexpr bool passes(Opcode op, uint32_t n) { return op == kMov || ((op == kCmp || op == kSel) && n > 0); }

constexpr bool is_bitwise(Opcode op) {
  return op == kMov || isa::in_range(op, kSgn, kCmp) || isa::in_range(op, kFlt, kImul) ||
         isa::in_range(op, kImin, kAsr) || isa::in_range(op, kF2i, kU2f);
}

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

bool can_compile(const MicroOp& op) {
  if (op.dst_file == isa::File::kNone || op.dst_half != isa::Half::kNone) return false;
  for (const MicroSource& s : op.src)
    if (s.half != isa::Half::kNone) return false;
  return is_arithmetic(op.op) || is_bitwise(op.op);
}

Xbyak::Address AluEmitter::pool(const uint32_t Pool::*word) const {
  const auto offset =
      reinterpret_cast<const std::byte*>(&(kPool.*word)) - reinterpret_cast<const std::byte*>(&kPool);
  return out_.ptr_b[kPoolAddress + static_cast<size_t>(offset)];
}

Zmm AluEmitter::source(const MicroOp& op, uint32_t n, uint32_t component) {
  const MicroSource& s = op.src[n];
  const Zmm value = cache_.read({s.file, s.component[component]});
  if (!takes_any_nan(op.op, n) && (s.modified || !passes(op.op, n))) cache_.canonicalize(value);
  return s.modified ? modified(s, value) : value;
}

Zmm AluEmitter::modified(const MicroSource& s, Zmm value) {
  const Zmm r = cache_.take();
  if (s.integer_absolute) out_.vpabsd(r, value), value = r;
  if (s.clear) out_.vpandd(r, value, pool(&Pool::magnitude)), value = r;
  if (s.add) out_.vpsubd(r, kZero, value);
  else if (s.flip == kPool.sign) out_.vpxord(r, value, pool(&Pool::sign));
  else if (s.flip) out_.vpxord(r, value, pool(&Pool::ones));
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

Zmm AluEmitter::select(Zmm yes, Zmm no) {
  cache_.canonicalize(yes);
  cache_.canonicalize(no);
  const Zmm r = cache_.take();
  out_.vblendmps(r | kCondition, no, yes);
  return r;
}

Zmm AluEmitter::copy(Zmm value) {
  const Zmm r = cache_.take();
  out_.vmovaps(r, value);
  cache_.set_raw(r, cache_.is_raw(value));
  return r;
}

Zmm AluEmitter::where(const Xbyak::Opmask& condition, Zmm value) {
  const Zmm r = cache_.take();
  out_.vmovaps(r | condition | Xbyak::util::T_z, value);
  return r;
}

Zmm AluEmitter::saturated(Zmm value) {
  const Zmm r = cache_.take();
  out_.vmaxps(r, value, kZero);  // a NaN and a negative zero become zero, the second operand
  out_.vminps(r, r, kOne);
  return r;
}

Zmm AluEmitter::arithmetic(Opcode op, const Zmm (&source)[3]) {
  const auto& [a, b, c] = source;
  if (op == kMin || op == kMax) return extreme(op == kMax, a, b);
  const Zmm r = cache_.take();
  switch (op) {
    case kAdd:
      out_.vaddps(r, a, b);
      break;
    case kMul:
      out_.vmulps(r, a, b);
      break;
    case kMad:
      out_.vmulps(r, a, b);
      out_.vaddps(r, r, c);
      break;
    case kLrp: {
      const Zmm rest = cache_.take();
      out_.vsubps(rest, kOne, a);
      out_.vmulps(rest, rest, c);
      out_.vmulps(r, a, b);
      out_.vaddps(r, r, rest);
      break;
    }
    case kFog:
      out_.vsubps(r, a, c);
      out_.vmulps(r, b, r);
      out_.vaddps(r, r, c);
      break;
    case kFlr:
      out_.vrndscaleps(r, a, kDown);
      break;
    case kCeil:
      out_.vrndscaleps(r, a, kUp);
      break;
    case kTrunc:
      out_.vrndscaleps(r, a, kToZero);
      break;
    case kRne:
      out_.vrndscaleps(r, a, kToNearest);
      break;
    case kFrc:
      out_.vrndscaleps(r, a, kDown);
      out_.vsubps(r, a, r);
      break;
    case kRcp:
      out_.vdivps(r, kOne, a);
      break;
    case kRsq:
      out_.vsqrtps(r, a);
      out_.vdivps(r, kOne, r);
      break;
    case kSqrt:
      out_.vsqrtps(r, a);
      break;
    default: {
      const Difference d = difference(op);
      const Zmm subtrahend = cache_.take();
      out_.vpermilps(r, a, d.minuend);
      out_.vpermilps(subtrahend, a, d.subtrahend);
      out_.vsubps(r, r, subtrahend);
    }
  }
  return r;
}

Zmm AluEmitter::bits(Opcode op, const Zmm (&source)[3]) {
  const auto& [a, b, c] = source;
  const auto compare = [&](uint8_t predicate) { out_.vcmpps(kCondition, a, b, predicate); };
  const auto truth = [&] {
    const Zmm r = cache_.take();
    out_.vpmovm2d(r, kCondition);
    return r;
  };
  const auto signed_truth = [&](uint8_t predicate) {
    out_.vpcmpd(kCondition, a, b, predicate);
    return truth();
  };
  const auto unsigned_truth = [&](uint8_t predicate) {
    out_.vpcmpud(kCondition, a, b, predicate);
    return truth();
  };
  switch (op) {
    case kSgn: {
      out_.vcmpps(kCondition, a, kZero, kGreater);
      out_.vcmpps(kSecondCondition, a, kZero, kLess);
      const Zmm r = where(kCondition, kOne);
      out_.vpbroadcastd(r | kSecondCondition, out_.ptr[kPoolAddress + offsetof(Pool, minus_one)]);
      return r;
    }
    case kSlt:
      compare(kLess);
      return where(kCondition, kOne);
    case kSge:
      compare(kGreaterEqual);
      return where(kCondition, kOne);
    case kSeq:
      compare(kEqual);
      return where(kCondition, kOne);
    case kSne:
      compare(kUnequal);
      return where(kCondition, kOne);
    case kCmp:
      out_.vcmpps(kCondition, a, kZero, kLess);
      return select(b, c);
    case kSel:
      out_.vptestmd(kCondition, a, a);
      return select(b, c);
    case kFlt:
      compare(kLess);
      return truth();
    case kFge:
      compare(kGreaterEqual);
      return truth();
    case kFeq:
      compare(kEqual);
      return truth();
    case kFne:
      compare(kUnequal);
      return truth();
    case kIlt:
      return signed_truth(kIntegerLess);
    case kIge:
      return signed_truth(kNotLess);
    case kUlt:
      return unsigned_truth(kIntegerLess);
    case kUge:
      return unsigned_truth(kNotLess);
    case kIeq:
      return signed_truth(kIntegerEqual);
    case kIne:
      return signed_truth(kIntegerUnequal);
    default:
      break;
  }
  const Zmm r = cache_.take();
  const auto shift = [&](auto instruction) {
    const Zmm count = cache_.take();
    out_.vpandd(count, b, pool(&Pool::shift_mask));
    (out_.*instruction)(r, a, count);
  };
  switch (op) {
    case kIadd:
      out_.vpaddd(r, a, b);
      break;
    case kImul:
      out_.vpmulld(r, a, b);
      break;
    case kImin:
      out_.vpminsd(r, a, b);
      break;
    case kImax:
      out_.vpmaxsd(r, a, b);
      break;
    case kUmin:
      out_.vpminud(r, a, b);
      break;
    case kUmax:
      out_.vpmaxud(r, a, b);
      break;
    case kAnd:
      out_.vpandd(r, a, b);
      break;
    case kOr:
      out_.vpord(r, a, b);
      break;
    case kXor:
      out_.vpxord(r, a, b);
      break;
    case kNot:
      out_.vpxord(r, a, pool(&Pool::ones));
      break;
    case kShl:
      shift(static_cast<void (Assembler::*)(const Xbyak::Xmm&, const Xbyak::Xmm&, const Xbyak::Operand&)>(
          &Assembler::vpsllvd));
      break;
    case kShr:
      shift(static_cast<void (Assembler::*)(const Xbyak::Xmm&, const Xbyak::Xmm&, const Xbyak::Operand&)>(
          &Assembler::vpsrlvd));
      break;
    case kAsr:
      shift(static_cast<void (Assembler::*)(const Xbyak::Xmm&, const Xbyak::Xmm&, const Xbyak::Operand&)>(
          &Assembler::vpsravd));
      break;
    case kF2i:  // the conversion gives 0x80000000 for NaNs and all that is out of range
      out_.vcvttps2dq(r, a);
      out_.vcmpps(kCondition, a, pool(&Pool::two_to_31), kGreaterEqual);
      out_.vpbroadcastd(r | kCondition, out_.ptr[kPoolAddress + offsetof(Pool, magnitude)]);
      out_.vcmpunordps(kCondition, a, a);
      out_.vmovaps(r | kCondition, kZero);
      break;
    case kF2u:  // the conversion gives all ones for all that is too large
      out_.vcmpps(kCondition, a, kZero, kGreater);
      out_.vcvttps2udq(r | kCondition | Xbyak::util::T_z, a);
      break;
    case kI2f:
      out_.vcvtdq2ps(r, a);
      break;
    case kU2f:
      out_.vcvtudq2ps(r, a);
      break;
    default:
      CUTAWAY_CHECK(false, "the compiler does not know {}", isa::info(op).mnemonic);
  }
  return r;
}

Zmm AluEmitter::dot(const MicroOp& op, uint32_t terms) {
  const Zmm sum = cache_.take(), product = cache_.take();
  for (uint32_t c = 0; c < terms; ++c) {
    out_.vmulps(c == 0 ? sum : product, source(op, 0, c), source(op, 1, c));
    if (c > 0) out_.vaddps(sum, sum, product);
  }
  cache_.set_raw(sum, true);
  return sum;
}

void AluEmitter::normalize(const MicroOp& op, Zmm (&results)[4]) {
  const Zmm scale = cache_.take(), product = cache_.take();
  for (uint32_t c = 0; c < 3; ++c) {
    const Zmm value = source(op, 0, c);
    out_.vmulps(c == 0 ? scale : product, value, value);
    if (c > 0) out_.vaddps(scale, scale, product);
  }
  out_.vsqrtps(scale, scale);
  out_.vdivps(scale, kOne, scale);
  for (uint32_t c = 0; c < 4; ++c) {
    if (!(op.dst_mask >> c & 1)) continue;
    results[c] = cache_.take();
    out_.vmulps(results[c], source(op, 0, c), scale);
    cache_.set_raw(results[c], true);
  }
}

Zmm AluEmitter::result(const MicroOp& op, uint32_t component) {
  Zmm sources[3];
  for (uint32_t n = 0; n < isa::info(op.op).sources; ++n) sources[n] = source(op, n, component);
  if (op.op == kMov) return cache_.masked() ? copy(sources[0]) : sources[0];
  if (!is_arithmetic(op.op)) return bits(op.op, sources);
  const Zmm r = arithmetic(op.op, sources);
  cache_.set_raw(r, true);
  return r;
}

Zmm AluEmitter::for_all_components(const MicroOp& op) {
  if (op.op == kDp2 || op.op == kDp3 || op.op == kDp4)
    return dot(op, op.op == kDp2 ? 2 : op.op == kDp3 ? 3 : 4);
  return result(op, 0);
}

void AluEmitter::emit(const MicroOp& op) {
  Zmm results[4];
  const bool replicates =
      isa::in_range(op.op, kDp2, kDp4) || isa::info(op.op).op_class == isa::OpClass::kScalar;
  if (op.op == kNrm) {
    normalize(op, results);
  } else if (replicates) {
    results[0] = for_all_components(op);
    for (Zmm& r : results) r = results[0];
  } else {
    for (uint32_t c = 0; c < 4; ++c) {
      if (!(op.dst_mask >> c & 1)) continue;
      results[c] = result(op, c);
      cache_.unpin();
      for (uint32_t done = 0; done <= c; ++done)
        if (op.dst_mask >> done & 1) cache_.pin(results[done]);
    }
  }
  if (op.saturate && isa::may_saturate(op.op)) {
    if (replicates) results[0] = saturated(results[0]);
    for (uint32_t c = 0; c < 4; ++c)
      if (op.dst_mask >> c & 1) results[c] = replicates ? results[0] : saturated(results[c]);
  }
  for (uint32_t c = 0; c < 4; ++c)
    if (op.dst_mask >> c & 1) cache_.write({op.dst_file, static_cast<uint16_t>(op.dst * 4 + c)}, results[c]);
  cache_.unpin();
}

}  // namespace cutaway::func::jit
