#include "func/jit/alu_emitter.h"

#include "base/error.h"
#include "isa/operands.h"

namespace cutaway::func::jit {

using isa::Opcode;
using enum Opcode;

namespace {

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

}  // namespace

bool can_compile(const MicroOp& op) {
  if (op.dst_file == isa::File::kNone || op.dst_half != isa::Half::kNone) return false;
  for (const MicroSource& s : op.src)
    if (s.half != isa::Half::kNone) return false;
  return is_arithmetic(op.op) || is_bitwise(op.op);
}

Vector AluEmitter::source(const MicroOp& op, uint32_t n, uint32_t component) {
  const MicroSource& s = op.src[n];
  const Vector value = cache_.read({s.file, s.component[component]});
  if (!takes_any_nan(op.op, n) && (s.modified || !passes(op.op, n))) cache_.canonicalize(value);
  return s.modified ? modified(s, value) : value;
}

Vector AluEmitter::modified(const MicroSource& s, Vector value) {
  const Vector r = cache_.take();
  if (s.integer_absolute) out_.vpabsd(r, value), value = r;
  if (s.clear) out_.vandps(r, value, constant(&Pool::magnitude)), value = r;
  if (s.add) negate(r, value);
  else if (s.flip == kPool.sign.lane[0]) out_.vxorps(r, value, constant(&Pool::sign));
  else if (s.flip) out_.vxorps(r, value, constant(&Pool::ones));
  return r;
}

Vector AluEmitter::select(Vector yes, Vector no) {
  cache_.canonicalize(yes);
  cache_.canonicalize(no);
  const Vector r = cache_.take();
  vectors_.select(r, yes, no);
  return r;
}

Vector AluEmitter::copy(Vector value) {
  const Vector r = cache_.take();
  out_.vmovaps(r, value);
  cache_.set_raw(r, cache_.is_raw(value));
  return r;
}

Vector AluEmitter::saturated(Vector value) {
  const Vector r = cache_.take();
  out_.vmaxps(r, value, constant(&Pool::zero));  // a NaN and a negative zero become zero, the second operand
  out_.vminps(r, r, constant(&Pool::one));
  return r;
}

Vector AluEmitter::dot(const MicroOp& op, uint32_t terms) {
  const Vector sum = cache_.take(), product = cache_.take();
  for (uint32_t c = 0; c < terms; ++c) {
    out_.vmulps(c == 0 ? sum : product, source(op, 0, c), source(op, 1, c));
    if (c > 0) out_.vaddps(sum, sum, product);
    cache_.unpin_all_but({sum, product});
  }
  cache_.set_raw(sum, true);
  return sum;
}

void AluEmitter::normalize(const MicroOp& op, Vector (&results)[4]) {
  const Vector scale = cache_.take(), product = cache_.take();
  for (uint32_t c = 0; c < 3; ++c) {
    const Vector value = source(op, 0, c);
    out_.vmulps(c == 0 ? scale : product, value, value);
    if (c > 0) out_.vaddps(scale, scale, product);
    cache_.unpin_all_but({scale, product});
  }
  out_.vsqrtps(scale, scale);
  reciprocal(scale, scale);
  std::vector<Vector> kept{scale};
  for (uint32_t c = 0; c < 4; ++c) {
    if (!(op.dst_mask >> c & 1)) continue;
    results[c] = cache_.take();
    out_.vmulps(results[c], source(op, 0, c), scale);
    cache_.set_raw(results[c], true);
    kept.push_back(results[c]);
    cache_.unpin_all_but(kept);
  }
}

Vector AluEmitter::result(const MicroOp& op, uint32_t component) {
  Operands sources;
  Vector* const to[3] = {&sources.a, &sources.b, &sources.c};
  for (uint32_t n = 0; n < isa::info(op.op).sources; ++n) *to[n] = source(op, n, component);
  if (op.op == kMov) return cache_.masked() ? copy(sources.a) : sources.a;
  if (!is_arithmetic(op.op)) return bits(op.op, sources);
  const Vector r = arithmetic(op.op, sources);
  cache_.set_raw(r, true);
  return r;
}

Vector AluEmitter::for_all_components(const MicroOp& op) {
  if (op.op == kDp2 || op.op == kDp3 || op.op == kDp4)
    return dot(op, op.op == kDp2 ? 2 : op.op == kDp3 ? 3 : 4);
  return result(op, 0);
}

void AluEmitter::emit(const MicroOp& op) {
  Vector results[4];
  const bool replicates =
      isa::in_range(op.op, kDp2, kDp4) || isa::info(op.op).op_class == isa::OpClass::kScalar;
  if (op.op == kNrm) {
    normalize(op, results);
  } else if (replicates) {
    results[0] = for_all_components(op);
    for (Vector& r : results) r = results[0];
  } else {
    std::vector<Vector> kept;
    for (uint32_t c = 0; c < 4; ++c) {
      if (!(op.dst_mask >> c & 1)) continue;
      kept.push_back(results[c] = result(op, c));
      cache_.unpin_all_but(kept);
    }
  }
  if (op.saturate && isa::may_saturate(op.op)) {
    if (replicates) results[0] = saturated(results[0]);
    for (uint32_t c = 0; c < 4; ++c)
      if (op.dst_mask >> c & 1) results[c] = replicates ? results[0] : saturated(results[c]);
  }
  for (uint32_t c = 0; c < 4; ++c)
    if (op.dst_mask >> c & 1) cache_.write({op.dst_file, static_cast<uint16_t>(op.dst * 4 + c)}, results[c]);
  cache_.unpin_all_but({});
}

}  // namespace cutaway::func::jit
