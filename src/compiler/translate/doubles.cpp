#include "compiler/translate/doubles.h"

#include <bit>

#include "compiler/refusal.h"
#include "compiler/translate/wide.h"
#include "isa/operands.h"

namespace cutaway::compiler {
namespace {

constexpr uint32_t kSign = 0x80000000;

// Turns a negated high word into a modifier of the operand.
Operand double_operand(Builder& b, const Builder::Lanes& element) {
  Operand operand{.width = 2};
  Ref high = element[1];
  operand.invert = high.negate;
  high.negate = false;
  const Builder::Lanes plain = b.bits({element[0], high});
  operand.ref[0] = plain[0], operand.ref[1] = plain[1];
  return operand;
}

uint64_t bits_of(const Operand& operand) {
  const uint64_t high = operand.width > 1 ? operand.ref[1].index : 0;
  return high << 32 | operand.ref[0].index;
}

bool is_literal(const Operand& operand) {
  return operand.ref[0].is_literal() && (operand.width == 1 || operand.ref[1].is_literal());
}

}  // namespace

Floats::Lanes Doubles::op(Opcode op, const std::vector<Lanes>& sources) {
  const size_t each = isa::reads_doubles(op) ? 2 : 1, results = isa::gives_double(op) ? 2 : 1;
  const size_t count = sources[0].size() / each;
  for (const Lanes& source : sources)
    if (source.size() != count * each) invalid("instruction {}: operands of different sizes", b.line);
  std::vector<std::array<Operand, 3>> known;
  Lanes all;
  for (size_t i = 0; i < count; ++i) {
    Inst inst{
        .op = op, .width = static_cast<uint8_t>(results), .sources = static_cast<uint8_t>(sources.size())};
    bool literals = true;
    std::array<uint64_t, 3> values{};
    for (size_t s = 0; s < sources.size(); ++s) {
      const auto at = sources[s].begin() + static_cast<ptrdiff_t>(i * each);
      const Lanes element(at, at + static_cast<ptrdiff_t>(each));
      if (each == 2) inst.src[s] = double_operand(b, element);
      else inst.src[s] = {.ref = {float_source(op, 0) ? element[0] : b.bits(element)[0]}, .width = 1};
      literals = literals && is_literal(inst.src[s]);
      values[s] = bits_of(inst.src[s]);
    }
    // Reuses an earlier element that is equal, known to the compiler, or already computed.
    size_t same = 0;
    while (same < known.size() && known[same] != inst.src) ++same;
    known.push_back(inst.src);
    uint64_t value = 0;
    for (size_t k = 0; k < results; ++k)
      if (same < i) all.push_back(all[same * results + k]);
      else if (literals && fold_doubles(op, values, value))
        all.push_back(literal(static_cast<uint32_t>(value >> 32 * k)));
      else if (k == 0) all.push_back(b.ref(b.append(inst), 0));
      else all.push_back(b.ref(all.back().index, 1));
  }
  return all;
}

Floats::Lanes Doubles::constant(double value, size_t elements) {
  const auto bits = std::bit_cast<uint64_t>(value);
  return splat({literal(static_cast<uint32_t>(bits)), literal(static_cast<uint32_t>(bits >> 32))}, elements);
}

Floats::Lanes Doubles::select(const Lanes& condition, const Lanes& yes, const Lanes& no) {
  return b.op3(Opcode::kSel, Wide::join(condition, condition), yes, no);
}

Floats::Lanes Doubles::negate(const Lanes& x) {
  return Wide::join(Wide::low(x), Builder::negate(Wide::high(x)));
}

Floats::Lanes Doubles::absolute(const Lanes& x) {
  return Wide::join(Wide::low(x), Builder::absolute(Wide::high(x)));
}

Floats::Lanes Doubles::sign(const Lanes& x) {
  const size_t n = elements(x);
  const Lanes zero = constant(0, n), one = constant(1, n);
  const Lanes positive = select(op(Opcode::kDlt, {zero, x}), one, zero);
  return select(op(Opcode::kDlt, {x, zero}), constant(-1, n), positive);
}

Floats::Lanes Doubles::dot(const Lanes& x, const Lanes& y) {
  const Lanes products = mul(x, y);
  Lanes sum = part(products, 0, 1);
  for (size_t i = 1; i < elements(x); ++i) sum = add(sum, part(products, i, 1));
  return sum;
}

Floats::Lanes Doubles::is_infinite(const Lanes& x) {
  const Lanes magnitude = words_of(Opcode::kAnd, Wide::high(x), ~kSign);
  return b.op2(Opcode::kAnd, words_of(Opcode::kIeq, magnitude, 0x7ff00000),
               words_of(Opcode::kIeq, Wide::low(x), 0));
}

// The contributions of both words are exact, so only their sum rounds.
Floats::Lanes Doubles::of_wide(const Lanes& x, bool is_signed) {
  const Lanes high = op(is_signed ? Opcode::kI2d : Opcode::kU2d, {Wide::high(x)});
  return op(Opcode::kDfma, {high, constant(0x1p32, elements(x)), op(Opcode::kU2d, {Wide::low(x)})});
}

// The remainder after the high word is exact too.
Floats::Lanes Doubles::to_wide(const Lanes& x, bool is_signed) {
  const size_t n = elements(x);
  const Lanes magnitude = is_signed ? absolute(x) : x;
  const Lanes top = op(Opcode::kD2u, {mul(magnitude, constant(0x1p-32, n))});
  const Lanes taken = op(Opcode::kU2d, {top});
  const Lanes rest = op(Opcode::kDfma, {negate(taken), constant(0x1p32, n), magnitude});
  const Lanes value = Wide::join(op(Opcode::kD2u, {rest}), top);
  if (!is_signed) return value;
  Wide w(b);
  return w.select(op(Opcode::kDlt, {x, constant(0, n)}), w.negate(value), value);
}

// Cuts x to the digits of a float, with the last digit set if any lost digit was: a float has more than two
// digits beyond a half's, so rounding the result to a half equals rounding the double.
Floats::Lanes Doubles::to_float_of_half(const Lanes& x) {
  constexpr uint32_t kBelow = (1u << 29) - 1;
  const Lanes low = b.bits(Wide::low(x));
  const Lanes gone = words_of(Opcode::kIne, words_of(Opcode::kAnd, low, kBelow), 0);
  const Lanes cut =
      b.op2(Opcode::kOr, words_of(Opcode::kAnd, low, ~kBelow), words_of(Opcode::kAnd, gone, kBelow + 1));
  return op(Opcode::kD2f, {Wide::join(cut, Wide::high(x))});
}

// The significand's exponent is -1. A denormal is normalised first.
Doubles::Parts Doubles::frexp(const Lanes& x) {
  const size_t n = elements(x);
  const auto exponent_of = [&](const Lanes& value) {
    return b.op3(Opcode::kUbfe, Wide::high(value), Builder::splat(literal(20), n),
                 Builder::splat(literal(11), n));
  };
  const Lanes kept = b.bits(x);
  const Lanes is_small = words_of(Opcode::kIeq, exponent_of(kept), 0);
  const Lanes normal = select(is_small, mul(kept, constant(0x1p54, n)), kept);
  const Lanes bias = b.op3(Opcode::kSel, is_small, Builder::splat(literal(0u - 1022 - 54), n),
                           Builder::splat(literal(0u - 1022), n));
  const Lanes high =
      words_of(Opcode::kOr, words_of(Opcode::kAnd, Wide::high(normal), 0x800fffff), 0x3fe00000);
  const Lanes is_zero = op(Opcode::kDeq, {kept, constant(0, n)});
  return {select(is_zero, kept, Wide::join(Wide::low(normal), high)),
          b.op3(Opcode::kSel, is_zero, Builder::splat(literal(0), n),
                b.op2(Opcode::kIadd, exponent_of(normal), bias))};
}

// Multiplies by three factors, which suffice to reach both ends of the range from any number. A denormal
// intermediate keeps 53 binary digits above the rounding position: if a product loses digits, the result is
// 0.
Floats::Lanes Doubles::ldexp(const Lanes& x, const Lanes& exponent) {
  Lanes product = x, left = exponent;
  const auto all = [&](int32_t value) {
    return Builder::splat(literal(static_cast<uint32_t>(value)), exponent.size());
  };
  for (int factor = 0; factor < 3; ++factor) {
    const Lanes far = b.op2(Opcode::kIlt, left, all(-1022));
    const Lanes e = b.op3(Opcode::kSel, far, all(-1022 + 53), b.op2(Opcode::kImin, left, all(1023)));
    const Lanes high = words_of(Opcode::kShl, b.op2(Opcode::kIadd, e, all(1023)), 20);
    product = mul(product, Wide::join(all(0), high));
    left = b.op2(Opcode::kIadd, left, b.ineg(e));
  }
  return product;
}

}  // namespace cutaway::compiler
