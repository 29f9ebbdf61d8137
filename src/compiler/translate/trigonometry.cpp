#include "compiler/translate/trigonometry.h"

#include <numbers>
#include <spirv/unified1/GLSL.std.450.h>

namespace cutaway::compiler {

Lanes Trigonometry::polynomial(const Lanes& x, std::initializer_list<float> coefficients) {
  Lanes sum;
  for (float c : coefficients)
    sum = sum.empty() ? constant_lanes(c, x.size()) : mad(sum, x, constant_lanes(c, x.size()));
  return sum;
}

// Vulkan permits 4096 ulp for the inverse functions. Minimax polynomials.
Lanes Trigonometry::atan(const Lanes& t) {
  const size_t n = t.size();
  const Lanes magnitude = Builder::absolute(t), one = constant_lanes(1, n);
  // Reduced to [0, 1] by atan t = π/2 - atan(1/t).
  const Lanes large = b.op2(Opcode::kFlt, one, magnitude);
  const Lanes u = select(large, b.scalar(Opcode::kRcp, magnitude), magnitude);
  const Lanes s = mul(u, u);
  const Lanes p = mul(u, polynomial(s, {-0.0040540580f, 0.0218612288f, -0.0559098861f, 0.0964200441f,
                                        -0.1390853351f, 0.1994653599f, -0.3332985605f, 0.9999993329f}));
  const Lanes r = select(large, sub(constant_lanes(std::numbers::pi_v<float> / 2, n), p), p);
  // Restores t's sign.
  const Lanes sign = b.op2(Opcode::kAnd, t, Builder::splat(literal(0x80000000), n));
  return b.op2(Opcode::kOr, r, sign);
}

Lanes Trigonometry::translate(const Word& word, uint32_t op, const Lanes& x, const Lanes& second) {
  const size_t n = x.size();
  const Lanes one = constant_lanes(1, n), half = constant_lanes(0.5f, n);
  const float log2e = std::numbers::log2e_v<float>, pi = std::numbers::pi_v<float>;
  switch (op) {
    case GLSLstd450Tan:
      return divide(b.scalar(Opcode::kSin, x), b.scalar(Opcode::kCos, x));
    case GLSLstd450Sinh:
    case GLSLstd450Cosh: {
      const Lanes e = exp2(mul(x, constant_lanes(log2e, n))), i = exp2(mul(x, constant_lanes(-log2e, n)));
      return mul(half, op == GLSLstd450Sinh ? sub(e, i) : add(e, i));
    }
    case GLSLstd450Tanh: {  // 1 - 2 / (e^2x + 1), exact at both ends
      const Lanes e = exp2(mul(x, constant_lanes(2 * log2e, n)));
      return sub(one, mul(constant_lanes(2, n), b.scalar(Opcode::kRcp, add(e, one))));
    }
    case GLSLstd450Asinh: {
      const Lanes m = Builder::absolute(x);
      const Lanes r = mul(log2(add(m, b.scalar(Opcode::kSqrt, add(mul(x, x), one)))),
                          constant_lanes(std::numbers::ln2_v<float>, n));
      return b.op2(Opcode::kOr, r, b.op2(Opcode::kAnd, x, Builder::splat(literal(0x80000000), n)));
    }
    case GLSLstd450Acosh:
      return mul(log2(add(x, b.scalar(Opcode::kSqrt, sub(mul(x, x), one)))),
                 constant_lanes(std::numbers::ln2_v<float>, n));
    case GLSLstd450Atanh:
      return mul(log2(divide(add(one, x), sub(one, x))), constant_lanes(std::numbers::ln2_v<float> / 2, n));
    case GLSLstd450Asin:
    case GLSLstd450Acos: {  // acos |x| = sqrt(1 - |x|) p(|x|)
      const Lanes m = Builder::absolute(x);
      const Lanes p = polynomial(m, {-0.0012624911f, 0.0066700901f, -0.0170881256f, 0.0308918810f,
                                     -0.0501743046f, 0.0889789874f, -0.2145988016f, 1.5707963050f});
      const Lanes r = mul(b.scalar(Opcode::kSqrt, sub(one, m)), p);
      const Lanes acos = b.op3(Opcode::kCmp, x, sub(constant_lanes(pi, n), r), r);
      if (op == GLSLstd450Acos) return acos;
      // Near zero the difference would cancel: asin x = x + x³/6 ….
      const Lanes s = mul(x, x);
      const Lanes near = mul(x, polynomial(s, {0.0424173738f, 0.0239939996f, 0.0455206356f, 0.0749469669f,
                                               0.1666678201f, 1.0f}));
      return select(b.op2(Opcode::kFlt, m, half), near, sub(constant_lanes(pi / 2, n), acos));
    }
    case GLSLstd450Atan:
      return atan(x);
    case GLSLstd450Atan2: {
      // atan(y / x), moved to the quadrant of (x, y); always divides the smaller by the larger.
      const Lanes &y = x, &base = second;
      if (base.size() != n) invalid(word, "needs two operands of one size");
      const Lanes ax = Builder::absolute(base), ay = Builder::absolute(y);
      const Lanes steep = b.op2(Opcode::kFlt, ax, ay);
      const Lanes largest = b.op2(Opcode::kMax, ax, ay), smallest = b.op2(Opcode::kMin, ax, ay);
      const Lanes zero = constant_lanes(0, n);
      const Lanes origin = b.op2(Opcode::kFeq, largest, zero);
      // The reciprocal of a number above 2^126 would be denormal.
      const Lanes scale =
          select(b.op2(Opcode::kFlt, constant_lanes(0x1p126f, n), largest), constant_lanes(0.25f, n), one);
      const Lanes ratio = select(origin, zero, divide(mul(smallest, scale), mul(largest, scale)));
      Lanes r = atan(ratio);
      r = select(steep, sub(constant_lanes(pi / 2, n), r), r);
      const Lanes negative = b.op2(Opcode::kIlt, base, Builder::splat(literal(0), n));
      r = select(negative, sub(constant_lanes(pi, n), r), r);
      return b.op2(Opcode::kOr, r, b.op2(Opcode::kAnd, y, Builder::splat(literal(0x80000000), n)));
    }
    default:
      unsupported(word);
  }
}

}  // namespace cutaway::compiler
