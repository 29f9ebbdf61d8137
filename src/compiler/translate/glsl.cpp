#include "compiler/translate/glsl.h"

#include <algorithm>
#include <numbers>
#include <spirv/unified1/GLSL.std.450.h>

#include "compiler/translate/square_matrix.h"
#include "compiler/translate/wide.h"

namespace cutaway::compiler {
namespace {

// Operand `index` after the instruction's number.
const Lanes& operand(const Word& word, const std::vector<Lanes>& operands, size_t index) {
  if (index >= operands.size()) invalid(word, "has too few operands");
  return operands[index];
}

}  // namespace

bool Glsl::reads_signed(uint32_t op) {
  return op == GLSLstd450SAbs || op == GLSLstd450SSign || op == GLSLstd450SMin || op == GLSLstd450SMax ||
         op == GLSLstd450SClamp || op == GLSLstd450Ldexp;
}

// An operand as the instruction reads it.
Lanes Glsl::operand_of(uint32_t id, uint32_t op) {
  const Type& scalar = scalar_of(id);
  if (scalar.kind != TypeKind::kInt) return get(id);
  if (is_small(scalar) && reads_signed(op)) return sign_extended(scalar, get(id));
  return op == GLSLstd450Ldexp ? low_words(id) : get(id);
}

Lanes Glsl::translate(const Word& word) {
  const uint32_t op = arg(word, 1);
  std::vector<Lanes> a;
  for (size_t i = 2; i < word.words.size(); ++i) {
    const bool pointer = (op == GLSLstd450Modf || op == GLSLstd450Frexp) && i == 3;
    a.push_back(pointer ? Lanes{} : operand_of(word.words[i], op));
  }
  return computed(word, op, a);
}

Lanes Glsl::computed(const Word& word, uint32_t op, const std::vector<Lanes>& a) {
  if (is_double(m_.scalar(word.type)) || (word.words.size() > 2 && is_double(scalar_of(word.words[2]))))
    return of_doubles(word, op, a);
  if (m_.scalar(word.type).bits == 64) return wide(word, op, a);
  return narrowed(word.type, of_words(word, op, a));
}

// Integers of 64 bits.
Lanes Glsl::wide(const Word& word, uint32_t op, const std::vector<Lanes>& a) {
  Wide w(b);
  const Lanes& x = operand(word, a, 0);
  const bool is_signed = reads_signed(op);
  const auto other = [&](size_t i) -> const Lanes& {
    if (operand(word, a, i).size() != x.size()) invalid(word, "has operands of different sizes");
    return a[i];
  };
  const auto least = [&](const Lanes& m, const Lanes& n) { return w.select(w.less(m, n, is_signed), m, n); };
  const auto most = [&](const Lanes& m, const Lanes& n) { return w.select(w.less(m, n, is_signed), n, m); };
  switch (op) {
    case GLSLstd450SAbs:
      return w.absolute(x);
    case GLSLstd450SSign: {  // the sign of the high word, or 1 if that is 0 and a low bit is set
      const Lanes sign = b.op2(Opcode::kAsr, Wide::high(x), Builder::splat(literal(31), x.size() / 2));
      const Lanes is_zero = w.equal(x, Lanes(x.size(), literal(0)));
      const Lanes one =
          b.op2(Opcode::kAnd, b.logical_not(is_zero), Builder::splat(literal(1), is_zero.size()));
      return Wide::join(b.op2(Opcode::kOr, sign, one), sign);
    }
    case GLSLstd450UMin:
    case GLSLstd450SMin:
      return least(x, other(1));
    case GLSLstd450UMax:
    case GLSLstd450SMax:
      return most(x, other(1));
    case GLSLstd450UClamp:
    case GLSLstd450SClamp:
      return least(most(x, other(1)), other(2));
    default:
      unsupported("{} of 64 bits is not supported", glsl_name(op));
  }
}

Lanes Glsl::of_words(const Word& word, uint32_t op, const std::vector<Lanes>& a) {
  struct Row {
    uint32_t op;
    Opcode code;
    bool scalar;
  };
  static constexpr Row kTable[] = {
      {GLSLstd450Round, Opcode::kRne, false},     {GLSLstd450RoundEven, Opcode::kRne, false},
      {GLSLstd450Trunc, Opcode::kTrunc, false},   {GLSLstd450FSign, Opcode::kSgn, false},
      {GLSLstd450Floor, Opcode::kFlr, false},     {GLSLstd450Ceil, Opcode::kCeil, false},
      {GLSLstd450Fract, Opcode::kFrc, false},     {GLSLstd450Sin, Opcode::kSin, true},
      {GLSLstd450Cos, Opcode::kCos, true},        {GLSLstd450Pow, Opcode::kPow, true},
      {GLSLstd450Exp2, Opcode::kEx2, true},       {GLSLstd450Log2, Opcode::kLg2, true},
      {GLSLstd450Sqrt, Opcode::kSqrt, true},      {GLSLstd450InverseSqrt, Opcode::kRsq, true},
      {GLSLstd450FMin, Opcode::kMin, false},      {GLSLstd450UMin, Opcode::kUmin, false},
      {GLSLstd450SMin, Opcode::kImin, false},     {GLSLstd450FMax, Opcode::kMax, false},
      {GLSLstd450UMax, Opcode::kUmax, false},     {GLSLstd450SMax, Opcode::kImax, false},
      {GLSLstd450NMin, Opcode::kMin, false},      {GLSLstd450NMax, Opcode::kMax, false},
      {GLSLstd450Fma, Opcode::kMad, false},       {GLSLstd450FindILsb, Opcode::kFfs, false},
      {GLSLstd450FindSMsb, Opcode::kIfls, false}, {GLSLstd450FindUMsb, Opcode::kUfls, false},
  };
  for (const Row& row : kTable) {
    if (row.op != op) continue;
    if (a.size() != isa::info(row.code).sources) invalid(word, "has too few operands");
    if (row.scalar) return a.size() == 1 ? b.scalar(row.code, a[0]) : b.scalar(row.code, a[0], a[1]);
    return b.op(row.code, a);
  }
  if (a.empty()) unsupported("{} is not supported", glsl_name(op));
  const size_t n = a[0].size();
  Singles f(b);
  switch (op) {
    case GLSLstd450FAbs:
      return m_.flushes_floats ? mul(Builder::absolute(a[0]), constant_lanes(1, n)) : Builder::absolute(a[0]);
    case GLSLstd450SAbs:
      return b.op2(Opcode::kImax, a[0], b.ineg(a[0]));
    case GLSLstd450SSign:
      return b.op2(Opcode::kImin, b.op2(Opcode::kImax, a[0], Builder::splat(literal(~0u), n)),
                   Builder::splat(literal(1), n));
    case GLSLstd450Radians:
      return mul(a[0], constant_lanes(std::numbers::pi_v<float> / 180.0f, n));
    case GLSLstd450Degrees:
      return mul(a[0], constant_lanes(180.0f / std::numbers::pi_v<float>, n));
    case GLSLstd450Exp:
      return exp2(mul(a[0], constant_lanes(std::numbers::log2e_v<float>, n)));
    case GLSLstd450Log:
      return mul(log2(a[0]), constant_lanes(std::numbers::ln2_v<float>, n));
    case GLSLstd450FClamp:
    case GLSLstd450NClamp:
      return b.op2(Opcode::kMin, b.op2(Opcode::kMax, a[0], operand(word, a, 1)), operand(word, a, 2));
    case GLSLstd450UClamp:
      return b.op2(Opcode::kUmin, b.op2(Opcode::kUmax, a[0], operand(word, a, 1)), operand(word, a, 2));
    case GLSLstd450SClamp:
      return b.op2(Opcode::kImin, b.op2(Opcode::kImax, a[0], operand(word, a, 1)), operand(word, a, 2));
    case GLSLstd450FMix:
      return b.op3(Opcode::kLrp, operand(word, a, 2), operand(word, a, 1), a[0]);
    case GLSLstd450Step:
      return b.op2(Opcode::kSge, operand(word, a, 1), a[0]);
    case GLSLstd450SmoothStep: {
      const Lanes t = b.saturate(divide(sub(operand(word, a, 2), a[0]), sub(operand(word, a, 1), a[0])));
      return mul(mul(t, t), mad(t, constant_lanes(-2, n), constant_lanes(3, n)));
    }
    case GLSLstd450Sinh:
    case GLSLstd450Cosh:
    case GLSLstd450Tanh:
    case GLSLstd450Asinh:
    case GLSLstd450Acosh:
    case GLSLstd450Atanh:
    case GLSLstd450Tan:
    case GLSLstd450Asin:
    case GLSLstd450Acos:
    case GLSLstd450Atan:
    case GLSLstd450Atan2:
      return trigonometry_.translate(word, op, a[0], a.size() > 1 ? a[1] : Lanes{});
    case GLSLstd450Modf:
    case GLSLstd450ModfStruct:
      return modf(word, op, a[0], f);
    case GLSLstd450Frexp:
    case GLSLstd450FrexpStruct:
    case GLSLstd450Ldexp:
      return fraction(word, op, a);
    case GLSLstd450Determinant:
      return determinant(a[0], f);
    case GLSLstd450MatrixInverse:
      return inverse(a[0], f);
    case GLSLstd450Length:
    case GLSLstd450Distance:
    case GLSLstd450Cross:
    case GLSLstd450Normalize:
    case GLSLstd450FaceForward:
    case GLSLstd450Reflect:
    case GLSLstd450Refract:
      return geometry(word, op, a, f);
    default:
      return pack(word, op, a[0]);
  }
}

// Uses a single instruction.
Lanes Glsl::normalize(const Lanes& x) {
  Inst inst{.op = Opcode::kNrm, .width = 3, .sources = 1};
  inst.src[0].width = 3;
  std::copy(x.begin(), x.end(), inst.src[0].ref.begin());
  const uint32_t id = b.append(inst);
  return {b.ref(id, 0), b.ref(id, 1), b.ref(id, 2)};
}

Lanes Glsl::geometry(const Word& word, uint32_t op, const std::vector<Lanes>& a, Floats& f) {
  const Lanes& x = a[0];
  const size_t n = f.elements(x);
  auto second = [&]() -> const Lanes& { return operand(word, a, 1); };
  switch (op) {
    case GLSLstd450Length:
      if (n == 1) return f.absolute(x);
      return f.sqrt(f.dot(x, x));
    case GLSLstd450Distance: {
      const Lanes d = f.sub(x, second());
      if (n == 1) return f.absolute(d);
      return f.sqrt(f.dot(d, d));
    }
    case GLSLstd450Normalize:
      if (n == 1) return f.sign(x);
      if (request_.halves && n == 3 && x.size() == 3 && m_.decoration(word.result).relaxed)
        return normalize(x);
      return f.mul(x, f.splat(f.inverse_sqrt(f.dot(x, x)), n));
    case GLSLstd450Cross: {
      const Lanes& y = second();
      if (n != 3 || y.size() != x.size()) invalid(word, "Cross needs three components");
      const auto turned = [&](const Lanes& v, size_t first) {
        Lanes all;
        for (size_t i = 0; i < 3; ++i) {
          const Lanes one = f.part(v, (first + i) % 3, 1);
          all.insert(all.end(), one.begin(), one.end());
        }
        return all;
      };
      return f.mad(turned(x, 1), turned(y, 2), f.negate(f.mul(turned(x, 2), turned(y, 1))));
    }
    case GLSLstd450FaceForward: {
      const Lanes d = f.dot(operand(word, a, 2), second());
      return f.if_negative(f.splat(d, n), x, f.negate(x));
    }
    case GLSLstd450Reflect: {
      const Lanes twice = f.mul(f.dot(second(), x), f.constant(-2, 1));
      return f.mad(f.splat(twice, n), second(), x);
    }
    default: {  // Refract
      const Lanes &normal = second(), &eta = operand(word, a, 2);
      const Lanes d = f.dot(normal, x), one = f.constant(1, 1);
      const Lanes k = f.sub(one, f.mul(f.mul(eta, eta), f.sub(one, f.mul(d, d))));
      const Lanes factor = f.add(f.mul(eta, d), f.sqrt(f.max(k, f.constant(0, 1))));
      const Lanes bent = f.sub(f.mul(f.splat(eta, n), x), f.mul(f.splat(factor, n), normal));
      return f.if_negative(f.splat(k, n), f.constant(0, n), bent);
    }
  }
}

// Stores the whole part through a pointer, or appends it to the result.
Lanes Glsl::modf(const Word& word, uint32_t op, const Lanes& x, Floats& f) {
  const Lanes whole = f.trunc(x);
  return two_results(word, op == GLSLstd450Modf, f.sub(x, whole), whole);
}

Lanes Glsl::two_results(const Word& word, bool to_pointer, Lanes first, const Lanes& second) {
  if (!to_pointer) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  }
  stores_.store(stores_.pointer_of(word, 3), second);
  return first;
}

