// The arithmetic of every ALU instruction, and the only copy of it. alu_portable.cpp, alu_avx2.cpp and
// alu_avx512.cpp define CUTAWAY_ALU, then include this (alu_lanes.h explains why). docs/isa.md states the
// semantics.

#include <utility>

#include "func/shader/alu_lanes.h"
// In this order: each uses the previous one.
#include "func/shader/alu_integer.h"
#include "func/shader/alu_transcendental.h"
#include "func/shader/micro_op.h"
#include "isa/operands.h"

namespace cutaway::func::CUTAWAY_ALU {

using isa::Opcode;

// Rounding to integers. From 2^23 on, floats are integers; infinities and NaNs pass unchanged.
template <int W>
CUTAWAY_INLINE F<W> keep_large(F<W> a, F<W> rounded) {
  const U<W> small = (U<W>)((I<W>)((U<W>)a & kMagnitude) < 0x4b000000);
  const U<W> with_sign = (U<W>)rounded | ((U<W>)a & kSign);
  return (F<W>)select<W>(small, with_sign, (U<W>)a);
}
template <int W>
CUTAWAY_INLINE F<W> truncated(F<W> a) {
  const U<W> small = (U<W>)((I<W>)((U<W>)a & kMagnitude) < 0x4b000000);
  return keep_large<W>(a, to_float(to_int((F<W>)((U<W>)a & small))));
}
template <int W>
CUTAWAY_INLINE F<W> floored(F<W> a) {
  const F<W> t = truncated<W>(a);
  return keep_large<W>(a, t - (F<W>)((U<W>)(t > a) & kOne));
}
template <int W>
CUTAWAY_INLINE F<W> negated(F<W> a) {
  return (F<W>)((U<W>)a ^ kSign);
}
template <int W>
CUTAWAY_INLINE F<W> nearest_even(F<W> a) {
  const F<W> magnitude = (F<W>)((U<W>)a & kMagnitude);
  return keep_large<W>(a, (magnitude + 0x1p23f) - 0x1p23f);
}

template <int W, bool greater>
CUTAWAY_INLINE F<W> extreme(F<W> a, F<W> b) {
  const U<W> first = greater ? (U<W>)(a > b) : (U<W>)(a < b);
  return (F<W>)flushed<W>(select<W>(first | is_nan<W>(b), (U<W>)a, (U<W>)b));
}

// LG2 a times b, where 0 times an infinity is 0.
template <int W>
CUTAWAY_INLINE F<W> power(F<W> a, F<W> b) {
  const F<W> log = log2<W>(a);
  const U<W> zero = (U<W>)(b == 0.0f) & ~is_nan<W>(log);
  return exp2<W>((F<W>)((U<W>)(log * b) & ~zero));
}

template <int W>
CUTAWAY_INLINE U<W> flag(I<W> condition) {
  return (U<W>)condition & kOne;
}

// Float operations of one component: arithmetic results before NaNs are canonicalised.
template <Opcode op, int W>
CUTAWAY_INLINE F<W> arithmetic(F<W> a, F<W> b, F<W> c) {
  using enum Opcode;
  if constexpr (op == kAdd) return a + b;
  if constexpr (op == kMul) return a * b;
  if constexpr (op == kMad) return a * b + c;
  if constexpr (op == kLrp) return a * b + (1.0f - a) * c;
  if constexpr (op == kFog) return b * (a - c) + c;
  if constexpr (op == kMin) return extreme<W, false>(a, b);
  if constexpr (op == kMax) return extreme<W, true>(a, b);
  if constexpr (op == kFlr) return floored<W>(a);
  if constexpr (op == kCeil) return negated<W>(floored<W>(negated<W>(a)));
  if constexpr (op == kTrunc) return truncated<W>(a);
  if constexpr (op == kRne) return nearest_even<W>(a);
  if constexpr (op == kFrc) return a - floored<W>(a);
  if constexpr (op == kDdx) return in_quads<1, 1, 3, 3>(a) - in_quads<0, 0, 2, 2>(a);
  if constexpr (op == kDdy) return in_quads<2, 3, 2, 3>(a) - in_quads<0, 1, 0, 1>(a);
  if constexpr (op == kDdxCoarse) return in_quads<1, 1, 1, 1>(a) - in_quads<0, 0, 0, 0>(a);
  if constexpr (op == kDdyCoarse) return in_quads<2, 2, 2, 2>(a) - in_quads<0, 0, 0, 0>(a);
  if constexpr (op == kRcp) return 1.0f / a;
  if constexpr (op == kRsq) return 1.0f / square_root(a);
  if constexpr (op == kSqrt) return square_root(a);
  if constexpr (op == kEx2) return exp2<W>(a);
  if constexpr (op == kLg2) return log2<W>(a);
  if constexpr (op == kPow) return power<W>(a, b);
  if constexpr (op == kSin) return sine<W, 0>(a);
  if constexpr (op == kCos) return sine<W, 1>(a);
}

constexpr bool is_arithmetic(Opcode op) {
  using enum Opcode;
  return isa::in_range(op, kAdd, kMad) || isa::in_range(op, kLrp, kFrc) ||
         isa::in_range(op, kDdx, kDdyCoarse) || isa::in_range(op, kRcp, kCos) || op == kFog;
}

// Operations of one component on bits, and comparisons.
template <Opcode op, int W>
CUTAWAY_INLINE U<W> bitwise(U<W> a, U<W> b, U<W> c) {
  using enum Opcode;
  using Bits = uint32_t;
  const F<W> x = (F<W>)a, y = (F<W>)b;
  const I<W> i = (I<W>)a, j = (I<W>)b;
  if constexpr (op == kMov) return a;
  if constexpr (op == kSgn) return flag<W>(x > 0.0f) | ((U<W>)(x < 0.0f) & (kOne | kSign));
  if constexpr (op == kSlt) return flag<W>(x < y);
  if constexpr (op == kSge) return flag<W>(x >= y);
  if constexpr (op == kSeq) return flag<W>(x == y);
  if constexpr (op == kSne) return flag<W>(x != y);
  if constexpr (op == kCmp) return select<W>((U<W>)(x < 0.0f), b, c);
  if constexpr (op == kFlt) return (U<W>)(x < y);
  if constexpr (op == kFge) return (U<W>)(x >= y);
  if constexpr (op == kFeq) return (U<W>)(x == y);
  if constexpr (op == kFne) return (U<W>)(x != y);
  if constexpr (op == kIlt) return (U<W>)(i < j);
  if constexpr (op == kIge) return (U<W>)(i >= j);
  if constexpr (op == kUlt) return (U<W>)(a < b);
  if constexpr (op == kUge) return (U<W>)(a >= b);
  if constexpr (op == kIeq) return (U<W>)(a == b);
  if constexpr (op == kIne) return (U<W>)(a != b);
  if constexpr (op == kSel) return select<W>((U<W>)(a != 0), b, c);
  if constexpr (op == kIadd) return a + b;
  if constexpr (op == kImul) return a * b;
  if constexpr (op == kImulh)
    return by_lane<W>(a, b, [](Bits m, Bits n) {
      return static_cast<Bits>(int64_t{static_cast<int32_t>(m)} * static_cast<int32_t>(n) >> 32);
    });
  if constexpr (op == kUmulh)
    return by_lane<W>(a, b, [](Bits m, Bits n) { return static_cast<Bits>(uint64_t{m} * n >> 32); });
  if constexpr (op == kImin) return select<W>((U<W>)(i < j), a, b);
  if constexpr (op == kImax) return select<W>((U<W>)(i > j), a, b);
  if constexpr (op == kUmin) return select<W>((U<W>)(a < b), a, b);
  if constexpr (op == kUmax) return select<W>((U<W>)(a > b), a, b);
  if constexpr (op == kAnd) return a & b;
  if constexpr (op == kOr) return a | b;
  if constexpr (op == kXor) return a ^ b;
  if constexpr (op == kNot) return ~a;
  if constexpr (op == kShl) return a << (b & 31);
  if constexpr (op == kShr) return a >> (b & 31);
  if constexpr (op == kAsr) return (U<W>)(i >> (j & 31));
  if constexpr (op == kUbfe) return extract_unsigned<W>(a, b, c);
  if constexpr (op == kIbfe) return extract_signed<W>(a, b, c);
  if constexpr (op == kBrev) return reversed<W>(a);
  if constexpr (op == kPopc) return population<W>(a);
  if constexpr (op == kFfs) return select<W>((U<W>)(a == 0), ~U<W>{}, population<W>((a & (U<W>{} - a)) - 1));
  if constexpr (op == kUfls) return highest<W>(a);
  if constexpr (op == kIfls) return highest<W>(a ^ (U<W>)(i >> 31));
  if constexpr (op == kF2i) return float_to_signed<W>(x);
  if constexpr (op == kF2u) return float_to_unsigned<W>(x);
  if constexpr (op == kI2f) return (U<W>)to_float(i);
  if constexpr (op == kU2f) return (U<W>)unsigned_to_float<W>(a);
  if constexpr (op == kRoundHalf) return half_to_float<W>(float_to_half<W>(a));
  if constexpr (op == kUdiv) return quotient<W>(a, b);
  if constexpr (op == kUmod) return select<W>((U<W>)(b == 0), ~U<W>{}, a - quotient<W>(a, b) * b);
  if constexpr (op == kIdiv)
    return by_lane<W>(a, b, [](Bits m, Bits n) {
      if (n + 1 <= 1) return n == 0 ? ~0u : 0 - m;
      return static_cast<Bits>(static_cast<int32_t>(m) / static_cast<int32_t>(n));
    });
  if constexpr (op == kIrem)
    return by_lane<W>(a, b, [](Bits m, Bits n) {
      if (n + 1 <= 1) return n == 0 ? ~0u : 0;
      return static_cast<Bits>(static_cast<int32_t>(m) % static_cast<int32_t>(n));
    });
}

template <Opcode op, int W>
CUTAWAY_INLINE U<W> component(U<W> a, U<W> b, U<W> c) {
  if constexpr (is_arithmetic(op)) return canonical<W>(arithmetic<op, W>((F<W>)a, (F<W>)b, (F<W>)c));
  else return bitwise<op, W>(a, b, c);
}

template <int W>
CUTAWAY_INLINE U<W> saturated(U<W> bits) {
  const F<W> f = (F<W>)bits;
  const U<W> inside = (U<W>)((f > 0.0f) & (f < 1.0f));
  return select<W>(inside, bits, (U<W>)(f >= 1.0f) & kOne);
}

// Component c of a source for W lanes from `lane` on.
template <int W>
CUTAWAY_INLINE U<W> fetch(const MicroSource& s, const Registers& registers, uint32_t width, uint32_t lane,
                          uint32_t c) {
  U<W> v;
  if (s.file == isa::File::kConstant) {
    v = all<W>(registers.constant[s.component[c]]);
  } else {
    const uint32_t* file = s.file == isa::File::kInput ? registers.input : registers.temporary;
    v = load<W>(file + s.component[c] * width + lane);
  }
  if (s.modified) {
    if (s.integer_absolute) v = select<W>((U<W>)((I<W>)v < 0), U<W>{} - v, v);
    v = ((v & ~s.clear) ^ s.flip) + s.add;
  }
  return v;
}

// The four components of a result; only those in the mask are computed.
template <int W>
struct Result {
  U<W> component[4];
};

template <int W, int terms>
CUTAWAY_INLINE F<W> dot(const MicroOp& m, const Registers& r, uint32_t width, uint32_t lane) {
  F<W> sum{};
  for (uint32_t c = 0; c < terms; ++c) {
    const F<W> product =
        (F<W>)fetch<W>(m.src[0], r, width, lane, c) * (F<W>)fetch<W>(m.src[1], r, width, lane, c);
    sum = c == 0 ? product : sum + product;
  }
  return sum;
}

// Each step equals the instruction of its name.
template <int W>
CUTAWAY_INLINE void normalize(const MicroOp& m, const Registers& r, uint32_t width, uint32_t lane,
                              Result<W>& result) {
  F<W> square{};
  for (uint32_t c = 0; c < 3; ++c) {
    const F<W> value = (F<W>)fetch<W>(m.src[0], r, width, lane, c);
    square = c == 0 ? value * value : square + value * value;
  }
  const U<W> scale = component<Opcode::kRsq, W>(canonical<W>(square), U<W>{}, U<W>{});
  for (uint32_t c = 0; c < 4; ++c)
    if (m.dst_mask >> c & 1)
      result.component[c] = component<Opcode::kMul, W>(fetch<W>(m.src[0], r, width, lane, c), scale, U<W>{});
}

template <Opcode op, int W>
CUTAWAY_INLINE void compute(const MicroOp& m, const Registers& r, uint32_t width, uint32_t lane,
                            Result<W>& result) {
  using enum Opcode;
  constexpr uint32_t kSources = isa::info(op).sources;
  const auto source = [&](uint32_t n, uint32_t c) __attribute__((always_inline)) {
    return n < kSources ? fetch<W>(m.src[n], r, width, lane, c) : U<W>{};
  };
  constexpr int kTerms = op == kDp2 ? 2 : op == kDp3 ? 3 : op == kDp4 ? 4 : 0;
  if constexpr (op == kNrm) {
    normalize<W>(m, r, width, lane, result);
  } else if constexpr (kTerms > 0 || isa::is_scalar(op) || op == kPackHalf) {
    U<W> value;
    if constexpr (kTerms > 0) value = canonical<W>(dot<W, kTerms>(m, r, width, lane));
    else if constexpr (op == kPackHalf)
      value = float_to_half<W>(source(0, 0)) | float_to_half<W>(source(0, 1)) << 16;
    else value = component<op, W>(source(0, 0), source(1, 0), source(2, 0));
    for (U<W>& v : result.component) v = value;
  } else if constexpr (op == kUnpackHalf) {
    const U<W> halves = source(0, 0);
    result.component[0] = result.component[2] = half_to_float<W>(halves & 0xffff);
    result.component[1] = result.component[3] = half_to_float<W>(halves >> 16);
  } else {
    for (uint32_t c = 0; c < 4; ++c)
      if (m.dst_mask >> c & 1)
        result.component[c] = component<op, W>(source(0, c), source(1, c), source(2, c));
  }
}

// Components of the result that depend on the same components of the sources only.
constexpr bool is_by_component(Opcode op) {
  using enum Opcode;
  return op != kDp2 && op != kDp3 && op != kDp4 && op != kNrm && op != kPackHalf && op != kUnpackHalf &&
         !isa::is_scalar(op);
}

// Executes an instruction with MicroOp::in_turn in all lanes: what depends on a component alone is chosen
// once for it.
template <Opcode op, int W>
CUTAWAY_INLINE void execute_in_turn(const MicroOp& m, const Registers& r, uint32_t width, uint32_t* out) {
  constexpr uint32_t kSources = isa::info(op).sources;
  for (uint32_t c = 0; c < 4; ++c) {
    if (!(m.dst_mask >> c & 1)) continue;
    alignas(4 * W) uint32_t constant[3][W];
    const uint32_t* from[3] = {};
    uint32_t varies[3] = {};  // all ones: by lane
    for (uint32_t n = 0; n < kSources; ++n) {
      const MicroSource& s = m.src[n];
      if (s.file == isa::File::kConstant) {
        store<W>(constant[n], all<W>(r.constant[s.component[c]]));
        from[n] = constant[n];
      } else {
        from[n] = (s.file == isa::File::kInput ? r.input : r.temporary) + s.component[c] * width;
        varies[n] = ~0u;
      }
    }
    const auto source = [&](uint32_t n, uint32_t lane) __attribute__((always_inline)) {
      return n < kSources ? load<W>(from[n] + (lane & varies[n])) : U<W>{};
    };
    for (uint32_t lane = 0; lane < width; lane += W) {
      U<W> value = component<op, W>(source(0, lane), source(1, lane), source(2, lane));
      if (isa::may_saturate(op) && m.saturate) value = saturated<W>(value);
      store<W>(out + c * width + lane, value);
    }
  }
}

// Executes one instruction for a group. All sources of W lanes are read before their result is written.
template <Opcode op, int W>
void execute(const MicroOp& m, const Registers& r, uint32_t width, const uint32_t* mask) {
  constexpr bool kMaySaturate = isa::may_saturate(op);
  uint32_t* out = (m.dst_file == isa::File::kTemporary ? r.temporary : r.output) + m.dst * 4 * width;
  if constexpr (is_by_component(op))
    if (m.in_turn && !mask) return execute_in_turn<op, W>(m, r, width, out);
  for (uint32_t lane = 0; lane < width; lane += W) {
    Result<W> result;
    compute<op, W>(m, r, width, lane, result);
    for (uint32_t c = 0; c < 4; ++c) {
      if (!(m.dst_mask >> c & 1)) continue;
      uint32_t* to = out + c * width + lane;
      U<W> value = result.component[c];
      if (kMaySaturate && m.saturate) value = saturated<W>(value);
      if (mask) value = select<W>(load<W>(mask + lane), value, load<W>(to));
      store<W>(to, value);
    }
  }
}

template <Opcode op, int W>
constexpr AluFunction function_of() {
  constexpr isa::OpClass c = isa::info(op).op_class;
  if constexpr (isa::is_of_quad(op)) return nullptr;       // ThreadGroup::of_quad()
  else if constexpr (isa::has_window(op)) return nullptr;  // load_constant()
  else if constexpr (isa::is_double(op)) return nullptr;   // double_function()
  else if constexpr (c == isa::OpClass::kSimd || c == isa::OpClass::kScalar) return execute<op, W>;
  else return nullptr;
}

template <int W>
struct Table {
  AluFunction function[isa::kOpcodes];

  template <size_t... op>
  static constexpr Table make(std::index_sequence<op...>) {
    return {{function_of<static_cast<Opcode>(op), W>()...}};
  }
};

template <int W>
constexpr Table<W> kTable = Table<W>::make(std::make_index_sequence<isa::kOpcodes>());

}  // namespace cutaway::func::CUTAWAY_ALU
