#include <spirv/unified1/GLSL.std.450.h>

#include "compiler/translate/doubles.h"
#include "compiler/translate/glsl.h"
#include "compiler/translate/square_matrix.h"
#include "compiler/translate/wide.h"

// GLSL.std.450 of 64-bit floats.
namespace cutaway::compiler {
namespace {

// Instructions of the machine, by number of operands.
struct Row {
  uint32_t op;
  Opcode code;
};
constexpr Row kTable[] = {
    {GLSLstd450Round, Opcode::kDrne},   {GLSLstd450RoundEven, Opcode::kDrne},
    {GLSLstd450Trunc, Opcode::kDtrunc}, {GLSLstd450Floor, Opcode::kDflr},
    {GLSLstd450Ceil, Opcode::kDceil},   {GLSLstd450Sqrt, Opcode::kDsqrt},
    {GLSLstd450FMin, Opcode::kDmin},    {GLSLstd450NMin, Opcode::kDmin},
    {GLSLstd450FMax, Opcode::kDmax},    {GLSLstd450NMax, Opcode::kDmax},
    {GLSLstd450Fma, Opcode::kDfma},
};

}  // namespace

Lanes Glsl::of_doubles(const Word& word, uint32_t op, const std::vector<Lanes>& a) {
  Doubles d(b);
  for (const Row& row : kTable) {
    if (row.op != op) continue;
    if (a.size() != isa::info(row.code).sources) invalid(word, "has too few operands");
    return d.op(row.code, a);
  }
  const auto other = [&](size_t i) -> const Lanes& {
    if (i >= a.size()) invalid(word, "has too few operands");
    return a[i];
  };
  const Lanes& x = other(0);
  const size_t n = d.elements(x);
  const auto clamped = [&](const Lanes& v, const Lanes& least, const Lanes& most) {
    return d.min(d.max(v, least), most);
  };
  switch (op) {
    case GLSLstd450FAbs:
      return d.absolute(x);
    case GLSLstd450FSign:
      return d.sign(x);
    case GLSLstd450Fract:
      return d.sub(x, d.floor(x));
    case GLSLstd450InverseSqrt:
      return d.inverse_sqrt(x);
    case GLSLstd450FClamp:
    case GLSLstd450NClamp:
      return clamped(x, other(1), other(2));
    case GLSLstd450FMix:
      return d.add(d.mul(x, d.sub(d.constant(1, n), other(2))), d.mul(other(1), other(2)));
    case GLSLstd450Step:
      return d.select(d.op(Opcode::kDge, {other(1), x}), d.constant(1, n), d.constant(0, n));
    case GLSLstd450SmoothStep: {
      const Lanes ratio = d.divide(d.sub(other(2), x), d.sub(other(1), x));
      const Lanes t = clamped(ratio, d.constant(0, n), d.constant(1, n));
      return d.mul(d.mul(t, t), d.sub(d.constant(3, n), d.mul(d.constant(2, n), t)));
    }
    case GLSLstd450Modf:
    case GLSLstd450ModfStruct:
      return modf(word, op, x, d);
    case GLSLstd450Frexp:
    case GLSLstd450FrexpStruct: {
      const Doubles::Parts parts = d.frexp(x);
      return two_results(word, op == GLSLstd450Frexp, parts.significand, parts.exponent);
    }
    case GLSLstd450Ldexp:
      if (other(1).size() != n) invalid(word, "has operands of different sizes");
      return d.ldexp(x, other(1));
    case GLSLstd450PackDouble2x32:
    case GLSLstd450UnpackDouble2x32:
      return b.bits(x);
    case GLSLstd450Determinant:
      return determinant(x, d);
    case GLSLstd450MatrixInverse:
      return inverse(x, d);
    case GLSLstd450Length:
    case GLSLstd450Distance:
    case GLSLstd450Cross:
    case GLSLstd450Normalize:
    case GLSLstd450FaceForward:
    case GLSLstd450Reflect:
      return geometry(word, op, a, d);
    case GLSLstd450Refract: {  // the ratio of indices may be a float
      std::vector<Lanes> operands = a;
      if (other(2).size() == 1) operands[2] = d.op(Opcode::kF2d, {operands[2]});
      return geometry(word, op, operands, d);
    }
    default:
      unsupported("{} of doubles is not supported", glsl_name(op));
  }
}

}  // namespace cutaway::compiler