Lanes Glsl::fraction(const Word& word, uint32_t op, const std::vector<Lanes>& a) {
  const Lanes& x = a[0];
  const size_t n = x.size();
  const Lanes zero = Builder::splat(literal(0), n);
  if (op == GLSLstd450Ldexp) {
    // Three factors within the exponent range suffice to reach both ends from any number. Digits lost by an
    // intermediate product would not be in the result either.
    const auto lanes = [&](int32_t value) {
      return Builder::splat(literal(static_cast<uint32_t>(value)), n);
    };
    Lanes product = x, left = operand(word, a, 1);
    for (int factor = 0; factor < 3; ++factor) {
      const Lanes e = b.op2(Opcode::kImin, b.op2(Opcode::kImax, left, lanes(-126)), lanes(127));
      product = mul(product, b.op2(Opcode::kShl, b.op2(Opcode::kIadd, e, lanes(127)), lanes(23)));
      left = b.op2(Opcode::kIadd, left, b.ineg(e));
    }
    return product;
  }
  // Frexp: the exponent's bits, biased by 126; a significand in [0.5, 1).
  const Lanes is_zero = b.op2(Opcode::kFeq, x, zero);
  const Lanes bits = b.op3(Opcode::kUbfe, x, Builder::splat(literal(23), n), Builder::splat(literal(8), n));
  const Lanes exponent =
      select(is_zero, zero, b.op2(Opcode::kIadd, bits, Builder::splat(literal(0u - 126), n)));
  const Lanes kept = b.op2(Opcode::kAnd, x, Builder::splat(literal(0x807fffff), n));
  const Lanes significand =
      select(is_zero, x, b.op2(Opcode::kOr, kept, Builder::splat(literal(0x3f000000), n)));
  return two_results(word, op == GLSLstd450Frexp, significand, exponent);
}

