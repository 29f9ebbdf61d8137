#include "compiler/translate/integer_dot.h"

#include <spirv/unified1/spirv.hpp>

#include "compiler/translate/wide.h"

namespace cutaway::compiler {
namespace {

constexpr uint32_t kBytes = 4;  // in a packed vector

bool accumulates(uint32_t op) { return op >= spv::OpSDotAccSat; }
bool first_is_signed(uint32_t op) { return op != spv::OpUDot && op != spv::OpUDotAccSat; }
bool second_is_signed(uint32_t op) { return op == spv::OpSDot || op == spv::OpSDotAccSat; }

}  // namespace

// The components of an operand as words; those of 64 bits as pairs of words.
Lanes IntegerDot::operand(uint32_t id, bool is_packed, bool is_signed) {
  const Lanes kept = get(id);
  const Type& scalar = scalar_of(id);
  if (!is_packed) return is_small(scalar) && is_signed ? sign_extended(scalar, kept) : kept;
  if (kept.size() != 1) invalid("a packed vector is a word");
  Lanes bytes;
  for (uint32_t i = 0; i < kBytes; ++i) {
    const Lanes byte = b.op3(is_signed ? Opcode::kIbfe : Opcode::kUbfe, kept, {literal(8 * i)}, {literal(8)});
    bytes.push_back(byte[0]);
  }
  return bytes;
}

// x + y; if 32 bits cannot hold that, the least or greatest number.
Lanes IntegerDot::saturating_add(const Lanes& x, const Lanes& y, bool is_signed) {
  const Lanes sum = b.op2(Opcode::kIadd, x, y);
  if (!is_signed) return select(b.op2(Opcode::kUlt, sum, x), {literal(~0u)}, sum);
  // The sum is wrong if both have one sign and it has the other.
  const Lanes wrong =
      b.op2(Opcode::kAnd, b.logical_not(b.op2(Opcode::kXor, x, y)), b.op2(Opcode::kXor, x, sum));
  const Lanes most =
      b.op2(Opcode::kXor, b.op2(Opcode::kAsr, x, {literal(31)}), {literal(0x7fffffff)});  // by the sign of x
  return select(b.op2(Opcode::kIlt, wrong, {literal(0)}), most, sum);
}

// The result in 64 bits.
Lanes IntegerDot::wide(const Word& word, const Lanes& x, const Lanes& y) {
  Wide w(b);
  const bool is_wide = scalar_of(arg(word, 0)).bits == 64;
  const bool is_signed = word.op != spv::OpUDotAccSat;
  const auto widened = [&](const Lanes& lanes, bool with_sign) {
    return is_wide ? lanes : with_sign ? w.sign_extended(lanes) : w.zero_extended(lanes);
  };
  const Lanes products = w.mul(widened(x, first_is_signed(word.op)), widened(y, second_is_signed(word.op)));
  Lanes sum = {component(products, 0), component(products, 1)};
  for (size_t i = 2; i < products.size(); i += 2) sum = w.add(sum, {products[i], products[i + 1]});
  if (!accumulates(word.op)) return sum;
  const Lanes before = get(arg(word, 2)), all = w.add(before, sum);
  if (before.size() != 2) invalid(word, "has operands of different sizes");
  if (!is_signed) return w.select(w.less(all, before, false), {literal(~0u), literal(~0u)}, all);
  const Ref x1 = before[1], y1 = sum[1], s1 = all[1];
  const Lanes wrong =
      b.op2(Opcode::kAnd, b.logical_not(b.op2(Opcode::kXor, {x1}, {y1})), b.op2(Opcode::kXor, {x1}, {s1}));
  const Lanes sign = b.op2(Opcode::kAsr, {x1}, {literal(31)});
  const Lanes most = {b.logical_not(sign)[0], b.op2(Opcode::kXor, sign, {literal(0x7fffffff)})[0]};
  return w.select(b.op2(Opcode::kIlt, wrong, {literal(0)}), most, all);
}

// Clamps a word to the bounds of a smaller type.
Lanes IntegerDot::clamped(const Type& scalar, const Lanes& sum, bool is_signed) {
  const uint32_t most = (1u << (scalar.bits - is_signed)) - 1;
  if (!is_signed) return b.op2(Opcode::kUmin, sum, {literal(most)});
  return b.op2(Opcode::kImax, b.op2(Opcode::kImin, sum, {literal(most)}), {literal(~most)});
}

bool IntegerDot::translate(const Word& word, Lanes& result) {
  if (word.op < spv::OpSDot || word.op > spv::OpSUDotAccSat) return false;
  const size_t format_at = accumulates(word.op) ? 3 : 2;
  const bool packed = word.words.size() > format_at;
  const Lanes x = operand(arg(word, 0), packed, first_is_signed(word.op));
  const Lanes y = operand(arg(word, 1), packed, second_is_signed(word.op));
  if (x.size() != y.size()) invalid(word, "has operands of different sizes");
  result = m_.scalar(word.type).bits == 64 ? wide(word, x, y) : narrowed(word.type, words(word, x, y));
  return true;
}

// The result in a word.
Lanes IntegerDot::words(const Word& word, const Lanes& x, const Lanes& y) {
  const Type& to = m_.scalar(word.type);
  const bool is_signed = word.op != spv::OpUDotAccSat;
  const Lanes products = b.op2(Opcode::kImul, x, y);
  Lanes sum = {component(products, 0)};
  for (size_t i = 1; i < products.size(); ++i) {
    if (accumulates(word.op) && is_small(to)) sum = saturating_add(sum, {products[i]}, is_signed);
    else sum = b.op2(Opcode::kIadd, sum, {products[i]});
  }
  if (!accumulates(word.op)) return sum;
  Lanes before = get(arg(word, 2));
  if (is_small(to) && is_signed) before = sign_extended(to, before);
  sum = saturating_add(before, sum, is_signed);
  return is_small(to) ? clamped(to, sum, is_signed) : sum;
}

}  // namespace cutaway::compiler