Lanes Glsl::pack(const Word& word, uint32_t op, const Lanes& a) {
  struct Row {
    uint32_t op;
    uint32_t count, bits;
    bool is_signed, pack;
  };
  static constexpr Row kTable[] = {
      {GLSLstd450PackSnorm4x8, 4, 8, true, true},      {GLSLstd450PackUnorm4x8, 4, 8, false, true},
      {GLSLstd450PackSnorm2x16, 2, 16, true, true},    {GLSLstd450PackUnorm2x16, 2, 16, false, true},
      {GLSLstd450UnpackSnorm4x8, 4, 8, true, false},   {GLSLstd450UnpackUnorm4x8, 4, 8, false, false},
      {GLSLstd450UnpackSnorm2x16, 2, 16, true, false}, {GLSLstd450UnpackUnorm2x16, 2, 16, false, false},
  };
  if (op == GLSLstd450PackHalf2x16) {
    Inst inst{.op = Opcode::kPackHalf, .width = 1, .sources = 1};
    inst.src[0].width = 2;
    for (uint32_t i = 0; i < 2; ++i) inst.src[0].ref[i] = component(a, i);
    return {b.ref(b.append(inst), 0)};
  }
  if (op == GLSLstd450UnpackHalf2x16) {
    Inst inst{.op = Opcode::kUnpackHalf, .width = 2, .sources = 1};
    inst.src[0].width = 1;
    inst.src[0].ref[0] = component(b.bits(a), 0);
    const uint32_t id = b.append(inst);
    return {b.ref(id, 0), b.ref(id, 1)};
  }
  for (const Row& row : kTable) {
    if (row.op != op) continue;
    const auto scale = static_cast<float>((1u << (row.bits - row.is_signed)) - 1);
    const uint32_t n = row.count;
    Lanes shifts, widths = Builder::splat(literal(row.bits), n);
    for (uint32_t i = 0; i < n; ++i) shifts.push_back(literal(i * row.bits));
    if (!row.pack) {
      const Lanes fields = b.op3(row.is_signed ? Opcode::kIbfe : Opcode::kUbfe,
                                 Builder::splat(component(a, 0), n), shifts, widths);
      const Lanes value =
          mul(b.op1(row.is_signed ? Opcode::kI2f : Opcode::kU2f, fields), constant_lanes(1 / scale, n));
      return row.is_signed ? b.op2(Opcode::kMax, value, constant_lanes(-1, n)) : value;
    }
    if (a.size() != n) invalid(word, "has too few components");
    Lanes value = row.is_signed ? b.op2(Opcode::kMin, b.op2(Opcode::kMax, a, constant_lanes(-1, n)),
                                        constant_lanes(1, n))
                                : b.saturate(a);
    value = b.op1(Opcode::kF2i, b.op1(Opcode::kRne, mul(value, constant_lanes(scale, n))));
    if (row.is_signed) value = b.op2(Opcode::kAnd, value, Builder::splat(literal((1u << row.bits) - 1), n));
    value = b.op2(Opcode::kShl, value, shifts);
    Lanes all = {value[0]};
    for (uint32_t i = 1; i < n; ++i) all = b.op2(Opcode::kOr, all, {value[i]});
    return all;
  }
  unsupported("{} is not supported", glsl_name(op));
}

}  // namespace cutaway::compiler
